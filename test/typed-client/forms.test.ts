import { expect, it } from 'vitest'
import { callOperation, createSession } from '../../lib/client/call-operation.ts'
import { parseRoute } from '../../lib/client/send.ts'

const call = async (response: Response) => {
  const sent: { url: string; init: RequestInit }[] = []
  const connection = {
    baseUrl: 'https://auth.example.com',
    credential: 'lks_a-secret-session',
    session: createSession(undefined),
    fetch: async (url: string, init: RequestInit) => {
      sent.push({ url, init })
      return response
    },
  }
  const input = { grant_type: 'refresh_token', refresh_token: 'a&b=c', scope: undefined }
  const route = parseRoute('POST /oauth2/token json form anonymous')
  const result = await callOperation(connection, route, { path: [], input, options: {} }).catch(
    (error) => error,
  )
  return { result, sent }
}

it('sends forms of operations that read forms, without the session of the caller', async () => {
  const { result, sent } = await call(Response.json({ access_token: 'a token' }))
  expect(result).toEqual({ access_token: 'a token' })
  const [{ url, init } = expect.unreachable('a request was sent')] = sent
  expect([url, init.body]).toEqual([
    'https://auth.example.com/oauth2/token',
    'grant_type=refresh_token&refresh_token=a%26b%3Dc',
  ])
  expect(Object.fromEntries(new Headers(init.headers))).toEqual({
    'content-type': 'application/x-www-form-urlencoded',
  })
})

it('shows the description of an OAuth error', async () => {
  const body = { error: 'invalid_grant', error_description: 'The grant has ended.' }
  const { result } = await call(Response.json(body, { status: 400 }))
  expect(result).toMatchObject({
    code: 'gateway_error',
    status: 400,
    message: expect.stringContaining('The grant'),
  })
})
