/* Imports one bundle in a new process, as Lambda does at a cold start, and prints durations and CPU times in milliseconds. */

const startedAt = performance.now()
const before = process.cpuUsage()
const threadBefore = process.threadCpuUsage()
await import(process.argv[2] ?? '')
const ms = performance.now() - startedAt
const sum = ({ user, system }: NodeJS.CpuUsage): number => (user + system) / 1000
const threadMs = sum(process.threadCpuUsage(threadBefore))
process.stdout.write(JSON.stringify({ ms, cpuMs: sum(process.cpuUsage(before)), threadMs }))
