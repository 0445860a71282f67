// One Node contestant: node contestant.mjs NAME URL. It speaks the same lines
// as the Go ones: first its version, then for every number on its input the
// times of so many runs.
import { readFileSync } from 'node:fs'
import { createInterface } from 'node:readline'
import { answer, calls, tool } from './task.mjs'

const [name, url] = process.argv.slice(2)
const say = (report) => process.stdout.write(JSON.stringify(report) + '\n')
// Frameworks log to the console; the pipe is for reports alone.
console.log = console.info = console.debug = () => {}

const version = (pkg) =>
  JSON.parse(readFileSync(new URL(`./node_modules/${pkg}/package.json`, import.meta.url))).version

async function turn(run, n) {
  const ms = []
  for (let i = 0; i < n; i++) {
    const before = tool.ran
    const start = performance.now()
    const got = await run()
    const took = performance.now() - start
    if (got !== answer) throw new Error(`the answer was ${JSON.stringify(got)}`)
    if (tool.ran - before !== calls) throw new Error(`the tool ran ${tool.ran - before} times`)
    ms.push(took)
  }
  return { ms }
}

let run
try {
  const peer = await import(`./${name}.mjs`)
  run = await peer.make(url)
  say({ version: peer.packages.map((p) => `${p} ${version(p)}`).join(', ') || process.version })
} catch (err) {
  say({ error: String(err?.message ?? err) })
  process.exit(0)
}
for await (const line of createInterface({ input: process.stdin })) {
  say(await turn(run, Number(line)).catch((err) => ({ error: String(err?.message ?? err) })))
}
process.exit(0)
