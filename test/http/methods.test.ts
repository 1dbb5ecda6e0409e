import { describe, expect, it } from 'vitest'
import { operations } from '../../lib/features/operations.ts'
import { listMethods } from '../../lib/kernel/contract/operation.ts'
import { mintCredential } from '../../lib/kernel/secrets/credentials.ts'
import type { Answer } from '../support/client.ts'
import { useService } from '../support/use-service.ts'

const origin = 'https://product.example.com'
const service = await useService({ ALLOWED_ORIGINS: origin })

const browser = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' }

/** The second path is that of the login only after a second decoding, so that no route matches it. */
const paths = { login: '/api/2/auth/login', unmatched: '/api/2/auth%252Flogin' }

const unlike = new Set(['date', 'x-request-id', 'apigw-requestid', 'content-length'])
const headersOf = ({ headers }: Answer) => [...headers].filter(([name]) => !unlike.has(name))

/** The log line of a request, without what differs between any two requests. */
const logOf = ({ headers }: Answer) => {
  const id = headers.get('x-request-id')
  const line = service.log.map((text) => JSON.parse(text)).find(({ request_id }) => request_id === id)
  return { ...line, request_id: 0, duration_ms: 0, timestamp: 0, time: 0 }
}

describe('a method that a path does not have', () => {
  it.each([{}, browser])(
    'has the same answer and log line as on a path without a route, with %j',
    async (headers) => {
      for (const method of ['GET', 'HEAD', 'PUT', 'DELETE', 'OPTIONS']) {
        const answer = await service.client(method, paths.login, { headers })
        const expected = await service.client(method, paths.unmatched, { headers })
        expect([answer.status, answer.headers.get('allow')], method).toEqual([405, 'POST'])
        expect(headersOf(answer), method).toEqual(headersOf(expected))
        expect({ ...answer.body, request_id: 0 }).toEqual({ ...expected.body, request_id: 0 })
        expect(answer.text.includes('<h1>This page cannot be shown</h1>')).toBe(
          headers === browser && method !== 'HEAD',
        )
        expect(logOf(answer)).toMatchObject({ event: 'request', status: 405 })
        expect({ ...logOf(answer), table_calls: 0, table_round_trips: 0, table_units: 0 }).toEqual({
          ...logOf(expected),
          table_calls: 0,
          table_round_trips: 0,
          table_units: 0,
        })
      }
    },
  )

  it('is refused on every path, without a call to the table', async () => {
    const bearer = mintCredential('session', 5).value
    for (const [path, sharing] of Map.groupBy(operations, (operation) => operation.path)) {
      const methods = sharing.flatMap(listMethods)
      const method = (['PATCH', 'PUT', 'DELETE'] as const).find((one) => !methods.includes(one)) ?? 'TRACE'
      if (method === 'TRACE') continue
      const answer = await service.client(method, path.replaceAll(/\{\w+\}/g, '1'), { bearer })
      expect([path, answer.status, answer.headers.get('allow')]).toEqual([
        path,
        405,
        [...new Set(methods)].sort().join(', '),
      ])
      expect(logOf(answer).table_calls ?? 0, path).toBe(0)
    }
  })

  it('is not chosen by a header or a parameter', async () => {
    const headers = { 'x-http-method-override': 'POST', 'x-method-override': 'POST' }
    const answer = await service.client('GET', `${paths.login}?_method=POST`, { headers })
    expect(answer.status).toBe(405)
  })
})

describe('a page of an allowed origin', () => {
  const ask = (path: string, headers: Record<string, string> = {}) =>
    service.client('OPTIONS', path, {
      headers: { origin, 'access-control-request-method': 'POST', ...headers },
    })

  it('may send requests to every path', async () => {
    for (const path of [paths.login, '/api/2/users/7', '/api/2/nothing']) {
      const { status, headers, text } = await ask(path)
      expect([status, text], path).toEqual([204, ''])
      expect(headers.get('access-control-allow-origin')).toBe(origin)
      expect(headers.get('access-control-allow-methods')).toContain('POST')
    }
  })

  it('can read why a request was refused', async () => {
    const { status, headers } = await service.client('GET', paths.login, { headers: { origin } })
    expect([status, headers.get('access-control-allow-origin')]).toEqual([405, origin])
  })

  it('is the only one that may', async () => {
    const { headers } = await ask(paths.login, { origin: 'https://evil.example' })
    expect([...headers.keys()].filter((name) => name.startsWith('access-control'))).toEqual([])
  })

  it('gets no success for OPTIONS alone', async () => {
    expect((await service.client('OPTIONS', paths.login, { headers: { origin } })).status).toBe(405)
  })
})
