/* Imports one bundle in a new process, as Lambda does at a cold start, and prints the duration and CPU time in milliseconds. */

const startedAt = performance.now()
const before = process.cpuUsage()
await import(process.argv[2] ?? '')
const ms = performance.now() - startedAt
const { user, system } = process.cpuUsage(before)
process.stdout.write(JSON.stringify({ ms, cpuMs: (user + system) / 1000 }))
