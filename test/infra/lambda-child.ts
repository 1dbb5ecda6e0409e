import { createLambdaContext } from '../support/lambda-context.ts'

/*
 * Runs in a separate process like the Lambda runtime: imports `index.mjs` of a function once, and calls its handler
 * with one event at a time.
 */

interface Invocation {
  readonly id: number
  readonly event: unknown
}

const { handler } = await import(process.argv[2] ?? '')

process.on('message', async ({ id, event }: Invocation) => {
  try {
    process.send?.({ id, result: (await handler(event, createLambdaContext())) ?? null })
  } catch (error) {
    process.send?.({ id, error: String(error) })
  }
})
process.send?.({ ready: true })
