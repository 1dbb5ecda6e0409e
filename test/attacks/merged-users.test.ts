import { randomBytes, randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { buildScheduleContext } from '../../lib/accounts/callers/request-context.ts'
import { findUser } from '../../lib/accounts/users/find-users.records.ts'
import { editUser } from '../../lib/accounts/users/write-users.records.ts'
import { endMergedUser } from '../../lib/features/directory/merge/merge-users.records.ts'
import { moveUserItems } from '../../lib/features/directory/merge/move-user-items.ts'
import { ageAuthentication } from '../support/age-authentication.ts'
import type { Answer } from '../support/client.ts'
import { makeIdp } from '../support/idp.ts'
import { addLink, getLink, linksPath, lookUp } from '../support/links.ts'
import { addPerson, addSignedIn, signIn } from '../support/people.ts'
import { addProvider, signInByConnection, userOfSession } from '../support/saml.ts'
import { useService } from '../support/use-service.ts'

/* Two accounts of one person become one, and somebody wants more from it than that. */

const service = await useService({ PUBLIC_URL: 'https://auth.example.com' })
const provider = await addProvider(service, await makeIdp())
const admin = await addSignedIn(service, { permissions: ['system:admin-access'] })

const merge = (into: number, user: unknown, bearer = admin.bearer): Promise<Answer> =>
  service.client('POST', `/api/2/users/${into}/merge`, { bearer, body: { user } })
const whoIs = async (bearer: string): Promise<number | undefined> =>
  (await service.client('GET', '/api/2/users/me', { bearer })).body.id
const addToken = async (bearer: string, fields: object = {}): Promise<string> => {
  const answer = await service.client('POST', '/api/2/api-tokens', {
    bearer,
    body: { name: 'Script', ...fields },
  })
  expect(answer.status).toBe(201)
  return answer.body.token
}
const connect = (id: number, name: string) =>
  service.client('POST', `/api/2/users/${id}/company-accounts`, {
    bearer: admin.bearer,
    body: { provider: provider.id, name },
  })

describe('merged users', () => {
  it('are one, with everything that both had', async () => {
    const added = await service.client('POST', '/api/2/groups', {
      bearer: admin.bearer,
      body: { name: randomUUID(), permissions: [] },
    })
    const group: number = added.body.id
    const [kept, other, friend] = [
      await addSignedIn(service, { permissions: ['media:access'] }),
      await addSignedIn(service, { permissions: ['media:access'], email: `${randomUUID()}@corp.example` }),
      await addSignedIn(service, { permissions: ['media:access'] }),
    ]
    await service.client('PATCH', `/api/2/users/${other.user.id}`, {
      bearer: admin.bearer,
      body: { groups: [group] },
    })
    const chosen = randomBytes(40).toString('base64url').replaceAll('_', 'x')
    const tokens = [await addToken(other.bearer), await addToken(other.bearer, { token: chosen })]
    const made = await addLink(service, other.bearer)
    const received = await addLink(service, friend.bearer, { user: other.user.id })
    const name = randomUUID()
    expect((await connect(other.user.id, name)).status).toBe(201)

    const { status, body } = await merge(kept.user.id, other.user.id)
    expect(status).toBe(200)
    expect(body).toEqual({ is_complete: true, api_tokens: 2, company_accounts: 1, access_links: 1 })
    for (const token of tokens) expect(await whoIs(token)).toBe(kept.user.id)
    const { session } = await signInByConnection(service, provider, { nameId: name, attributes: {} })
    expect(await userOfSession(service, session)).toBe(kept.user.id)
    expect((await lookUp(service, made.token)).status).toBe(200)
    expect((await lookUp(service, received.token)).status).toBe(200)
    for (const { id } of [made, received]) expect((await getLink(service, kept.bearer, id)).status).toBe(200)
    const { body: links } = await service.client('GET', linksPath, { bearer: kept.bearer })
    expect(links.map(({ id }: { id: number }) => id).sort()).toEqual([made.id, received.id].sort())
    const { body: user } = await service.client('GET', `/api/2/users/${kept.user.id}`, {
      bearer: admin.bearer,
    })
    expect(user).toMatchObject({ username: kept.user.username, groups: [group] })

    // What the other user was has ended, and the names are free.
    expect(await whoIs(other.bearer)).toBeUndefined()
    await expect(signIn(service, other)).rejects.toThrow('sign-in failed')
    expect(
      (await service.client('GET', `/api/2/users/${other.user.id}`, { bearer: admin.bearer })).status,
    ).toBe(404)
    const { username, email } = other.user
    await addPerson(service, { email })
    expect(
      (
        await service.client('POST', '/api/2/users', {
          bearer: admin.bearer,
          body: { username, permissions: [], groups: [] },
        })
      ).status,
    ).toBe(201)
    const { body: events } = await service.client('GET', `/api/2/auth/audit-events?user=${kept.user.id}`, {
      bearer: admin.bearer,
    })
    const seen = events.map((event: { event: string; user: number }) => `${event.event} ${event.user}`)
    expect(seen).toEqual(
      expect.arrayContaining([
        `user.merged ${kept.user.id}`,
        `user.deleted ${other.user.id}`,
        `api_token.created ${other.user.id}`,
      ]),
    )
    const repeated = await merge(kept.user.id, other.user.id)
    expect(repeated.body).toEqual({ is_complete: true, api_tokens: 0, company_accounts: 0, access_links: 0 })
  })

  it('are found by their IDs in other systems, no matter who was merged first', async () => {
    const source = `system-${randomUUID().slice(0, 8)}`
    const people = await Promise.all(
      ['1', '2', '3'].map((id) => addSignedIn(service, { externalId: { source, id } })),
    )
    const ids = people.map(({ user }) => user.id)
    const answers = await Promise.all(
      [0, 1, 2].flatMap((to) => [0, 1, 2].map((from) => merge(ids[to] ?? 0, ids[from]))),
    )
    expect(answers.every(({ status }) => [200, 400, 404, 409].includes(status))).toBe(true)
    const find = async (id: string) => {
      const path = `/api/2/users?external_id=${source}:${id}`
      const { status, body } = await service.client('GET', path, { bearer: admin.bearer })
      expect(status).toBe(200)
      return body.map((user: { id: number }) => user.id)
    }
    // Of those who are left, one takes the others.
    const isLeft = async (id: number) =>
      (await service.client('GET', `/api/2/users/${id}`, { bearer: admin.bearer })).status === 200
    const left: number[] = []
    for (const id of ids) if (await isLeft(id)) left.push(id)
    const [kept = 0, ...others] = left
    for (const other of others) expect((await merge(kept, other)).status).toBe(200)
    for (const id of ['1', '2', '3']) expect(await find(id)).toEqual([kept])
  })

  it('are merged once by many requests at once, in both directions', async () => {
    const [one, two] = [await addSignedIn(service), await addSignedIn(service)]
    const token = await addToken(two.bearer)
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, at) =>
        at % 2 === 0 ? merge(one.user.id, two.user.id) : merge(two.user.id, one.user.id),
      ),
    )
    expect(answers.every(({ status }) => [200, 400, 404, 409, 429].includes(status))).toBe(true)
    const left = []
    for (const { user } of [one, two])
      left.push((await service.client('GET', `/api/2/users/${user.id}`, { bearer: admin.bearer })).status)
    expect(left.sort()).toEqual([200, 404])
    const kept = left[0] === 200 ? one : two
    const [first, second] = kept === one ? [one, two] : [two, one]
    await merge(first.user.id, second.user.id)
    expect([one.user.id, two.user.id]).toContain(await whoIs(token))
  })

  it('are continued after an interruption at any point', async () => {
    const { table } = service.services
    const [kept, other] = [
      await addSignedIn(service),
      await addSignedIn(service, { permissions: ['media:access'] }),
    ]
    const tokens = [await addToken(other.bearer), await addToken(other.bearer), await addToken(other.bearer)]
    const link = await addLink(service, other.bearer)
    const read = async (id: number) => {
      const user = await findUser(table, id)
      if (!user) throw new Error('the user was not found')
      return user
    }
    await endMergedUser(table, await read(kept.user.id), await read(other.user.id), { extraSteps: [] })
    expect(await whoIs(tokens[0] ?? '')).toBeUndefined()
    let calls = 0
    const started = {
      ...{ table, merged: await read(other.user.id), keptId: kept.user.id },
      context: buildScheduleContext(0, 'a test'),
    }
    const some = await moveUserItems(started, () => ++calls <= 2)
    expect(some.isComplete).toBe(false)
    expect((await merge(kept.user.id, other.user.id)).body).toMatchObject({
      is_complete: true,
      access_links: 1,
    })
    for (const token of tokens) expect(await whoIs(token)).toBe(kept.user.id)
    expect((await getLink(service, kept.bearer, link.id)).body.created_by.id).toBe(kept.user.id)
  })

  it('lead on when the kept user is merged, too', async () => {
    const [last, middle, first] = [
      await addSignedIn(service),
      await addSignedIn(service),
      await addSignedIn(service),
    ]
    const token = await addToken(first.bearer)
    expect((await merge(middle.user.id, first.user.id)).status).toBe(200)
    expect((await merge(last.user.id, middle.user.id)).status).toBe(200)
    expect(await whoIs(token)).toBe(last.user.id)
    await service.client('DELETE', `/api/2/users/${last.user.id}`, { bearer: admin.bearer })
    expect(await whoIs(token)).toBeUndefined()
  })

  it('bring no token back that was revoked', async () => {
    const [kept, other] = [await addSignedIn(service), await addSignedIn(service)]
    const token = await addToken(other.bearer)
    const answer = await service.client('PATCH', `/api/2/users/${other.user.id}`, {
      bearer: admin.bearer,
      body: { is_enabled: false },
    })
    expect(answer.status).toBe(200)
    const { table, now } = service.services
    const user = await findUser(table, other.user.id)
    if (user) await editUser(table, user, { apiTokensEndedAt: now() + 1000 })
    expect((await merge(kept.user.id, other.user.id)).body.api_tokens).toBe(0)
    expect(await whoIs(token)).toBeUndefined()
  })
})

