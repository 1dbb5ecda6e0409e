import { randomUUID } from 'node:crypto'
import { describe, expect, it, vi } from 'vitest'
import { findUser } from '../../lib/accounts/users/find-users.records.ts'
import { parseCredential } from '../../lib/kernel/secrets/credentials.ts'
import { addLink, redeem } from '../support/links.ts'
import { mailLink, newAddress } from '../support/mailed-links.ts'
import { addPerson, addSignedIn, callAs, type SignedInPerson } from '../support/people.ts'
import { useService } from '../support/use-service.ts'
import { waitFor } from '../support/wait-for.ts'

const service = await useService({
  RATE_LIMITS: 'emailConfirmationsPerAccount=3/600, emailConfirmationsPerRecipient=6/600',
})
const admin = await addSignedIn(service, { permissions: ['system:admin-access'] })

/** Manages users but is no administrator. */
const manager = await addSignedIn(service, { permissions: ['users:manage', 'users:view', 'media:access'] })

const call = callAs(service, manager)
const createAccount = (email: string, by = manager) =>
  call('POST', '/api/2/users', { username: randomUUID(), email, permissions: [], groups: [] }, by)
/** Lets users claim an address, as identity providers do for their users. */
const addClaims = async (email: string, count: number): Promise<readonly SignedInPerson[]> => {
  const claimants = []
  for (let at = 0; at < count; at++) {
    const claimant = await addSignedIn(service, { email, emailVerified: false, isEmailFromProvider: true })
    await call('POST', `/api/2/users/${claimant.user.id}/email/confirmation`)
    claimants.push(claimant)
  }
  return claimants
}
const confirm = (token: string, { bearer }: { readonly bearer?: string } = {}) =>
  service.client('POST', '/api/2/auth/confirm-email', {
    body: { token },
    ...(bearer === undefined ? {} : { bearer }),
  })
