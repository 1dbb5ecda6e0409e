/* Imports one bundle in a new process, as Lambda does at a cold start, and prints the time in milliseconds. */

const startedAt = performance.now()
await import(process.argv[2] ?? '')
process.stdout.write(String(performance.now() - startedAt))
