// The task, word for word that of the Go contestants.
export const calls = 10
export const model = 'scripted'
export const system = 'You are a helpful assistant. Use the tool until you can answer.'
export const question = 'Look up the ten parts and say when you have them.'
export const answer = 'All ten parts are there.'

export const tool = {
  name: 'lookup',
  description: 'Looks up one part by its number.',
  ran: 0,
  execute: async () => {
    tool.ran++
    return 'part found'
  },
}
