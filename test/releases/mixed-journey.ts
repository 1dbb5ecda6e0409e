import { randomUUID } from 'node:crypto'
import { expect } from 'vitest'
import type { Json, JsonValue } from '../support/client.ts'
import { adminPassword, type RunningRelease } from './mixed-service.ts'

/** What a journey leaves behind. */
export interface Account {
  readonly id: number
  readonly username: string
  readonly fullName: string
  readonly password: string
  /** A session. */
  readonly bearer: string
  readonly apiToken: string
  readonly groupId: number
}

/** Sends a request of a user to a release. @throws Error if it is refused */
const ask = async (
  { name, client }: RunningRelease,
  bearer: string | undefined,
  method: string,
  path: string,
  body?: object,
): Promise<JsonValue> => {
  const answer = await client(method, path, {
    ...(bearer === undefined ? {} : { bearer }),
    ...(body ? { body } : {}),
  })
  if (answer.status >= 300) throw new Error(`${method} ${path} of ${name}: ${answer.status} ${answer.text}`)
  return answer.body
}

export const signIn = async (release: RunningRelease, username: string, password: string): Promise<string> =>
  (await ask(release, undefined, 'POST', '/api/2/auth/login', { username, password })).session_key

export const signInAsAdmin = (release: RunningRelease): Promise<string> =>
  signIn(release, 'admin', adminPassword)

/** Everything that the first release writes, the second one reads and changes, and the first one reads again. */
export const runJourney = async (first: RunningRelease, second: RunningRelease): Promise<Account> => {
  const admin = await signInAsAdmin(first)
  const asAdmin = (release: RunningRelease, method: string, path: string, body?: object) =>
    ask(release, admin, method, path, body)
  const suffix = randomUUID()
  const username = `user-${suffix}`
  const password = `first password ${suffix}`

  // Users and groups
  const { id: groupId } = await asAdmin(first, 'POST', '/api/2/groups', { name: `Group ${suffix}` })
  const created = await asAdmin(first, 'POST', '/api/2/users', {
    username,
    full_name: `First ${suffix}`,
    permissions: [],
    groups: [groupId],
  })
  const { id } = created
  const path = `/api/2/users/${id}`
  expect(await asAdmin(second, 'GET', path)).toMatchObject({
    full_name: `First ${suffix}`,
    groups: [groupId],
  })
  const found = await asAdmin(second, 'GET', `/api/2/users?filter=${suffix}`)
  expect(found.map((one: Json) => one['full_name'])).toEqual([`First ${suffix}`])
  await asAdmin(second, 'PATCH', path, { full_name: `Second ${suffix}`, language: 'de' })
  expect(await asAdmin(first, 'GET', path)).toMatchObject({ full_name: `Second ${suffix}`, language: 'de' })
  await asAdmin(second, 'PATCH', `/api/2/groups/${groupId}`, { name: `Renamed ${suffix}` })
  expect((await asAdmin(first, 'GET', `/api/2/groups/${groupId}`)).name).toBe(`Renamed ${suffix}`)

  // Passwords and sessions
  await asAdmin(first, 'POST', `${path}/password`, { password })
  const bearer = await signIn(second, username, password)
  const other = await signIn(first, username, password)
  expect((await ask(first, bearer, 'GET', '/api/2/users/me')).full_name).toBe(`Second ${suffix}`)
  expect(await ask(second, bearer, 'GET', '/api/2/auth/sessions')).toHaveLength(2)
  const fullName = `Third ${suffix}`
  await ask(first, bearer, 'PATCH', '/api/2/users/me', { full_name: fullName })
  const changed = `second password ${suffix}`
  const change = { password: changed, current_password: password }
  await ask(second, bearer, 'POST', '/api/2/users/me/password', change)
  // The other session ended with the earlier password, for both releases.
  for (const release of [first, second]) {
    const { status } = await release.client('GET', '/api/2/users/me', { bearer: other })
    expect(status).toBe(401)
    expect((await ask(release, bearer, 'GET', '/api/2/users/me')).full_name).toBe(fullName)
    expect(await release.authorizes(bearer)).toBe(true)
    expect(await release.authorizes(other)).toBe(false)
  }

  // API tokens
  const { id: tokenId, token: apiToken } = await ask(first, bearer, 'POST', '/api/2/api-tokens', {
    name: 'Sync',
  })
  expect((await ask(second, apiToken, 'GET', '/api/2/users/me')).username).toBe(username)
  await ask(second, bearer, 'PATCH', `/api/2/api-tokens/${tokenId}`, { name: 'Nightly' })
  expect(await ask(first, bearer, 'GET', '/api/2/api-tokens')).toMatchObject([{ name: 'Nightly' }])

  // Tickets work once, whichever release made or used them.
  for (const [maker, user] of [
    [first, second],
    [second, first],
  ] as const) {
    const ticket = await ask(maker, bearer, 'POST', '/api/2/auth/ticket', {})
    const results = [user, maker].map((one) => ({ release: one, body: ticket }))
    const statuses: number[] = []
    for (const { release, body } of results)
      statuses.push((await release.client('POST', '/api/2/auth/ticket/check', { body })).status)
    expect(statuses).toEqual([200, 404])
  }

  // Audit events and logout
  const events = (await asAdmin(second, 'GET', `/api/2/auth/audit-events?user=${id}`)).map(
    (one: Json) => one['event'],
  )
  expect(events).toEqual(expect.arrayContaining(['user.created', 'password.changed', 'api_token.created']))
  const last = await signIn(first, username, changed)
  await ask(second, last, 'POST', '/api/2/auth/logout')
  expect((await first.client('GET', '/api/2/users/me', { bearer: last })).status).toBe(401)
  await ask(second, admin, 'POST', '/api/2/auth/logout')
  return { id, username, fullName, password: changed, bearer, apiToken, groupId }
}

/** An account that was made with another release stays usable with this one alone, as after a rollback. */
export const continueAlone = async (
  release: RunningRelease,
  { id, username, fullName, password, bearer, apiToken, groupId }: Account,
): Promise<void> => {
  const admin = await signInAsAdmin(release)
  for (const credential of [bearer, apiToken, await signIn(release, username, password)]) {
    expect(await ask(release, credential, 'GET', '/api/2/users/me')).toMatchObject({
      id,
      full_name: fullName,
    })
    expect(await release.authorizes(credential)).toBe(true)
  }
  await ask(release, admin, 'PATCH', `/api/2/users/${id}`, { full_name: 'Rolled back', groups: [] })
  expect(await ask(release, admin, 'GET', `/api/2/users/${id}`)).toMatchObject({
    full_name: 'Rolled back',
    groups: [],
  })
  await ask(release, admin, 'DELETE', `/api/2/groups/${groupId}`)
  await ask(release, admin, 'DELETE', `/api/2/users/${id}/sessions`)
  expect((await release.client('GET', '/api/2/users/me', { bearer })).status).toBe(401)
  await ask(release, admin, 'DELETE', `/api/2/users/${id}`)
  expect((await release.client('GET', `/api/2/users/${id}`, { bearer: admin })).status).toBe(404)
}
