import { randomUUID } from 'node:crypto'
import { expect, it } from 'vitest'
import { userKey } from '../../lib/kernel/table/keys/keys.ts'
import { readMailedToken } from '../support/mailed-page.ts'
import { addSignedIn } from '../support/people.ts'
import { useService } from '../support/use-service.ts'

/* A person signs up twice, becomes one account, and leaves. `test/docs/removal.test.ts` runs it without some features. */

const service = await useService({ RATE_LIMITS: 'signUpsPerAddress=4/3600' })
const admin = await addSignedIn(service, { permissions: ['system:admin-access'] })
const password = 'violet tractor under nine moons'
const call = (method: string, path: string, bearer: string | undefined, body?: object) =>
  service.client(method, `/api/2/${path}`, { ...(bearer ? { bearer } : {}), body })

const signUp = async (full_name: string) => {
  const email = `${randomUUID()}@example.com`
  expect((await call('POST', 'auth/sign-up', undefined, { email })).status).toBe(204)
  const token = await readMailedToken(service, email, 'sign-up')
  const completed = await call('POST', 'auth/sign-up/complete', undefined, { token, full_name })
  const accepted = await call('POST', 'auth/invitation/accept', undefined, {
    token: completed.body.invitation_token,
    password,
  })
  expect(accepted.status, accepted.text).toBe(200)
  const signedIn = await call('POST', 'auth/login', undefined, { username: email, password })
  expect(signedIn.status, signedIn.text).toBe(200)
  return { email, id: signedIn.body.user.id, bearer: signedIn.body.session_key }
}

it('begins with a sign-up, goes on after a merge, and ends with a deletion', async () => {
  await call('PUT', 'system/sign-up-policy', admin.bearer, { mode: 'open' })
  const [kept, other] = [await signUp('Grace Hopper'), await signUp('Grace Hopper')]
  const statuses: number[] = []
  while (!statuses.includes(429) && statuses.length < 6)
    statuses.push((await call('POST', 'auth/sign-up', undefined, { email: 'ada@example.com' })).status)
  expect(statuses.at(-1)).toBe(429)

  const token = await call('POST', 'api-tokens', other.bearer, { name: 'Script' })
  expect(token.status, token.text).toBe(201)
  const merged = await call('POST', `users/${kept.id}/merge`, admin.bearer, { user: other.id })
  expect(merged.body).toMatchObject({ is_complete: true, api_tokens: 1 })
  expect((await call('GET', 'users/me', other.bearer)).status).toBe(401)
  expect((await call('GET', 'users/me', token.body.token)).body.id).toBe(kept.id)

  expect((await call('DELETE', `users/${kept.id}`, admin.bearer)).status).toBe(204)
  for (const bearer of [kept.bearer, token.body.token])
    expect((await call('GET', 'users/me', bearer)).status).toBe(401)
  const left = await service.services.table.list(userKey(kept.id).pk, '')
  expect(left).toEqual([])
  const again = await call('POST', 'auth/login', undefined, { username: kept.email, password })
  expect([again.status, again.body.reason]).toEqual([401, 'invalid_credentials'])
})
