import { randomUUID } from 'node:crypto'
import { afterEach, describe, expect, it } from 'vitest'
import { buildConnectionSessionSteps } from '../../lib/accounts/sessions/session-index.records.ts'
import type { SessionRecord } from '../../lib/accounts/sessions/stored-session.records.ts'
import { createSession } from '../../lib/accounts/sessions/write-sessions.records.ts'
import { mintCredential } from '../../lib/kernel/secrets/credentials.ts'
import { connectionFlowKey } from '../../lib/kernel/table/keys/connection-keys.ts'
import { makeCertificate } from '../support/certificates.ts'
import {
  addLink,
  bundle,
  deleteLink,
  getLink,
  linksPath,
  lookUp,
  postLink,
  redeem,
} from '../support/links.ts'
import { addPerson, addSignedIn } from '../support/people.ts'
import { hasStep, useWatchedService } from '../support/watched-table.ts'

/*
 * The table fails right after the write that commits a change. The service must report success. A caller who got an
 * error would retry, and would then be rejected or create a second item.
 */

const service = await useWatchedService()
const admin = await addSignedIn(service, { permissions: ['system:admin-access'] })
const creator = await addSignedIn(service, { permissions: ['media:access'] })
afterEach(() => service.restore())

const call = (method: string, path: string, body?: object) =>
  service.client(method, `/api/2${path}`, { bearer: admin.bearer, body })
const read = async (path: string) => (await call('GET', path)).body

