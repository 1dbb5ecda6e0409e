import { randomBytes, randomUUID } from 'node:crypto'
import { beforeEach, describe, expect, it } from 'vitest'
import { findUser } from '../../lib/accounts/users/find-users.records.ts'
import { editUser } from '../../lib/accounts/users/write-users.records.ts'
import { partitions } from '../../lib/kernel/table/keys/partitions.ts'
import { ageAuthentication } from '../support/age-authentication.ts'
import { addLink, easySharing, objectId, redeem } from '../support/links.ts'
import { addRelyingParty, getTokens } from '../support/oidc.ts'
import { addPasskey } from '../support/passkeys.ts'
import { addSignedIn, type SignedInPerson } from '../support/people.ts'
import { awaitReportToken, reportChange } from '../support/security-emails.ts'
import { storeSignInPolicy } from '../support/sign-in-policy.ts'
import { readItems } from '../support/table-copies.ts'
import { useService } from '../support/use-service.ts'

/* Users who have their own account deleted, thieves who ask in their name, and what would be deleted by mistake. */

const day = 24 * 60 * 60_000
const service = await useService()
const email = `${randomUUID()}@example.com`
const admin = await addSignedIn(service, { permissions: ['system:admin-access'], email })
let ada: SignedInPerson
beforeEach(async () => {
  await setRule('after_grace')
  ada = await addSignedIn(service, { email: `${randomUUID()}@example.com` })
})

const path = '/api/2/users/me/deletion'
const setRule = (mode: 'off' | 'ask' | 'after_grace', graceDays = 14) =>
  storeSignInPolicy(service, { account_deletion: mode, account_deletion_grace_days: graceDays })
const get = async (bearer = ada.bearer) => (await service.client('GET', path, { bearer })).body
const request = (bearer = ada.bearer) => service.client('POST', path, { bearer })
const withdraw = (bearer = ada.bearer) => service.client('DELETE', path, { bearer })
const find = ({ user }: SignedInPerson) => findUser(service.services.table, user.id)
const readUser = async ({ user }: SignedInPerson) =>
  (await service.client('GET', `/api/2/users/${user.id}`, { bearer: admin.bearer })).body
const listEvents = async ({ user }: SignedInPerson) => {
  const { body } = await service.client('GET', `/api/2/auth/audit-events?user=${user.id}&limit=100`, {
    bearer: admin.bearer,
  })
  return body
    .filter(({ event }: { event: string }) => event.startsWith('user.de'))
    .map(({ event, actor, target }: { event: string; actor: object | null; target: string | null }) => [
      event,
      actor !== null,
      target,
    ])
}
const countItems = async ({ user }: SignedInPerson) =>
  (await readItems(service.tableName)).filter(
    ({ pk, sk }) => pk === partitions.accountDeletions && Number(sk.split('#').at(-1)) === user.id,
  ).length
/** Lets the grace period of a request end. */
const passGrace = async (person: SignedInPerson) => {
  const user = await find(person)
  if (!user?.deletion) throw new Error('there is no request')
  const deletion = { ...user.deletion, dueAt: Date.now() - 1000 }
  await editUser(service.services.table, user, { deletion })
}

