import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { findUser } from '../../lib/accounts/users/find-users.records.ts'
import { buildTokenExpiryStep, findApiTokens } from '../../lib/features/api-tokens/records.ts'
import { endedKinds } from '../../lib/features/leavers/models.ts'
import { day } from '../../lib/kernel/util/time.ts'
import type { Answer, JsonValue } from '../support/client.ts'
import { holdingLimits, requireSuccess, startHoldings } from '../support/holdings.ts'
import { addLink, lookUp } from '../support/links.ts'
import { addPasskey, signInWithPasskey } from '../support/passkeys.ts'
import { addPerson, addSignedIn, callAs, type SignedInPerson, signIn, trySignIn } from '../support/people.ts'
import { useService } from '../support/use-service.ts'

/*
 * Everything of a person ends who leaves. They, and those who act for them, want to keep something. `holdings.test.ts` tries each kind of
 * credential on its own.
 */

const service = await useService(holdingLimits)
const { addOwner, makers, staff } = await startHoldings(service)
const admin = await addSignedIn(service, { permissions: ['system:admin-access'] })
const holdingsOf = ({ user }: { readonly user: { readonly id: number } }) => `users/${user.id}/holdings`
const endAll = (person: { readonly user: { readonly id: number } }, body: unknown = {}): Promise<Answer> =>
  staff('POST', `${holdingsOf(person)}/end`, body)

type Call = (method: string, path: string, body?: unknown) => Promise<Answer>

const redeem = async (token: string): Promise<string> =>
  requireSuccess(await service.client('POST', '/api/2/auth/access-tokens/redeem', { body: { token } })).body
    .session_key

const numbersOf = (kinds: JsonValue, field: string) =>
  Object.fromEntries(kinds.flatMap((one: JsonValue) => (one[field] ? [[one.kind, one[field]] as const] : [])))

