import { createServer, type IncomingMessage } from 'node:http'
import { text } from 'node:stream/consumers'
import type { CheckResult } from '../../../cli/verify/check.ts'
import type { ProbeOptions } from '../../../cli/verify/probes.ts'
import { type VerifyOptions, verifyDeployment } from '../../../cli/verify/run-verify.ts'
import { makeIdp } from '../../support/idp.ts'
import { listenOnLoopback } from '../../support/listen-on-loopback.ts'
import { addSignedIn } from '../../support/people.ts'
import { addProvider } from '../../support/saml.ts'
import { startService } from '../../support/service.ts'

interface Answer {
  status: number
  readonly headers: Headers
  body: string
}

/**
 * Changes an answer of the service on its way. `break` closes the connection after the service did its work, and `hang`
 * sends half of the answer and never ends it.
 */
export type Change = (request: string, answer: Answer) => unknown

export const onPath =
  (pattern: RegExp, alter: (answer: Answer) => unknown): Change =>
  (request, answer) =>
    pattern.test(request) ? alter(answer) : undefined

export const setBody = (body: unknown) => (answer: Answer) => {
  answer.body = typeof body === 'string' ? body : JSON.stringify(body)
}

const never = new AbortController().signal

/** Verifies what answers at an address, without a credential. */
export const verifyAt = async (url: string): Promise<readonly CheckResult[]> => {
  const results: CheckResult[] = []
  await verifyDeployment(
    { url, token: undefined, mailTo: undefined, stack: undefined, table: undefined },
    { signal: never, checkMs: 60_000, callMs: 60_000, onResult: (result) => results.push(result) },
  )
  return results
}

/** Starts a service behind a gateway that can change answers, and an administrator of it. */
export const startChangingService = async () => {
  let change: Change = () => {}
  let target = ''
  const gateway = await listenOnLoopback(
    createServer(async (req, res) => {
      const answer = await passOn(target, req)
      const done = change(`${req.method} ${req.url}`, answer)
      if (done === 'break') return void res.destroy()
      res.writeHead(answer.status, Object.fromEntries(answer.headers))
      if (done === 'hang') return void res.write(answer.body.slice(0, answer.body.length / 2))
      res.end(answer.body)
    }),
  )
  const service = await startService({ PUBLIC_URL: gateway.url })
  target = service.url
  await addProvider(service, await makeIdp())
  const { bearer: admin } = await addSignedIn(service, { permissions: ['system:admin-access'] })
  return {
    service,
    url: gateway.url,
    admin,
    setChange: (next: Change) => {
      change = next
    },
    verify: async (
      options: Partial<VerifyOptions> & Pick<ProbeOptions, 'now' | 'pause'> = {},
      { signal = never, checkMs = 60_000, onResult = (_: CheckResult) => {} } = {},
    ): Promise<readonly CheckResult[]> => {
      const results: CheckResult[] = []
      const given = { token: admin, mailTo: 'ops@example.com', stack: undefined, table: undefined }
      await verifyDeployment(
        { url: gateway.url, ...given, ...options },
        {
          signal,
          checkMs,
          callMs: 60_000,
          onResult: (result) => {
            results.push(result)
            onResult(result)
          },
        },
      )
      return results
    },
    /** The names of the users that checks created and that still exist. */
    findRemaining: async (): Promise<readonly string[]> => {
      const { body } = await service.client('GET', '/api/2/users?limit=100', { bearer: admin })
      return (body as { username: string }[])
        .map(({ username }) => username)
        .filter((name) => /^(latchkey-verify|guest)-/.test(name))
    },
    close: async () => {
      await gateway.close()
      await service.close()
    },
  }
}

export type ChangingService = Awaited<ReturnType<typeof startChangingService>>

const passOn = async (target: string, req: IncomingMessage): Promise<Answer> => {
  const { host: _, connection: __, 'content-length': ___, ...headers } = req.headers
  const body = await text(req)
  const response = await fetch(target + req.url, {
    method: req.method ?? '',
    redirect: 'manual',
    headers: headers as Record<string, string>,
    ...(body === '' ? {} : { body }),
  })
  const kept = new Headers(response.headers)
  for (const name of ['content-length', 'connection', 'keep-alive', 'transfer-encoding', 'content-encoding'])
    kept.delete(name)
  return { status: response.status, headers: kept, body: await response.text() }
}

export const idsOf = (results: readonly CheckResult[], status: CheckResult['status']): readonly string[] =>
  results.filter((one) => one.status === status).map(({ id }) => id)