const tokensTo = (address: string): readonly string[] =>
  service.mailbox
    .mailsTo(address)
    .filter(({ text }) => text.includes('/confirm#token='))
    .map(({ text }) => /#token=(\S+)/.exec(text)?.[1] ?? '')
const awaitToken = (address: string, count = 1): Promise<string> =>
  waitFor(() => {
    const tokens = tokensTo(address)
    expect(tokens).toHaveLength(count)
    return tokens.at(-1) ?? ''
  })
const stateOf = async (id: number) => (await call('GET', `/api/2/users/${id}`, undefined, admin)).body

describe('an address that a manager sets', () => {
  it('is shown as unverified, gets a confirmation, and then counts as verified', async () => {
    const email = newAddress()
    const created = await createAccount(email)
    expect(created.status).toBe(201)
    expect(created.body).toMatchObject({ email, email_verified: false })
    const token = await awaitToken(email)
    expect((await confirm(token)).status).toBe(204)
    expect(await stateOf(created.body.id)).toMatchObject({ email, email_verified: true })
    expect((await confirm(token)).status).toBe(400)
  })

  it('gets no reset link, no link of others, and no security notice', async () => {
    const email = newAddress()
    const victims = await addLink(service, admin.bearer, { email })
    const created = await createAccount(email)
    const { id, username } = created.body
    await awaitToken(email)
    for (const body of [{ email }, { username }])
      await service.client('POST', '/api/2/auth/reset-password/request', { body })
    expect((await call('POST', `/api/2/users/${id}/password/reset`)).status).toBe(409)
    const set = await call('POST', `/api/2/users/${id}/password`, { password: 'a password by a manager' })
    expect(set.status).toBe(204)
    const signedIn = await service.client('POST', '/api/2/auth/login', {
      body: { username, password: 'a password by a manager' },
    })
    expect(signedIn.status).toBe(200)
    const bearer = signedIn.body.session_key
    const next = await addLink(service, admin.bearer, { email })
    for (const link of [victims, next]) {
      expect(link.user.id).not.toBe(id)
      expect((await redeem(service, link.token, { bearer })).body.user.id).toBe(link.user.id)
    }
    const direct = await addLink(service, manager.bearer, { user: id })
    expect((await mailLink(service, manager, direct.id)).status).toBe(400)
    await createAccount(newAddress(), admin)
    expect(service.mailbox.mailsTo(email)).toHaveLength(1)
  })

  it('takes the links of a guest only when it is confirmed', async () => {
    const email = newAddress()
    const link = await addLink(service, admin.bearer, { email })
    const created = await createAccount(email)
    expect((await redeem(service, link.token)).status).toBe(200)
    expect((await confirm(await awaitToken(email))).status).toBe(204)
    expect((await redeem(service, link.token)).status).toBe(401)
    const next = await addLink(service, admin.bearer, { email })
    expect(next.user.id).toBe(created.body.id)
  })

  it('reserves nothing: an administrator gives it to another user, and the claim ends', async () => {
    const email = newAddress()
    const [claim] = await addClaims(email, 1)
    const created = await createAccount(email)
    expect(created.status).toBe(201)
    const found = await call('GET', `/api/2/users?email=${email}`)
    expect(found.body).toHaveLength(2)
    const token = await awaitToken(email, 2)
    const owner = await createAccount(email, admin)
    expect(owner.body).toMatchObject({ email, email_verified: true })
    for (const id of [claim?.user.id, created.body.id]) expect((await stateOf(id)).email).toBeNull()
    expect((await confirm(token)).status).toBe(400)
    expect((await createAccount(email)).status).toBe(409)
    expect((await call('GET', `/api/2/users?email=${email}`)).body).toHaveLength(1)
  })

  it('belongs to one of five users who confirm it at once', async () => {
    const email = newAddress()
    const claimants = await addClaims(email, 5)
    await awaitToken(email, 5)
    const stored = await Promise.all(claimants.map(({ user }) => findUser(service.services.table, user.id)))
    const holderOf = (token: string) =>
      claimants[stored.findIndex((user) => user?.emailConfirmation?.hash === parseCredential(token)?.hash)]
    const answers = await Promise.all(tokensTo(email).map((token) => confirm(token, holderOf(token))))
    expect(answers.filter(({ status }) => status === 204)).toHaveLength(1)
    const states = await Promise.all(claimants.map(({ user }) => stateOf(user.id)))
    expect(states.filter(({ email_verified }) => email_verified)).toHaveLength(1)
  })

  it('cannot be verified by a body, by sending it again, or by an edit of an administrator elsewhere', async () => {
    const email = newAddress()
    const created = await call('POST', '/api/2/users', {
      username: randomUUID(),
      email,
      email_verified: true,
      permissions: [],
      groups: [],
    })
    expect(created.body.email_verified).toBe(false)
    const path = `/api/2/users/${created.body.id}`
    const { body } = await call('GET', path)
    for (const by of [manager, admin])
      for (const [method, change] of [
        ['PATCH', { email, email_verified: true, full_name: 'Ada' }],
        ['PUT', { ...body, full_name: 'Grace' }],
      ] as const)
        expect((await call(method, path, change, by)).body).toMatchObject({ email, email_verified: false })
  })
})

it('keeps managers from setting an address that another account waits to confirm', async () => {
  const email = newAddress()
  await createAccount(email)
  expect((await createAccount(email)).status).toBe(409)
  const { body } = await createAccount(newAddress())
  expect((await call('PATCH', `/api/2/users/${body.id}`, { email })).status).toBe(409)
})

describe('a confirmation link', () => {
  it('ends with any later change of the address, and with a newer link', async () => {
    const [first, second] = [newAddress(), newAddress()]
    const { body } = await createAccount(first)
    const older = await awaitToken(first)
    expect((await call('POST', `/api/2/users/${body.id}/email/confirmation`)).status).toBe(204)
    await awaitToken(first, 2)
    expect((await confirm(older)).status).toBe(400)
    const [, newer = ''] = tokensTo(first)
    await call('PATCH', `/api/2/users/${body.id}`, { email: second })
    await awaitToken(second)
    expect((await confirm(newer)).status).toBe(400)
    await call('PATCH', `/api/2/users/${body.id}`, { email: first })
    expect((await confirm(newer)).status).toBe(400)
    expect((await confirm(tokensTo(second)[0] ?? '')).status).toBe(400)
  })

  it('does not work for a disabled account, after its time, or as another credential', async () => {
    const email = newAddress()
    const { body } = await createAccount(email)
    const token = await awaitToken(email)
    expect((await service.client('GET', '/api/2/users/me', { bearer: token })).status).toBe(401)
    const reset = { token, password: 'a password of a thief' }
    expect((await service.client('POST', '/api/2/auth/reset-password', { body: reset })).status).toBe(400)
    await call('PATCH', `/api/2/users/${body.id}`, { is_enabled: false })
    expect((await confirm(token)).status).toBe(400)
    await call('PATCH', `/api/2/users/${body.id}`, { is_enabled: true })
    vi.setSystemTime(Date.now() + 7 * 24 * 3600_000)
    expect((await confirm(token)).status).toBe(400)
    vi.useRealTimers()
    for (const wrong of [token.slice(0, -1), `${token}x`, 'lkc_', manager.bearer])
      expect((await confirm(wrong)).status).toBe(400)
  })

  it('is sent again for the user and for managers only, and not without limit', async () => {
    const email = newAddress()
    const { body } = await createAccount(email)
    const path = `/api/2/users/${body.id}/email/confirmation`
    const stranger = await addSignedIn(service)
    expect((await call('POST', path, undefined, stranger)).status).toBe(404)
    expect((await call('POST', `/api/2/users/${stranger.user.id}/email/confirmation`)).status).toBe(409)
    const statuses = []
    for (let at = 0; at < 4; at++) statuses.push((await call('POST', path)).status)
    expect(statuses).toEqual([204, 204, 204, 429])
  })

  it('reaches one address a few times, however many accounts claim it', async () => {
    const email = newAddress()
    await addClaims(email, 8)
    await awaitToken(email, 6)
    const other = newAddress()
    await createAccount(other)
    await awaitToken(other)
    expect(tokensTo(email)).toHaveLength(6)
  })
})

describe('users who change their own address', () => {
  const change = (email: string, { bearer }: { bearer: string }) =>
    service.client('POST', '/api/2/users/me/email', { bearer, body: { email } })

  it('keep the old one until the new one is confirmed, and the old one gets a notice', async () => {
    const [old, next] = [newAddress(), newAddress()]
    const person = await addSignedIn(service, { email: old })
    expect((await change(next, person)).status).toBe(204)
    const me = () => call('GET', '/api/2/users/me', undefined, person)
    expect((await me()).body).toMatchObject({ email: old, email_verified: true, pending_email: next })
    const toNext = await addLink(service, admin.bearer, { email: next })
    expect(toNext.user.id).not.toBe(person.user.id)
    expect((await confirm(await awaitToken(next), person)).status).toBe(204)
    expect((await me()).body).toMatchObject({ email: next, email_verified: true, pending_email: null })
    await waitFor(() =>
      expect(service.mailbox.mailsTo(old).map(({ subject }) => subject)).toContain(
        'Your email address was changed – Latchkey',
      ),
    )
    expect((await redeem(service, toNext.token, { bearer: person.bearer })).status).toBe(200)
  })

  it('lose a request of a thief with a new password, also if it was emailed before', async () => {
    const [old, thiefs] = [newAddress(), newAddress()]
    const person = await addSignedIn(service, { email: old })
    await change(thiefs, person)
    const token = await awaitToken(thiefs)
    const path = `/api/2/users/${person.user.id}/password`
    expect((await call('POST', path, { password: 'a password of the owner' }, admin)).status).toBe(204)
    expect((await confirm(token, person)).status).toBe(400)
    expect(await stateOf(person.user.id)).toMatchObject({ email: old, email_verified: true })
  })

  it('get no address of another account, and cannot see that it has one', async () => {
    const taken = newAddress()
    await addPerson(service, { email: taken })
    const old = newAddress()
    const person = await addSignedIn(service, { email: old })
    const answers = [await change(taken, person), await change(newAddress(), await addSignedIn(service))]
    expect(answers.map(({ status, text }) => [status, text])).toEqual([
      [204, ''],
      [204, ''],
    ])
    const answer = await confirm(await awaitToken(taken), person)
    expect(answer.status).toBe(409)
    expect((await findUser(service.services.table, person.user.id))?.email).toBe(old)
  })

  it('cannot do so through an API token, while impersonated, or without recent authentication', async () => {
    const person = await addSignedIn(service, { email: newAddress() })
    const made = await call('POST', '/api/2/api-tokens', { name: 'script' }, person)
    expect((await change(newAddress(), { bearer: made.body.token })).status).toBe(403)
    const impersonator = await addSignedIn(service, { permissions: ['system:admin-access'] })
    await call('POST', '/api/2/auth/impersonation', { user: person.user.id }, impersonator)
    expect((await change(newAddress(), impersonator)).status).toBe(403)
    vi.setSystemTime(Date.now() + 20 * 60_000)
    const late = await change(newAddress(), person)
    vi.useRealTimers()
    expect([late.status, late.body.reason]).toEqual([403, 'reauthentication_required'])
  })
})
