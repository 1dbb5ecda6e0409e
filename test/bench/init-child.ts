/* Imports one bundle in a fresh process, as Lambda does at a cold start, and prints how many milliseconds it took. */

const startedAt = performance.now()
await import(process.argv[2] ?? '')
process.stdout.write(String(performance.now() - startedAt))
