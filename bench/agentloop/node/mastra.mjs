import { Agent } from '@mastra/core/agent'
import { createTool } from '@mastra/core/tools'
import { createOpenAICompatible } from '@ai-sdk/openai-compatible-v1'
import { z } from 'zod'
import { calls, model, question, system, tool } from './task.mjs'

export const packages = ['@mastra/core']

export function make(url) {
  const agent = new Agent({
    name: 'bench',
    instructions: system,
    model: createOpenAICompatible({ name: 'script', baseURL: `${url}/v1` })(model),
    tools: {
      [tool.name]: createTool({
        id: tool.name,
        description: tool.description,
        inputSchema: z.object({ part: z.number().int().describe('The number of the part') }),
        execute: tool.execute,
      }),
    },
  })
  return async () => (await agent.generate(question, { maxSteps: calls + 2 })).text
}