describe('end_user_holdings', () => {
  it('ends one of each kind, says how many there were, and leaves what is of others', async () => {
    const owner = await addOwner()
    const kept = await makers.organization_token(owner)
    const [token, link, invitation] = [
      await makers.api_token(owner),
      await makers.access_token(owner),
      await makers.organization_invitation(owner),
    ]
    const { passkey } = await addPasskey(service, owner)
    const [ticket, reset] = [await makers.auth_ticket(owner), await makers.reset_token(owner)]
    const shown = requireSuccess(await staff('GET', holdingsOf(owner))).body
    expect(shown.kinds.map(({ kind }: JsonValue) => kind)).toEqual(endedKinds)
    expect(shown.access_links).toMatchObject([{ name: 'Trailer, second cut', object_count: 1, use_count: 0 }])
    expect(shown.api_tokens).toMatchObject([{ name: 'sync', last_used_at: null }])
    const held = {
      ...{ access_token: 1, api_token: 1, session: 1, reset_token: 1, organization_invitation: 1 },
      ...{ passkey: 1, password: 1 },
    }
    expect(numbersOf(shown.kinds, 'count')).toMatchObject(held)

    const answer = requireSuccess(await endAll(owner, { password: true, passkeys: true })).body
    expect(answer.is_complete).toBe(true)
    expect(numbersOf(answer.kinds, 'before')).toMatchObject(held)
    expect(numbersOf(answer.kinds, 'after')).toEqual({})
    for (const { works } of [token, link, invitation, ticket, reset]) expect(await works()).toBe(false)
    expect((await service.client('GET', '/api/2/users/me', { bearer: owner.bearer })).status).toBe(401)
    expect((await trySignIn(service, owner)).status).toBe(401)
    expect((await signInWithPasskey(service, passkey)).status).toBeGreaterThanOrEqual(400)
    expect(await kept.works()).toBe(true)
    expect((await staff('GET', `users/${owner.user.id}`)).body).toMatchObject({ is_enabled: true })

    const [event] = (
      await staff('GET', `auth/audit-events?event=user.everything_ended&user=${owner.user.id}`)
    ).body
    expect(event.changes).toContainEqual({ field: 'api_token', from: 1, to: 0 })
    expect(event.changes).toContainEqual({ field: 'access_token', from: 1, to: 0 })
  })

  it('keeps password and passkeys unless they are ticked, and finishes when it is repeated', async () => {
    const owner = await addOwner()
    await makers.access_token(owner)
    requireSuccess(await endAll(owner, { password: false }))
    const again = requireSuccess(await endAll(owner)).body
    expect(again.is_complete).toBe(true)
    expect(numbersOf(again.kinds, 'before')).toEqual({})
    expect(await signIn(service, owner)).toMatch(/^lks_/)
  })

  it('leaves nothing of what older sessions and tokens make at the same time', async () => {
    const person = await addSignedIn(service, { permissions: ['media:access'] })
    const bearers = [person.bearer, ...(await Promise.all([1, 2, 3].map(() => signIn(service, person))))]
    const made: string[] = []
    const make = async (bearer: string) => {
      const call = callAs(service, { bearer })
      const [token, link] = [
        await call('POST', 'api-tokens', { name: 'last minute' }),
        await call('POST', 'auth/access-tokens', { bundles: [{ id: 5, name: 'Film' }] }),
      ]
      if (token.status === 201) made.push(token.body.token)
      return link.status === 201 ? link.body.token : undefined
    }
    const [links, ends] = await Promise.all([
      Promise.all(Array.from({ length: 20 }, (_, at) => make(bearers[at % bearers.length] ?? ''))),
      Promise.all([1, 2, 3].map(() => endAll(person))),
    ])
    // One at least was committed. The others may have met it.
    expect(ends.map(({ status }) => status)).toContain(200)
    requireSuccess(await endAll(person))
    for (const bearer of [...bearers, ...made])
      expect((await service.client('GET', '/api/2/users/me', { bearer })).status).toBe(401)
    for (const link of links) if (link) expect((await lookUp(service, link)).status).toBe(404)
    expect((await staff('GET', holdingsOf(person))).body).toMatchObject({ access_links: [], api_tokens: [] })
  })

  it('is refused to managers with fewer rights, owners of organizations, and on oneself', async () => {
    const manager = await addSignedIn(service, { permissions: ['users:manage', 'users:view'] })
    const call = callAs(service, manager)
    const target = await addPerson(service, { permissions: ['system:admin-access'] })
    const owner = await addOwner()
    const plain = await addSignedIn(service)
    for (const { user } of [target, owner]) {
      expect((await call('GET', holdingsOf({ user }))).status).toBe(403)
      expect((await call('POST', `${holdingsOf({ user })}/end`, {})).status).toBe(403)
    }
    expect((await callAs(service, owner)('POST', `${holdingsOf(plain)}/end`, {})).status).toBe(403)
    expect((await call('POST', `${holdingsOf(manager)}/end`, {})).status).toBe(409)
    expect((await staff('POST', 'users/2147483647/holdings/end', {})).status).toBe(404)
    expect((await findUser(service.services.table, target.user.id))?.credentialEpoch).toBe(
      target.user.credentialEpoch,
    )
  })

  it.each([
    '{"__proto__":{"password":true}}',
    '{"password":"yes"}',
    '{"password":true,"password":false}',
    '{"passkeys":null}',
    '[]',
  ])('never reads the body %s as a tick', async (raw) => {
    const [person, { bearer }] = [await addPerson(service), admin]
    const path = `/api/2/${holdingsOf(person)}/end`
    const headers = { 'content-type': 'application/json' }
    const answer = await service.client('POST', path, { bearer, raw, headers })
    expect([200, 400]).toContain(answer.status)
    expect((await trySignIn(service, person)).status).toBe(200)
  })
})

