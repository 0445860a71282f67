import { generateText, stepCountIs, tool as define } from 'ai'
import { createOpenAICompatible } from '@ai-sdk/openai-compatible'
import { z } from 'zod'
import { calls, model, question, system, tool } from './task.mjs'

export const packages = ['ai']

export function make(url) {
  const scripted = createOpenAICompatible({ name: 'script', baseURL: `${url}/v1` })(model)
  const tools = {
    [tool.name]: define({
      description: tool.description,
      inputSchema: z.object({ part: z.number().int().describe('The number of the part') }),
      execute: tool.execute,
    }),
  }
  return async () => {
    const { text } = await generateText({ model: scripted, system, prompt: question, tools, stopWhen: stepCountIs(calls + 2) })
    return text
  }
}
