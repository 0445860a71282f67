import { createReactAgent } from '@langchain/langgraph/prebuilt'
import { ChatOpenAI } from '@langchain/openai'
import { tool as define } from '@langchain/core/tools'
import { z } from 'zod'
import { calls, model, question, system, tool } from './task.mjs'

export const packages = ['@langchain/langgraph']

export function make(url) {
  const llm = new ChatOpenAI({ model, apiKey: 'none', useResponsesApi: false, configuration: { baseURL: `${url}/v1` } })
  const lookup = define(tool.execute, {
    name: tool.name,
    description: tool.description,
    schema: z.object({ part: z.number().int().describe('The number of the part') }),
  })
  const agent = createReactAgent({ llm, tools: [lookup], prompt: system })
  return async () => {
    const { messages } = await agent.invoke(
      { messages: [{ role: 'user', content: question }] },
      { recursionLimit: 3 * (calls + 2) },
    )
    return messages.at(-1).content
  }
}