describe('a table failure after the commit still reports the creation of', () => {
  it('a user in groups', async () => {
    const group = (await call('POST', '/groups', { name: randomUUID(), permissions: ['a:b'] })).body.id
    service.failAfter(hasStep('Put', /^username#/))
    const body = { username: randomUUID(), groups: [group], permissions: ['c:d'] }
    const created = await call('POST', '/users', body)
    service.restore()
    expect(created.status).toBe(201)
    expect(created.body).toMatchObject({ ...body, effective_permissions: ['a:b', 'c:d'] })
    expect(await read(`/users/${created.body.id}`)).toEqual(created.body)
  })

  it('a group with members', async () => {
    const other = (await call('POST', '/groups', { name: randomUUID(), permissions: ['c:d'] })).body.id
    const people = await Promise.all([addPerson(service, { groups: [other] }), addPerson(service)])
    const members = people.map(({ user: { id } }) => ({ id }))
    service.failAfter(hasStep('Put', /^group-name#/))
    const created = await call('POST', '/groups', { name: randomUUID(), permissions: ['a:b'], members })
    service.restore()
    expect(created.status).toBe(201)
    expect(created.body.members).toHaveLength(2)
    expect(await read(`/groups/${created.body.id}`)).toEqual(created.body)
  })

  it('a link, for a guest or for an existing user', async () => {
    for (const given of [{}, { user: admin.user.id }]) {
      service.failAfter(hasStep('Put', /^access-token#/))
      const created = await postLink(service, creator.bearer, given)
      service.restore()
      expect(created.status).toBe(201)
      expect((await getLink(service, creator.bearer, created.body.id)).body).toEqual(created.body)
      expect((await lookUp(service, created.body.token)).status).toBe(200)
    }
  })

  it('a user template', async () => {
    const group = (await call('POST', '/groups', { name: randomUUID() })).body.id
    service.failAfter(hasStep('Put', /^user-template-name#/))
    const created = await call('POST', '/user-templates', { name: randomUUID(), groups: [group] })
    service.restore()
    expect(created.status).toBe(201)
    expect(await read(`/user-templates/${created.body.id}`)).toEqual(created.body)
  })
})

it('reports a link as opened if the table fails after the commit', async () => {
  const group = (await call('POST', '/groups', { name: randomUUID(), permissions: ['a:b'] })).body.id
  const member = await addSignedIn(service, { groups: [group] })
  const link = await addLink(service, creator.bearer, { user: member.user.id, view_limit: 1 })
  service.failAfter(hasStep('Update', `access-token#${link.id}`))
  const redeemed = await redeem(service, link.token, { bearer: member.bearer })
  service.restore()
  expect(redeemed.status).toBe(200)
  expect(redeemed.body.user).toMatchObject({ id: member.user.id, groups: [], effective_permissions: [] })
})

describe('a table failure after the commit still reports the deletion of', () => {
  it('a link, and ends the session that it opened', async () => {
    const link = await addLink(service, creator.bearer)
    const session = (await redeem(service, link.token)).body.session_key
    service.failAfter(hasStep('Delete', `access-token#${link.id}`, 'access-token'))
    expect((await deleteLink(service, creator.bearer, link.id)).status).toBe(204)
    service.restore()
    expect(service.log.join('')).toContain('access_link.not_cleared')
    expect((await service.client('GET', '/api/2/users/me', { bearer: session })).status).toBe(401)
    expect((await deleteLink(service, creator.bearer, link.id)).status).toBe(404)
  })

  it('a user, whose remaining records are removed by the next request', async () => {
    const { user, bearer } = await addSignedIn(service)
    service.failAfter(hasStep('Delete', `user#${user.id}`, 'user'))
    expect((await call('DELETE', `/users/${user.id}`)).status).toBe(204)
    service.restore()
    expect((await service.client('GET', '/api/2/users/me', { bearer })).status).toBe(401)
    expect((await call('DELETE', `/users/${user.id}`)).status).toBe(204)
    expect((await call('DELETE', `/users/${user.id}`)).status).toBe(404)
  })

  it('a SAML provider, unless its sessions could not be ended', async () => {
    const { table } = service.services
    const certificate = (await makeCertificate()).pem
    const add = async () => {
      const urls = { entity_id: `urn:${randomUUID()}`, sso_url: 'https://idp.example.com/sso' }
      const { id } = (await call('POST', '/auth/saml', { ...urls, certificate })).body
      const { user } = await addPerson(service)
      const { value, hash } = mintCredential('session', user.id)
      const now = Date.now()
      const session = {
        hash,
        id: 1,
        userId: user.id,
        credentialEpoch: user.credentialEpoch,
        address: '',
        userAgent: '',
        createdAt: now,
        lastSeenAt: now,
        expiresAt: now + 60_000,
        authentication: { at: now, methods: ['saml'] },
        providerSubject: {
          providerId: id,
          kind: 'saml',
          nameId: randomUUID(),
          nameIdFormat: null,
          nameQualifier: null,
          spNameQualifier: null,
          sessionIndex: null,
        },
      } as SessionRecord
      await createSession(table, session, buildConnectionSessionSteps(session, now))
      await table.put({ ...connectionFlowKey(id, 'a') })
      const me = async () => (await service.client('GET', '/api/2/users/me', { bearer: value })).status
      expect(await me()).toBe(200)
      return { id, me }
    }
    const deletes = (id: number) => hasStep('Delete', `connection#${id}`, 'connection')
    const remove = async (id: number) => (await call('DELETE', `/auth/saml/${id}`)).status

    const [once, flows, always] = [await add(), await add(), await add()]
    let failures = 1
    service.watch(({ action, input }) =>
      action === 'Query' &&
      JSON.stringify(input).includes(`connection-sessions#${once.id}"`) &&
      failures-- > 0
        ? 'the table fails once'
        : undefined,
    )
    expect(await remove(once.id)).toBe(204)
    expect(await once.me()).toBe(401)

    service.watch(({ action, input }) =>
      action === 'Query' && JSON.stringify(input).includes(`connection#${flows.id}"`)
        ? 'the table fails'
        : undefined,
    )
    expect(await remove(flows.id)).toBe(204)
    expect(await flows.me()).toBe(401)

    service.failAfter(deletes(always.id))
    expect(await remove(always.id)).toBe(409)
    service.restore()
    expect((await call('GET', `/auth/saml/${always.id}`)).status).toBe(404)
    expect(await always.me()).toBe(200)
    expect(await remove(always.id)).toBe(204)
    expect(await always.me()).toBe(401)
    expect(await remove(always.id)).toBe(404)
  })
})

describe('a link email', () => {
  const mailEventsOf = async (id: number) => {
    const { body } = await call('GET', `/auth/audit-events?user=${creator.user.id}`)
    return body.filter(
      ({ event, target }: { event: string; target: string }) =>
        event === 'access_token.mailed' && target === String(id),
    )
  }
  const add = async () => (await addLink(service, creator.bearer, { user: creator.user.id })).id
  const send = async (id: number) =>
    (
      await service.client('POST', `${linksPath}/${id}/email`, {
        bearer: creator.bearer,
        body: { email: 'ann@example.com' },
      })
    ).status
  const countMails = () => service.mailbox.mails.length
  const isMailRecord = hasStep('Put', /^link-mail#/)

  it('is sent and recorded exactly once if the record of it fails at first', async () => {
    const [id, before] = [await add(), countMails()]
    let failures = 1
    service.watch((call) => (isMailRecord(call) && failures-- > 0 ? 'the table fails once' : undefined))
    expect(await send(id)).toBe(204)
    expect(await mailEventsOf(id)).toMatchObject([{ outcome: 'succeeded' }])
    expect(await send(id)).toBe(204)
    expect(countMails()).toBe(before + 1)
  })

  it('is reported as sent even if it cannot be recorded, and is not resent within a minute', async () => {
    const [id, before] = [await add(), countMails()]
    service.watch((call) => (isMailRecord(call) ? 'the table fails' : undefined))
    expect(await send(id)).toBe(204)
    service.restore()
    expect(service.log.join('')).toContain('mail.not_noted')
    expect(await send(id)).toBe(409)
    expect(countMails()).toBe(before + 1)
  })
})

describe('a group with members', () => {
  const members = async (count: number) =>
    (await Promise.all(Array.from({ length: count }, () => addPerson(service)))).map(({ user: { id } }) => ({
      id,
    }))
  const getIds = (list: readonly { readonly id: number }[]) => list.map(({ id }) => id).sort((a, b) => a - b)

  it('is created in one transaction or not at all', async () => {
    const body = { name: randomUUID(), members: await members(24) }
    let transactions = 0
    service.watch(({ action }) => {
      if (action !== 'TransactWriteItems') return undefined
      transactions += 1
      return transactions === 1 ? 'the table fails' : undefined
    })
    expect((await call('POST', '/groups', body)).status).toBe(500)
    const created = await call('POST', '/groups', body)
    expect(created.status).toBe(201)
    expect(transactions).toBe(2)
    expect(getIds(created.body.members)).toEqual(getIds(body.members))
    expect(await read(`/groups/${created.body.id}`)).toEqual(created.body)
    for (const { id } of body.members) expect((await read(`/users/${id}`)).groups).toEqual([created.body.id])
    const records = await read(`/auth/audit-events?user=${body.members[23]?.id}`)
    expect(records).toMatchObject([{ event: 'group.member_added', target: String(created.body.id) }])
  })

  it('has all of its members, however many there are', async () => {
    const body = { name: randomUUID(), members: await members(60) }
    const created = await call('POST', '/groups', body)
    expect(getIds(created.body.members)).toEqual(getIds(body.members))
    expect(await read(`/groups/${created.body.id}`)).toEqual(created.body)
  })

  it('is created while a member is changed, and keeps that change', async () => {
    const [member = { id: 0 }, ...others] = await members(3)
    service.justBefore(hasStep('Put', /^group-name#/), () =>
      call('PATCH', `/users/${member.id}`, { full_name: 'Changed concurrently' }),
    )
    const created = await call('POST', '/groups', { name: randomUUID(), members: [member, ...others] })
    expect(created.status).toBe(201)
    expect(await read(`/users/${member.id}`)).toMatchObject({
      full_name: 'Changed concurrently',
      groups: [created.body.id],
    })
    expect(await read(`/groups/${created.body.id}`)).toEqual(created.body)
  })

  it('is not created with a user who is deleted concurrently', async () => {
    const [member = { id: 0 }, ...others] = await members(3)
    const body = { name: randomUUID(), members: [member, ...others] }
    service.justBefore(hasStep('Put', /^group-name#/), () => call('DELETE', `/users/${member.id}`))
    const refused = await call('POST', '/groups', body)
    expect([refused.status, refused.body.errors?.[0]?.field]).toEqual([400, 'members'])
    expect((await call('POST', '/groups', { ...body, members: others })).status).toBe(201)
  })
})

it('returns the body of a created easy-sharing link again when its creator repeats the request', async () => {
  const easy = { bundles: [bundle()], is_easy_sharing: true }
  service.failAfter(hasStep('Put', /^easy-sharing#/))
  const created = await postLink(service, creator.bearer, easy)
  service.restore()
  const again = await postLink(service, creator.bearer, easy)
  expect([created.status, again.status]).toEqual([201, 200])
  expect(again.body).toEqual(created.body)
})
