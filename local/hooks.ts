import { randomUUID } from 'node:crypto'
import { existsSync } from 'node:fs'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { resolve } from 'node:path'
import { json } from 'node:stream/consumers'
import { pathToFileURL } from 'node:url'
import { Worker } from 'node:worker_threads'
import type { LocalHooks } from '../lib/features/configuration/hooks.models.ts'
import { findHookClaimsProblem } from '../lib/features/oauth/hook-claim-names.ts'
import type { GivenHooks, HookName } from '../lib/kernel/settings/hooks.ts'
import { omitUndefined } from '../lib/kernel/util/object-fields.ts'
import { CommandFailure } from './command-failure.ts'

/*
 * Lambda for the hooks of local mode. A call loads the module in a thread of its own, so that each change of it counts at once. Answers
 * look like those of Lambda.
 */

export interface RunningHooks {
  /** The value of the variable that functions read. */
  readonly variable: string
  readonly close: () => Promise<void>
}

interface HooksOptions {
  /** The folder of the configuration file, from which the paths of modules begin. */
  readonly folder: string
  /** Called with the reason why a module failed. */
  readonly onFailure: (reason: string) => void
}

const names = {
  before_sign_up: 'beforeSignUp',
  after_sign_in: 'afterSignIn',
  before_token: 'beforeToken',
} as const satisfies Record<keyof LocalHooks, HookName>

/** Starts the hooks of a configuration file. Undefined if it has none that are on. @throws CommandFailure */
export const startHooks = async (
  hooks: LocalHooks | undefined,
  { folder, onFailure }: HooksOptions,
): Promise<RunningHooks | undefined> => {
  const { before_sign_up, after_sign_in, before_token } = hooks ?? {}
  const problem = before_token && findHookClaimsProblem(before_token.claims)
  if (problem !== undefined) throw new CommandFailure(`hooks.before_token.claims ${problem}.`)
  const on = Object.entries({ before_sign_up, after_sign_in, before_token }).flatMap(([key, hook]) =>
    hook && hook.enabled !== false ? [{ key: key as keyof LocalHooks, ...hook }] : [],
  )
  if (on.length === 0) return undefined
  // Other programs of this machine, and pages of browsers, do not know the address.
  const paths = new Map(
    on.map(({ key, module }) => [`/${randomUUID()}`, { key, file: resolve(folder, module) }]),
  )
  for (const { key, file } of paths.values())
    if (!existsSync(file)) throw new CommandFailure(`hooks.${key}.module: ${file} does not exist.`)
  const server = createServer((request, response) => {
    const hook = paths.get(request.url ?? '')
    if (hook && request.method === 'POST')
      answer(hook.file, { request, response }, (reason) =>
        onFailure(`The hook ${hook.key} failed. ${reason}`),
      )
    else response.writeHead(404).end()
  })
  await new Promise<void>((done, fail) => server.once('error', fail).listen(0, '127.0.0.1', done))
  server.unref()
  const { port } = server.address() as AddressInfo
  const given: GivenHooks = Object.fromEntries(
    [...paths].map(([path, { key }]) => {
      const { timeout_ms: timeoutMs } = hooks?.[key] ?? {}
      const { claims, on_failure: onFailureRule } = (key === 'before_token' && before_token) || {}
      const { groups, attributes } = (key === 'before_sign_up' && before_sign_up) || {}
      return [
        names[key],
        {
          function: `http://127.0.0.1:${port}${path}`,
          ...omitUndefined({ timeoutMs, claims, onFailure: onFailureRule, groups, attributes }),
        },
      ]
    }),
  )
  return {
    variable: JSON.stringify(given),
    close: async () => {
      server.closeAllConnections()
      await new Promise((done) => server.close(done))
    },
  }
}

const program = `
const { parentPort, workerData } = require('node:worker_threads')
import(workerData.href)
  .then(({ handler, default: own }) => (handler ?? own?.handler ?? own)(workerData.event))
  .then((value) => parentPort.postMessage({ text: JSON.stringify(value) ?? 'null' }))
  .catch((error) => parentPort.postMessage({ problem: String(error?.message ?? error) }))
`

/** How long a module may run. The service waits for a shorter time. */
const longestRunMs = 10_000

const answer = async (
  file: string,
  { request, response }: { readonly request: IncomingMessage; readonly response: ServerResponse },
  onFailure: (reason: string) => void,
): Promise<void> => {
  const result: HookResult = await run(file, await json(request)).catch((error: unknown) => ({
    problem: String(error),
  }))
  if (result.problem !== undefined) {
    onFailure(result.problem)
    response.setHeader('x-amz-function-error', 'Unhandled')
  }
  response.setHeader('content-type', 'application/json')
  response.end(result.text ?? JSON.stringify({ errorMessage: result.problem }))
}

interface HookResult {
  readonly text?: string
  readonly problem?: string
}

const run = (file: string, event: unknown): Promise<HookResult> =>
  new Promise((done, fail) => {
    const worker = new Worker(program, { eval: true, workerData: { href: pathToFileURL(file).href, event } })
    const end = setTimeout(() => fail(new Error(`It took more than ${longestRunMs} ms.`)), longestRunMs)
    worker.once('message', done)
    worker.once('error', fail)
    worker.once('exit', () => fail(new Error('It ended without an answer.')))
    worker.once('message', () => worker.terminate())
    end.unref()
    worker.once('exit', () => clearTimeout(end))
  })
