import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import type { Answer } from '../support/client.ts'
import { addSignedIn, type SignedInPerson } from '../support/people.ts'
import { useService } from '../support/use-service.ts'

/* Who has a credential that was right learns that its time is over. Nothing else about a credential is said to anyone. */

const day = 24 * 60 * 60_000
const service = await useService()
let person: SignedInPerson
beforeEach(async () => {
  person = await addSignedIn(service)
})
afterEach(() => vi.useRealTimers())

const me = (bearer: string) => service.client('GET', '/api/2/users/me', { bearer })
const later = (ms: number) => vi.useFakeTimers({ now: Date.now() + ms, toFake: ['Date'] })
const addToken = async (): Promise<string> => {
  const body = { name: 'script', expires: new Date(Date.now() + day).toISOString() }
  const { body: token, text } = await service.client('POST', '/api/2/api-tokens', {
    bearer: person.bearer,
    body,
  })
  expect(token.token, text).toMatch(/^lkp_/)
  return token.token
}
const expectExpired = ({ status, body, headers }: Answer) => {
  expect([status, body.code, body.reason]).toEqual([401, 'not_authenticated', 'credential_expired'])
  expect(headers.get('www-authenticate')).toContain('error="invalid_token"')
}
const expectUnknown = ({ status, body, headers }: Answer) => {
  expect([status, body.code, body.reason]).toEqual([401, 'not_authenticated', undefined])
  expect(headers.get('www-authenticate')).toBe('Bearer')
}

it('a session and an API token are called expired when their time is over', async () => {
  const token = await addToken()
  expect((await me(token)).status).toBe(200)
  later(400 * day)
  expectExpired(await me(person.bearer))
  expectExpired(await me(token))
})

it('a value with another secret is not', async () => {
  const token = await addToken()
  later(400 * day)
  const swap = (value: string) => `${value.slice(0, -12)}${'0'.repeat(12)}`
  expectUnknown(await me(swap(person.bearer)))
  expectUnknown(await me(swap(token)))
})

it('those of a disabled user and revoked ones are not', async () => {
  const token = await addToken()
  const ended = await addSignedIn(service)
  await service.client('POST', '/api/2/auth/logout', { bearer: ended.bearer })
  const admin = await addSignedIn(service, { permissions: ['system:admin-access'] })
  const disabled = await service.client('PATCH', `/api/2/users/${person.user.id}`, {
    bearer: admin.bearer,
    body: { is_enabled: false },
  })
  expect(disabled.status, disabled.text).toBe(200)
  later(400 * day)
  for (const bearer of [person.bearer, token, ended.bearer]) expectUnknown(await me(bearer))
})
