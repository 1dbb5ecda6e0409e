import { randomUUID } from 'node:crypto'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { suppressAddress } from '../../lib/accounts/outbox/suppressed-addresses.records.ts'
import { findUser, findUserIdByEmail } from '../../lib/accounts/users/find-users.records.ts'
import { signUpLinkLifetimeMs } from '../../lib/kernel/limits/limits.ts'
import { mintCredential } from '../../lib/kernel/secrets/credentials.ts'
import { awaitMails } from '../support/await-mails.ts'
import { acceptInvitation, findInvitation, readInvitationToken } from '../support/invitations.ts'
import { readMailedToken } from '../support/mailed-page.ts'
import { addPerson, addSignedIn } from '../support/people.ts'
import { useService } from '../support/use-service.ts'

/* People who create their own account, and those who try to get one that they must not have. */

const service = await useService({ RATE_LIMITS: 'signUpsPerAddress=1000/3600' })
const admin = await addSignedIn(service, { permissions: ['system:admin-access'] })
const manager = await addSignedIn(service, { permissions: ['users:manage', 'users:view'] })
beforeEach(() => setPolicy({ mode: 'open' }))

const password = 'violet tractor under nine moons'
const policyPath = '/api/2/system/sign-up-policy'
const requestsPath = '/api/2/sign-up-requests'
const terms = { terms_version: '2026-01', terms_url: 'https://www.example.com/terms' }
const putPolicy = (body: object) => service.client('PUT', policyPath, { bearer: admin.bearer, body })
const setPolicy = async (body: object): Promise<void> => {
  expect(await putPolicy(body)).toMatchObject({ status: 200 })
}
const send = (path: string, body: object, headers: Record<string, string> = {}) =>
  service.client('POST', `/api/2/auth/sign-up${path}`, { body, headers })
const newAddress = () => `${randomUUID()}@example.com`
const complete = (token: string, more: object = {}) =>
  send('/complete', { token, full_name: 'Grace Hopper', ...more })
/** Asks for a link and reads it in the mailbox. */
const getLink = async (email = newAddress()) => {
  expect((await send('', { email })).status).toBe(204)
  return { email, token: await readMailedToken(service, email, 'sign-up') }
}
const countUsers = async () =>
  (await service.client('GET', '/api/2/users?limit=1000', { bearer: admin.bearer })).body.length
const addTemplate = async (fields: object) =>
  (
    await service.client('POST', '/api/2/user-templates', {
      bearer: admin.bearer,
      body: { name: randomUUID(), ...fields },
    })
  ).body.id

const accept = async (token: string) =>
  expect(
    await service.client('POST', '/api/2/auth/invitation/accept', { body: { token, password } }),
  ).toMatchObject({ status: 200 })