describe('a request', () => {
  it('is refused unless the policy lets users ask, and a fresh service does not', async () => {
    await setRule('off')
    expect(await get()).toEqual({ mode: 'off', grace_days: 14, requested_at: null, due_at: null })
    const answer = await request()
    expect([answer.status, answer.body.code]).toEqual([403, 'permission_denied'])
    expect((await withdraw()).status).toBe(204)
    expect(await listEvents(ada)).toEqual([])
  })

  it('deletes the account when the grace period ended, and not before', async () => {
    await setRule('after_grace', 3)
    const answer = await request()
    expect(answer.status, answer.text).toBe(200)
    const { requested_at: requestedAt, due_at: dueAt } = answer.body
    expect(Date.parse(dueAt) - Date.parse(requestedAt)).toBe(3 * day)
    expect(await get()).toEqual(answer.body)
    expect((await readUser(ada)).deletion).toEqual({ requested_at: requestedAt, due_at: dueAt })
    await service.deleteDueAccounts()
    expect(await find(ada)).toBeDefined()
    await passGrace(ada)
    await service.deleteDueAccounts()
    expect(await find(ada)).toBeUndefined()
    expect(await countItems(ada)).toBe(0)
    expect((await service.client('GET', '/api/2/users/me', { bearer: ada.bearer })).status).toBe(401)
    expect(await listEvents(ada)).toEqual([
      ['user.deleted', false, null],
      ['user.deletion_requested', true, 'after_grace'],
    ])
  })

  it('counts once, also sent twenty times at once, and can be withdrawn and made again', async () => {
    const answers = await Promise.all(Array.from({ length: 20 }, () => request()))
    for (const { status } of answers) expect([200, 409]).toContain(status)
    expect(await countItems(ada)).toBe(1)
    expect((await Promise.all([withdraw(), withdraw()])).map(({ status }) => status)).toContain(204)
    expect(await countItems(ada)).toBe(0)
    expect((await get()).requested_at).toBeNull()
    expect(await readUser(ada)).not.toHaveProperty('deletion')
    await service.deleteDueAccounts()
    expect(await find(ada)).toBeDefined()
    expect((await request()).status).toBe(200)
    const events = await listEvents(ada)
    expect(events.filter(([event]: [string]) => event === 'user.deletion_withdrawn')).toHaveLength(1)
    expect(events.filter(([event]: [string]) => event === 'user.deletion_requested')).toHaveLength(2)
  })

  it('is withdrawn by someone who proved their identity lately, and the user gets an email', async () => {
    await request()
    await ageAuthentication(service, ada, 20 * 60_000)
    const stolen = await withdraw()
    expect([stolen.status, stolen.body.reason]).toEqual([403, 'reauthentication_required'])
    expect((await get()).requested_at).not.toBeNull()
    await ageAuthentication(service, ada, 60_000)
    expect((await withdraw()).status).toBe(204)
    const token = await awaitReportToken(service, ada, 'The deletion of your account was withdrawn')
    expect((await reportChange(service, token)).status).toBe(200)
    expect((await service.client('GET', '/api/2/users/me', { bearer: ada.bearer })).status).toBe(401)
  })

  it('is left to administrators by a policy that says so, and they get an email', async () => {
    await setRule('ask')
    expect((await request()).body).toMatchObject({ mode: 'ask', due_at: null })
    const { text } = await service.mailbox.mailTo(
      admin.user.email,
      (mail) =>
        mail.subject.startsWith('A user asks for the deletion') && mail.text.includes(ada.user.username),
    )
    expect(text).toContain(`/admin#/users/${ada.user.id}`)
    await setRule('after_grace', 1)
    await service.deleteDueAccounts()
    expect(await find(ada)).toBeDefined()
    expect(await countItems(ada)).toBe(0)
  })
})