describe('hand_over_access_tokens', () => {
  const sharer = { permissions: ['media:access'] }
  const handOver = (from: { readonly user: { readonly id: number } }, body: object) =>
    staff('POST', `users/${from.user.id}/access-tokens/hand-over`, body)

  it('gives the links to their new owner, with new addresses that the leaver does not know', async () => {
    const [from, to] = [await addSignedIn(service, sharer), await addSignedIn(service, sharer)]
    const [kept, renewed] = [await addLink(service, from.bearer), await addLink(service, from.bearer)]
    const opened = await redeem(renewed.token)
    const first = await handOver(from, { to: to.user.id, access_links: [renewed.id], new_addresses: true })
    expect(first.body).toEqual({ is_complete: true, access_links: [renewed.id], left: 0 })
    // The answer was lost.
    const again = await handOver(from, { to: to.user.id, access_links: [renewed.id], new_addresses: true })
    expect(again.body).toEqual({ is_complete: true, access_links: [], left: 0 })
    expect((await handOver(from, { to: to.user.id })).body.access_links).toEqual([kept.id])
    requireSuccess(await endAll(from))
    expect((await lookUp(service, kept.token)).status).toBe(200)
    expect((await lookUp(service, renewed.token)).status).toBe(404)
    expect((await service.client('GET', '/api/2/users/me', { bearer: opened })).status).toBe(401)
    const shown = await callAs(service, to)('GET', `auth/access-tokens/${renewed.id}`)
    expect(shown.body.created_by.id).toBe(to.user.id)
    expect((await lookUp(service, shown.body.token)).status).toBe(200)
    const events = await staff('GET', `auth/audit-events?event=access_token.handed_over&user=${from.user.id}`)
    expect(events.body.map(({ changes }: JsonValue) => changes)).toEqual([
      [{ field: 'created_by', from: from.user.id, to: to.user.id }],
      [{ field: 'created_by', from: from.user.id, to: to.user.id }, { field: 'address' }],
    ])
  })

  it('refuses new owners who may not have links, and links of others', async () => {
    const [from, other] = [await addSignedIn(service, sharer), await addSignedIn(service, sharer)]
    const link = await addLink(service, from.bearer)
    const foreign = await addLink(service, other.bearer)
    const [disabled, deleted] = [await addPerson(service, sharer), await addPerson(service, sharer)]
    requireSuccess(await staff('PATCH', `users/${disabled.user.id}`, { is_enabled: false }))
    requireSuccess(await staff('DELETE', `users/${deleted.user.id}`))
    const plain = await addPerson(service)
    for (const { user } of [disabled, deleted, plain, from])
      expect((await handOver(from, { to: user.id })).status).toBe(400)
    const named = { to: admin.user.id, access_links: [link.id, foreign.id] }
    expect((await handOver(from, named)).status).toBe(400)
    const manager = await addSignedIn(service, { permissions: ['users:manage'] })
    const asManager = callAs(service, manager)
    const path = `users/${from.user.id}/access-tokens/hand-over`
    expect((await asManager('POST', path, { to: manager.user.id })).status).toBe(403)
    expect((await lookUp(service, link.token)).status).toBe(200)
    expect((await callAs(service, from)('GET', `auth/access-tokens/${link.id}`)).body.created_by.id).toBe(
      from.user.id,
    )
  })
})