describe('a person who signs up', () => {
  it('goes on with the same link if the answer was lost, until the account is theirs', async () => {
    const { token } = await getLink()
    const lost = (await complete(token)).body.invitation_token
    expect((await send('/link', { token })).status).toBe(200)
    const again = await complete(token)
    expect(again.status).toBe(200)
    expect((await service.client('POST', '/api/2/auth/invitation', { body: { token: lost } })).status).toBe(
      400,
    )
    await accept(again.body.invitation_token)
    expect((await complete(token)).body.code).toBe('invalid_token')
    expect((await send('/link', { token })).body.code).toBe('invalid_token')
  })

  it('waits with the same link if the answer was lost', async () => {
    await setPolicy({ mode: 'approval' })
    const { token } = await getLink()
    for (let times = 0; times < 2; times++)
      expect(await complete(token)).toMatchObject({ status: 200, body: { invitation_token: null } })
  })

  it('gets an account after the address is verified, with the template, the terms and their language', async () => {
    const { body: group } = await service.client('POST', '/api/2/groups', {
      bearer: admin.bearer,
      body: { name: randomUUID(), permissions: ['films:view'] },
    })
    const user_template = await addTemplate({ permissions: ['projects:view'], groups: [group.id] })
    await setPolicy({ mode: 'domains', domains: ['EXAMPLE.com'], user_template, ...terms })
    const { email, token } = await getLink()
    const { table } = service.services
    expect(await findUserIdByEmail(table, email)).toBeUndefined()
    expect((await send('/link', { token })).body).toMatchObject({ email, needs_approval: false, ...terms })
    const refused = await complete(token, { terms_version: '2025-01' })
    expect([refused.status, refused.body.errors[0].field]).toEqual([400, 'terms_version'])
    const answer = await send(
      '/complete',
      { token, full_name: 'Grace Hopper', terms_version: terms.terms_version },
      { 'accept-language': 'de' },
    )
    expect(answer.status).toBe(200)
    const { invitation_token } = answer.body
    expect((await findInvitation(service, invitation_token)).body).toMatchObject({
      ...{ username: email, is_sign_up: true, invited_by: null },
      ...{ allows_passkey: true, allows_password: true },
    })
    expect((await acceptInvitation(service, invitation_token, password)).status).toBe(200)
    const id = await findUserIdByEmail(table, email)
    const { body } = await service.client('GET', `/api/2/users/${id}`, { bearer: admin.bearer })
    expect(body).toMatchObject({
      ...{ username: email, email, full_name: 'Grace Hopper', language: 'de' },
      permissions: ['projects:view'],
      groups: [group.id],
      accepted_terms: { version: terms.terms_version, accepted_at: expect.any(String) },
    })
    const events = await service.client('GET', `/api/2/auth/audit-events?user=${id}`, {
      bearer: admin.bearer,
    })
    expect(events.body).toContainEqual(
      expect.objectContaining({ event: 'sign_up.completed', target: terms.terms_version }),
    )
  })

  it('waits for approval, which one of many decisions gives', async () => {
    const approver = `approver-${newAddress()}`
    await setPolicy({ mode: 'approval', approvers: [approver] })
    const { email, token } = await getLink()
    expect((await complete(token)).body).toEqual({ invitation_token: null })
    expect((await complete(token)).body).toEqual({ invitation_token: null })
    const mail = await service.mailbox.mailTo(approver)
    expect(mail.text).toContain(email)
    expect(await findUserIdByEmail(service.services.table, email)).toBeUndefined()
    const waiting = await service.client('GET', requestsPath, { bearer: manager.bearer })
    const { id } = waiting.body.find((request: { email: string }) => request.email === email)
    const path = `${requestsPath}/${id}/approve`
    const answers = await Promise.all(
      Array.from({ length: 10 }, () => service.client('POST', path, { bearer: manager.bearer })),
    )
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    for (const { status } of answers) expect([200, 404, 409, 429]).toContain(status)
    const invitation = await readInvitationToken(service, email)
    expect((await acceptInvitation(service, invitation, password)).status).toBe(200)
  })

  it('is refused by those who manage users, and can ask again', async () => {
    await setPolicy({ mode: 'approval' })
    const { email, token } = await getLink()
    await complete(token)
    const list = async () => (await service.client('GET', requestsPath, { bearer: manager.bearer })).body
    const [request] = (await list()).filter((one: { email: string }) => one.email === email)
    const path = `${requestsPath}/${request.id}`
    expect((await service.client('DELETE', path, { bearer: manager.bearer })).status).toBe(204)
    expect((await service.client('DELETE', path, { bearer: manager.bearer })).status).toBe(404)
    expect(await list()).not.toContainEqual(request)
    await send('', { email })
    const isNew = ({ text }: { readonly text: string }) => !text.includes(token)
    const again = await readMailedToken(service, email, 'sign-up', isNew)
    expect((await complete(again)).status).toBe(200)
    expect(await list()).toContainEqual(expect.objectContaining({ id: request.id }))
  })
})