describe('the end of the grace period', () => {
  it('deletes everything that a user leaves behind', async () => {
    const group = await service.client('POST', '/api/2/groups', {
      bearer: admin.bearer,
      body: { name: randomUUID(), permissions: [] },
    })
    const attribute = { name: 'staff_number', type: 'text', is_searchable: true }
    await service.client('PUT', '/api/2/system/user-attributes', {
      bearer: admin.bearer,
      body: { attributes: [attribute] },
    })
    const leaver = await addSignedIn(service, {
      permissions: ['media:access'],
      email: `${randomUUID()}@example.com`,
      emailVerified: false,
    })
    const { id } = leaver.user
    const changed = await service.client('PATCH', `/api/2/users/${id}`, {
      bearer: admin.bearer,
      body: { groups: [group.body.id], attributes: [{ name: attribute.name, value: `E-${id}` }] },
    })
    expect(changed.status, changed.text).toBe(200)
    const chosen = randomBytes(40).toString('base64url').replaceAll('_', 'x')
    const { bearer } = leaver
    await service.client('POST', '/api/2/api-tokens', { bearer, body: { name: 'mine', token: chosen } })
    await addPasskey(service, leaver)
    const party = await addRelyingParty(service)
    await getTokens(service, party, bearer)
    const recipient = `${randomUUID()}@example.com`
    for (const given of [{}, easySharing(objectId()), { email: recipient }])
      await addLink(service, bearer, given)
    await addLink(service, admin.bearer, { user: id })
    expect((await request(bearer)).status).toBe(200)
    await passGrace(leaver)
    const countLeft = async () =>
      (await readItems(service.tableName))
        .filter(({ pk }) => !pk.startsWith(partitions.audit))
        .filter((item) => JSON.stringify(item).includes(leaver.user.username)).length
    expect(await countLeft()).toBeGreaterThan(1)
    await service.deleteDueAccounts()
    expect(await find(leaver)).toBeUndefined()
    // The last username, beside the number.
    expect(await countLeft()).toBe(1)
    expect((await readItems(service.tableName)).filter(({ pk }) => pk === `user#${id}`)).toEqual([])
  })

  it('deletes neither a disabled account nor one of which the policy changed', async () => {
    await request()
    await passGrace(ada)
    await setRule('ask')
    await service.deleteDueAccounts()
    expect((await get()).due_at).toBeNull()
    await setRule('after_grace')
    const disable = (enabled: boolean) =>
      service.client('PATCH', `/api/2/users/${ada.user.id}`, {
        bearer: admin.bearer,
        body: { is_enabled: enabled },
      })
    expect((await disable(false)).status).toBe(200)
    await service.deleteDueAccounts()
    expect(await find(ada)).toBeDefined()
    expect((await disable(true)).status).toBe(200)
    await service.deleteDueAccounts()
    expect(await find(ada)).toBeUndefined()
  })

  it('never takes the last administrator, and others are deleted all the same', async () => {
    const answer = await request(admin.bearer)
    expect([answer.status, answer.body.reason]).toEqual([409, 'last_admin'])
    const second = await addSignedIn(service, { permissions: ['system:admin-access'] })
    expect((await request(second.bearer)).status).toBe(200)
    await passGrace(second)
    await request()
    await passGrace(ada)
    const demoted = await service.client('PATCH', `/api/2/users/${admin.user.id}`, {
      bearer: second.bearer,
      body: { permissions: [] },
    })
    expect(demoted.status, demoted.text).toBe(200)
    await service.deleteDueAccounts()
    expect(await find(second)).toBeDefined()
    expect(await find(ada)).toBeUndefined()
    const given = await service.client('PATCH', `/api/2/users/${admin.user.id}`, {
      bearer: second.bearer,
      body: { permissions: ['system:admin-access'] },
    })
    expect(given.status, given.text).toBe(200)
    await service.deleteDueAccounts()
    expect(await find(second)).toBeUndefined()
  })

  it('removes what is left of a user whom an administrator deleted before', async () => {
    await request()
    await passGrace(ada)
    const deleted = await service.client('DELETE', `/api/2/users/${ada.user.id}`, { bearer: admin.bearer })
    expect(deleted.status).toBe(204)
    await service.deleteDueAccounts()
    expect(await countItems(ada)).toBe(0)
  })
})

describe('a thief with a session', () => {
  it('cannot ask without a recent proof of identity, by an API token, or by a link', async () => {
    const created = await service.client('POST', '/api/2/api-tokens', {
      bearer: ada.bearer,
      body: { name: 'mine' },
    })
    expect((await request(created.body.token)).status).toBe(403)
    const link = await addLink(service, admin.bearer, { user: ada.user.id })
    const opened = await redeem(service, link.token, { bearer: ada.bearer })
    expect((await request(opened.body.session_key)).status).toBe(403)
    await ageAuthentication(service, ada, service.services.config.recentAuthenticationMs + 1)
    expect((await request()).body.reason).toBe('reauthentication_required')
    expect(await countItems(ada)).toBe(0)
  })

  it('is undone by the link in the email to the user', async () => {
    await request()
    const token = await awaitReportToken(service, ada, 'The deletion of your account was requested')
    expect((await reportChange(service, token)).status).toBe(200)
    expect((await find(ada))?.deletion).toBeUndefined()
    expect(await countItems(ada)).toBe(0)
    expect(await listEvents(ada)).toContainEqual(['user.deletion_withdrawn', false, null])
  })
})
