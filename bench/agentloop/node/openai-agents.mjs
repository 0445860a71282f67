import { Agent, OpenAIProvider, run, setTracingDisabled, tool as define } from '@openai/agents'
import { z } from 'zod'
import { calls, model, question, system, tool } from './task.mjs'

export const packages = ['@openai/agents']

export async function make(url) {
  setTracingDisabled(true)
  const provider = new OpenAIProvider({ baseURL: `${url}/v1`, apiKey: 'none', useResponses: false })
  const agent = new Agent({
    name: 'bench',
    instructions: system,
    model: await provider.getModel(model),
    tools: [define({
      name: tool.name,
      description: tool.description,
      parameters: z.object({ part: z.number().int().describe('The number of the part') }),
      execute: tool.execute,
    })],
  })
  return async () => (await run(agent, question, { maxTurns: calls + 2 })).finalOutput
}