describe('an attacker who signs up', () => {
  it('makes one account with 100 concurrent requests of one link', async () => {
    const { email, token } = await getLink()
    const before = await countUsers()
    const answers = await Promise.all(Array.from({ length: 100 }, () => complete(token)))
    const tokens = answers.flatMap(({ status, body }) => (status === 200 ? [body.invitation_token] : []))
    expect(tokens.length).toBeGreaterThan(0)
    for (const { status } of answers) expect([200, 400, 409, 429]).toContain(status)
    expect(await countUsers()).toBe(before + 1)
    const open = await Promise.all(
      tokens.map((invitation) =>
        service.client('POST', '/api/2/auth/invitation', { body: { token: invitation } }),
      ),
    )
    expect(open.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(await findUserIdByEmail(service.services.table, email)).toBeDefined()
  })

  it('gets the same response for used, expired, foreign and malformed links', async () => {
    const { token: used } = await getLink()
    const { body: completed } = await complete(used)
    await accept(completed.invitation_token)
    const { token: expired } = await getLink()
    const { body } = await complete(used)
    expect(body.code).toBe('invalid_token')
    const others = [mintCredential('sign_up').value, mintCredential('invitation', 1).value]
    for (const token of [...others, '__proto__', 'x'.repeat(10_000), `${expired}x`]) {
      expect((await complete(token)).body).toMatchObject({ code: 'invalid_token', detail: body.detail })
      expect((await send('/link', { token })).body.code).toBe('invalid_token')
    }
    const later = Date.now() + signUpLinkLifetimeMs + 1000
    vi.useFakeTimers({ toFake: ['Date'], now: later })
    expect((await complete(expired)).body.code).toBe('invalid_token')
    vi.useRealTimers()
  })

  it('cannot use a link after the policy was turned off or lists other domains', async () => {
    const { token } = await getLink()
    await setPolicy({ mode: 'off' })
    expect((await complete(token)).status).toBe(403)
    expect((await send('', { email: newAddress() })).status).toBe(403)
    await setPolicy({ mode: 'domains', domains: ['example.org'] })
    expect((await complete(token)).status).toBe(400)
    expect((await send('', { email: newAddress() })).status).toBe(400)
  })

  it('learns nothing of accounts, suppressed addresses and refused domains', async () => {
    await setPolicy({ mode: 'open', refused_domains: ['disposable.example'] })
    const { user } = await addPerson(service, { email: newAddress() })
    const [fresh, bounced, refused] = [newAddress(), newAddress(), `${randomUUID()}@disposable.example`]
    const bounce = { reason: 'bounce', since: Date.now(), feedbackId: randomUUID() } as const
    await suppressAddress(service.services.table, bounced, bounce, [])
    for (const email of [user.email, fresh, bounced, refused]) {
      const answer = await send('', { email })
      expect([answer.status, answer.text]).toEqual([204, ''])
    }
    await awaitMails(service)
    const { text } = await service.mailbox.mailTo(user.email)
    expect(text).toContain('already have an account')
    expect(text).not.toContain('#token=')
    expect(service.mailbox.mailsTo(fresh)).toHaveLength(1)
    expect([...service.mailbox.mailsTo(bounced), ...service.mailbox.mailsTo(refused)]).toEqual([])
    for (let at = 0; at < 5; at += 1) await send('', { email: fresh })
    await awaitMails(service)
    expect(service.mailbox.mailsTo(fresh)).toHaveLength(3)
  })

  it('gets no other fields, and no text that is no name or address', async () => {
    const { token, email } = await getLink()
    const name = { full_name: 'Grace' }
    const bodies = [
      { ...name, permissions: ['system:admin-access'] },
      { ...name, email: 'other@example.com' },
      { full_name: ['Grace'] },
      { full_name: ' ' },
      { full_name: 'x'.repeat(256) },
      JSON.parse('{"full_name":"Grace","__proto__":{"isAdmin":true}}'),
    ]
    for (const body of bodies) expect((await send('/complete', { token, ...body })).status).toBe(400)
    for (const body of [
      { email: [email] },
      { email: 'a@b.c, d@e.f' },
      { email: '__proto__' },
      { email: 'a' },
    ])
      expect((await send('', body)).status).toBe(400)
    expect((await complete(token)).status).toBe(200)
  })

  it('never becomes an administrator by the template, at save or at use', async () => {
    const { body: group } = await service.client('POST', '/api/2/groups', {
      bearer: admin.bearer,
      body: { name: randomUUID(), permissions: ['users:manage'] },
    })
    for (const fields of [{ permissions: ['users:manage'] }, { groups: [group.id] }]) {
      const user_template = await addTemplate(fields)
      const answer = await putPolicy({ mode: 'open', user_template })
      expect([answer.status, answer.body.errors[0].field]).toEqual([400, 'user_template'])
    }
    const user_template = await addTemplate({ permissions: ['projects:view'] })
    await setPolicy({ mode: 'open', user_template })
    const { token, email } = await getLink()
    const body = { permissions: ['users:manage'] }
    const path = `/api/2/user-templates/${user_template}`
    expect((await service.client('PATCH', path, { bearer: admin.bearer, body })).status).toBe(200)
    expect((await complete(token)).status).toBe(403)
    expect(await findUserIdByEmail(service.services.table, email)).toBeUndefined()
    await setPolicy({ mode: 'open' })
    expect((await complete(token)).status).toBe(200)
    const id = (await findUserIdByEmail(service.services.table, email)) ?? 0
    expect((await findUser(service.services.table, id))?.permissions).toEqual([])
  })

  it('cannot approve their own account with permissions that they lack', async () => {
    const user_template = await addTemplate({ permissions: ['projects:view'] })
    await setPolicy({ mode: 'approval', user_template })
    const { token, email } = await getLink()
    await complete(token)
    const { body } = await service.client('GET', requestsPath, { bearer: manager.bearer })
    const { id } = body.find((request: { email: string }) => request.email === email)
    const path = `${requestsPath}/${id}/approve`
    expect((await service.client('POST', path, { bearer: manager.bearer })).status).toBe(403)
    expect((await service.client('POST', path, { bearer: admin.bearer })).status).toBe(200)
  })

  it('gains nothing from a link that was reported as leaked', async () => {
    const { token } = await getLink()
    await service.client('POST', '/api/2/auth/leaked', { body: { token } })
    expect((await complete(token)).body.code).toBe('invalid_token')
  })
})