describe('a merge is refused', () => {
  it('for everyone but an administrator who just proved who they are', async () => {
    const [kept, other] = [await addSignedIn(service), await addSignedIn(service)]
    const manager = await addSignedIn(service, { permissions: ['users:manage', 'users:view'] })
    const aged = await addSignedIn(service, { permissions: ['system:admin-access'] })
    await ageAuthentication(service, aged, 24 * 3_600_000)
    const token = await addToken(admin.bearer)
    for (const bearer of [manager.bearer, kept.bearer, aged.bearer, token])
      expect((await merge(kept.user.id, other.user.id, bearer)).status).toBe(403)
    expect(await whoIs(other.bearer)).toBe(other.user.id)
  })

  it('of the administrator, of unknown users, and of what is no account', async () => {
    const kept = await addSignedIn(service)
    const guestLink = await addLink(service, admin.bearer, { email: `${randomUUID()}@guest.example` })
    expect((await merge(kept.user.id, admin.user.id)).status).toBe(409)
    expect((await merge(kept.user.id, guestLink.user.id)).status).toBe(409)
    expect((await merge(guestLink.user.id, kept.user.id)).status).toBe(409)
    expect((await merge(2_000_000_000, kept.user.id)).status).toBe(404)
    for (const user of [kept.user.id, 2_000_000_000, -1, '1', [1], { id: 1 }, null, undefined, '__proto__'])
      expect((await merge(kept.user.id, user)).status).toBe(400)
    expect(await whoIs(kept.bearer)).toBe(kept.user.id)
  })
})