describe('API tokens that are replaced', () => {
  const inDays = (days: number) => new Date(Date.now() + days * day).toISOString()
  const shorten = (call: Call, id: number, expires: string, user?: number) =>
    call('POST', `api-tokens/${id}/shorten`, { expires, ...(user !== undefined && { user }) })
  const works = async (bearer: string) =>
    (await service.client('GET', '/api/2/users/me', { bearer })).status === 200

  /** A person with API tokens that end after so many days, or never. */
  const addLeaver = async (...days: readonly (number | undefined)[]) => {
    const person = await addSignedIn(service)
    const make = async (end: number | undefined) => {
      const given = { name: 'sync', expires: end === undefined ? null : inDays(end) }
      return requireSuccess(await callAs(service, person)('POST', 'api-tokens', given)).body
    }
    return { person, tokens: await Promise.all(days.map(make)) }
  }

  it('end on a day that an administrator or the owner chose, and never later', async () => {
    const { person, tokens } = await addLeaver(undefined)
    const [{ id, token }] = tokens
    const own = callAs(service, person)
    for (const days of [8, 7.001, -0.001]) {
      expect((await shorten(own, id, inDays(days))).status).toBe(400)
      expect((await shorten(staff, id, inDays(days), person.user.id)).status).toBe(400)
    }
    const [later, sooner] = [inDays(6), inDays(2)]
    const first = await shorten(staff, id, later, person.user.id)
    expect(first.body).toMatchObject({ id, expires: later })
    // The answer was lost.
    expect((await shorten(staff, id, later, person.user.id)).status).toBe(200)
    expect((await shorten(own, id, sooner)).body.expires).toBe(sooner)
    for (const expires of [later, inDays(3)])
      expect((await shorten(staff, id, expires, person.user.id)).status).toBe(400)
    for (const expires of [null, '', 'tomorrow', 1_900_000_000_000])
      expect((await own('POST', `api-tokens/${id}/shorten`, { expires })).status).toBe(400)
    expect(await works(token)).toBe(true)
    const events = await staff('GET', `auth/audit-events?event=api_token.shortened&user=${person.user.id}`)
    expect(events.body.map(({ changes }: JsonValue) => changes)).toEqual([
      [{ field: 'expiry', from: later, to: sooner }],
      [{ field: 'expiry', from: null, to: later }],
    ])
  })

  it('are not those of others, and not by impersonators or stolen tokens of administrators', async () => {
    const { person, tokens } = await addLeaver(undefined)
    const { id } = tokens[0]
    const [plain, manager] = [
      await addSignedIn(service),
      await addSignedIn(service, { permissions: ['users:manage', 'users:view'] }),
    ]
    for (const caller of [plain, manager]) {
      const call = callAs(service, caller)
      expect((await shorten(call, id, inDays(1))).status).toBe(404)
      expect((await shorten(call, id, inDays(1), person.user.id)).status).toBe(403)
    }
    const ofAdmin = requireSuccess(await callAs(service, admin)('POST', 'api-tokens', { name: 'admin' })).body
    const ofStaff = requireSuccess(await staff('POST', 'api-tokens', { name: 'staff' })).body
    const stolen = { bearer: ofStaff.token }
    expect((await shorten(callAs(service, stolen), ofAdmin.id, inDays(1), admin.user.id)).status).toBe(403)
    await staff('DELETE', `api-tokens/${ofStaff.id}`)
    expect((await shorten(callAs(service, person), ofAdmin.id, inDays(1))).status).toBe(404)
    const shown = await staff('GET', `api-tokens/${id}?user=${person.user.id}`)
    expect(shown.body.expires).toBeNull()
  })

  it('get the earliest of 20 ends that are set at the same time, or an even earlier one', async () => {
    const { person, tokens } = await addLeaver(undefined)
    const { id } = tokens[0]
    const ends = Array.from({ length: 20 }, (_, at) => inDays(1 + ((at * 7) % 20) / 4))
    const answers = await Promise.all(ends.map((expires) => shorten(callAs(service, person), id, expires)))
    const accepted = ends.filter((_, at) => answers[at]?.status === 200).toSorted()
    expect(accepted.length).toBeGreaterThan(0)
    for (const { status } of answers) expect([200, 400, 409]).toContain(status)
    expect((await callAs(service, person)('GET', `api-tokens/${id}`)).body.expires).toBe(accepted[0])
  })

  it('work on until their day if the request names them, and the others end', async () => {
    const { person, tokens } = await addLeaver(undefined, undefined, 2)
    const [kept, ended, soon] = tokens
    requireSuccess(await shorten(staff, kept.id, inDays(3), person.user.id))
    const answer = requireSuccess(await endAll(person, { kept_api_tokens: [kept.id, kept.id] })).body
    expect(answer).toMatchObject({ is_complete: true, kept_api_tokens: [{ id: kept.id, name: 'sync' }] })
    expect(answer.kinds).toContainEqual({ kind: 'api_token', before: 3, after: 1 })
    expect(await Promise.all([kept, ended, soon].map(({ token }) => works(token)))).toEqual([
      ...[true, false, false],
    ])
    expect((await staff('GET', holdingsOf(person))).body.api_tokens).toMatchObject([{ id: kept.id }])
    const [event] = (
      await staff('GET', `auth/audit-events?event=user.everything_ended&user=${person.user.id}`)
    ).body
    expect(event.changes).toContainEqual({ field: 'api_token', from: 3, to: 1 })
    expect(event.changes).toContainEqual({ field: 'kept_api_tokens', from: null, to: kept.id })
    // The answer was lost.
    const again = requireSuccess(await endAll(person, { kept_api_tokens: [kept.id] })).body
    expect(again).toMatchObject({ is_complete: true, kept_api_tokens: [{ id: kept.id }] })
    expect(await works(kept.token)).toBe(true)
    // A document can give a token of a service account another end.
    const [stored] = await findApiTokens(service.services.table, person.user.id)
    if (!stored) throw new Error('the token was not found')
    await service.services.table.transact([buildTokenExpiryStep(stored, Date.now() + 6 * day)])
    expect(await works(kept.token)).toBe(false)
    await service.services.table.transact([buildTokenExpiryStep(stored, undefined)])
    expect(await works(kept.token)).toBe(false)
  })

  it('are refused in a request unless they work, are of the user, and end within 7 days', async () => {
    const { person, tokens } = await addLeaver(undefined, 8, 1)
    const [endless, late, near] = tokens
    const other = await addLeaver(1)
    const lists = [[endless.id], [late.id], [near.id, late.id], [other.tokens[0].id], [2147483647]]
    for (const kept_api_tokens of [
      ...lists,
      [-1],
      ['1'],
      near.id,
      null,
      [String(near.id)],
      [{ id: near.id }],
    ])
      expect((await endAll(person, { kept_api_tokens })).status, String(kept_api_tokens)).toBe(400)
    for (const { token } of tokens) expect(await works(token)).toBe(true)
    requireSuccess(await endAll(person, { kept_api_tokens: [near.id] }))
    // What has ended never works again.
    for (const { id } of [endless, late])
      expect((await endAll(person, { kept_api_tokens: [near.id, id] })).status).toBe(400)
    requireSuccess(await staff('PATCH', `users/${other.person.user.id}`, { is_enabled: false }))
    expect((await endAll(other.person, { kept_api_tokens: [other.tokens[0].id] })).status).toBe(409)
  })

  it.each<readonly [string, (person: SignedInPerson, value: string) => Promise<Answer>]>([
    ['a leak', (_, value) => staff('POST', 'auth/leaked', { credentials: [value] })],
    [
      'a new password',
      ({ user: { id } }) => staff('POST', `users/${id}/password`, { password: randomUUID() }),
    ],
    ['the end of the sessions', ({ user: { id } }) => staff('DELETE', `users/${id}/sessions`)],
    ['ending everything again', (person) => endAll(person)],
    [
      'disabling the account, also after it is enabled again',
      async ({ user: { id } }) => {
        requireSuccess(await staff('PATCH', `users/${id}`, { is_enabled: false }))
        return staff('PATCH', `users/${id}`, { is_enabled: true })
      },
    ],
  ])('end at once by %s', async (_, end) => {
    const { person, tokens } = await addLeaver(1)
    const { id, token } = tokens[0]
    requireSuccess(await endAll(person, { kept_api_tokens: [id] }))
    expect(await works(token)).toBe(true)
    requireSuccess(await end(person, token))
    expect(await works(token)).toBe(false)
    expect((await endAll(person, { kept_api_tokens: [id] })).status).toBe(400)
    expect(await works(token)).toBe(false)
  })

  it('end if one of 20 requests at the same time does not name them', async () => {
    const { person, tokens } = await addLeaver(1)
    const { id, token } = tokens[0]
    const bodies = Array.from({ length: 20 }, (_, at) => (at % 10 === 9 ? {} : { kept_api_tokens: [id] }))
    const answers = await Promise.all(bodies.map((body) => endAll(person, body)))
    for (const { status } of answers) expect([200, 400, 409]).toContain(status)
    requireSuccess(await endAll(person))
    expect(await works(token)).toBe(false)
    for (const { status } of await Promise.all(bodies.slice(0, 9).map((body) => endAll(person, body))))
      expect([400, 409]).toContain(status)
    expect(await works(token)).toBe(false)
  })
})
