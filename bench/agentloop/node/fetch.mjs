// The floor in Node: a loop over fetch, nothing checked.
import { model, question, system, tool } from './task.mjs'

export const packages = []

const tools = [{
  type: 'function',
  function: {
    name: tool.name,
    description: tool.description,
    parameters: {
      type: 'object',
      properties: { part: { type: 'integer', description: 'The number of the part' } },
      required: ['part'],
      additionalProperties: false,
    },
  },
}]

export const make = (url) => async () => {
  const messages = [{ role: 'system', content: system }, { role: 'user', content: question }]
  for (;;) {
    const reply = await fetch(`${url}/v1/chat/completions`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ model, messages, tools }),
    })
    const { message } = (await reply.json()).choices[0]
    if (!message.tool_calls?.length) return message.content
    messages.push(message)
    for (const call of message.tool_calls) {
      messages.push({ role: 'tool', tool_call_id: call.id, content: await tool.execute(JSON.parse(call.function.arguments)) })
    }
  }
}
