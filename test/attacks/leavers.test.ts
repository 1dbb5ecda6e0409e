import { describe, expect, it } from 'vitest'
import { findUser } from '../../lib/accounts/users/find-users.records.ts'
import { endedKinds } from '../../lib/features/leavers/models.ts'
import type { Answer, JsonValue } from '../support/client.ts'
import { holdingLimits, requireSuccess, startHoldings } from '../support/holdings.ts'
import { addLink, lookUp } from '../support/links.ts'
import { addPasskey, signInWithPasskey } from '../support/passkeys.ts'
import { addPerson, addSignedIn, callAs, signIn, trySignIn } from '../support/people.ts'
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
