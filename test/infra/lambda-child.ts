import { promises as dns } from 'node:dns'
import { createLambdaContext } from '../support/lambda-context.ts'
import type { Invocation } from './lambda.ts'

/*
 * Runs in a separate process like the Lambda runtime: imports `index.mjs` of a function once, and calls its handler
 * with each event. The log goes through the same channel as the results, so that it arrives before them.
 */

const RealDate = Date
let difference = 0
let frozenAt: number | undefined

const now = (): number => frozenAt ?? RealDate.now() + difference

/** The clock of the caller replaces the clock of this process, so that a test can move the time of all functions. */
globalThis.Date = new Proxy(RealDate, {
  apply: () => new RealDate(now()).toString(),
  construct: (target, args, newTarget) =>
    Reflect.construct(target, args.length === 0 ? [now()] : args, newTarget),
  get: (target, name, receiver) => (name === 'now' ? now : Reflect.get(target, name, receiver)),
})

process.stdout.write = ((chunk: string | Uint8Array): boolean => {
  process.send?.({ log: typeof chunk === 'string' ? chunk : Buffer.from(chunk).toString() })
  return true
}) as typeof process.stdout.write

/** The responses to CloudFormation go to its stub. Functions accept no other host. */
const { fetch } = globalThis
const toStub = (url: string): string =>
  url.replace(
    /^https:\/\/cloudformation-custom-resource-response-[^/]+/,
    process.env['CLOUDFORMATION_ENDPOINT'] ?? '$&',
  )
globalThis.fetch = (input, init) => fetch(typeof input === 'string' ? toStub(input) : input, init)

const { handler } = await import(process.argv[2] ?? '')

process.on('message', async ({ id, event, invokedFunctionArn, clock, dnsServers }: Invocation) => {
  if (String(dnsServers) !== String(dns.getServers())) dns.setServers(dnsServers)
  if (clock) {
    difference = clock.now - RealDate.now()
    frozenAt = clock.isFrozen ? clock.now : undefined
  }
  try {
    const context = createLambdaContext(invokedFunctionArn)
    process.send?.({ id, result: (await handler(event, context)) ?? null })
  } catch (error) {
    process.send?.({ id, error: String(error) })
  }
})
process.send?.({ ready: true })
