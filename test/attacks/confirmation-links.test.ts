import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { describeClaimant } from '../../lib/accounts/names/email-confirmations.ts'
import { findUser } from '../../lib/accounts/users/find-users.records.ts'
import { editUser } from '../../lib/accounts/users/write-users.records.ts'
import { closeAfterTests } from '../support/close-after-tests.ts'
import { addLink, redeem } from '../support/links.ts'
import { listMailedTokens, readMailedToken } from '../support/mailed-page.ts'
import { startUpstream } from '../support/oidc-upstream.ts'
import { addPerson, addSignedIn, callAs, type SignedInPerson } from '../support/people.ts'
import { addPublicConnection, newGoogleAccount } from '../support/public-upstream.ts'
import { useService } from '../support/use-service.ts'
import { waitFor } from '../support/wait-for.ts'

/* Anyone can enter the address of somebody else in an account of their own. The link then goes to its owner, who may press its button. */

const service = await useService({
  ALLOW_PRIVATE_METADATA: 'true',
  RATE_LIMITS:
    'signUpsPerAddress=100000/60,emailConfirmationsPerAccount=500/600,emailConfirmationsPerRecipient=500/600',
})
const admin = await addSignedIn(service, { permissions: ['system:admin-access'] })
const manager = await addSignedIn(service, { permissions: ['users:manage', 'users:view'] })
const call = callAs(service, admin)

const newAddress = () => `${randomUUID()}@victim.example`
const send = (path: string, token: string, bearer?: string) =>
  service.client('POST', `/api/2/auth/confirm-email${path}`, {
    body: { token },
    ...(bearer === undefined ? {} : { bearer }),
  })
const look = (token: string, bearer?: string) => send('/link', token, bearer)
const confirm = (token: string, bearer?: string) => send('', token, bearer)
const reject = (token: string, bearer?: string) => send('/reject', token, bearer)
const readStored = async (id: number) => {
  const user = await findUser(service.services.table, id)
  if (!user) throw new Error(`there is no user ${id}`)
  return user
}
const enter = async ({ bearer }: Pick<SignedInPerson, 'bearer'>, email: string) => {
  const { status, text } = await service.client('POST', '/api/2/users/me/email', { bearer, body: { email } })
  expect(status, text).toBe(204)
}
const awaitToken = (email: string, count = 1): Promise<string> =>
  waitFor(() => {
    const tokens = listMailedTokens(service, email, 'confirm')
    expect(tokens).toHaveLength(count)
    return tokens.at(-1) ?? ''
  })
/** A person who entered an address of somebody else, and the token that its owner gets. */
const addClaim = async (email = newAddress(), fields: object = {}) => {
  const claimant = await addSignedIn(service, fields)
  await enter(claimant, email)
  return { claimant, email, token: await readMailedToken(service, email, 'confirm') }
}
const readEvents = async (id: number, event: string) =>
  (await call('GET', `auth/audit-events?event=${event}&user=${id}`)).body

describe('a link for an account with a way to sign in', () => {
  it('gives a stranger nothing when the owner of the mailbox presses its button', async () => {
    const { claimant, token } = await addClaim()
    const answer = await confirm(token)
    expect([answer.status, answer.body.reason]).toEqual([403, 'sign_in_required'])
    expect(await readStored(claimant.user.id)).toMatchObject({ email: null })
    // Nothing was used up.
    expect((await confirm(token, claimant.bearer)).status).toBe(204)
    expect((await readStored(claimant.user.id)).email).not.toBeNull()
  })

  it('gives a stranger who came by a public provider nothing', async () => {
    const upstream = closeAfterTests(await startUpstream())
    const google = await addPublicConnection(service, admin.bearer, upstream, { first_sign_in: 'create' })
    const email = newAddress()
    const { user } = await google.signIn(newGoogleAccount({ email, hd: undefined }))
    const token = await readMailedToken(service, email, 'confirm')
    expect((await confirm(token)).body.reason).toBe('sign_in_required')
    expect(await readStored(user ?? 0)).toMatchObject({ email: null })
    const owner = await addSignedIn(service, { email })
    expect((await confirm(token, owner.bearer)).body.reason).toBe('other_account')
    expect((await reject(token)).status).toBe(204)
    expect(await readStored(user ?? 0)).toMatchObject({ email: null })
  })

  it('does not count for another person who is signed in, and shows who is', async () => {
    const { claimant, email, token } = await addClaim()
    const owner = await addSignedIn(service)
    expect((await look(token, owner.bearer)).body).toEqual({
      ...{ email, account: claimant.user.username },
      ...{ needs: 'other_account', signed_in_as: owner.user.username },
    })
    const answer = await confirm(token, owner.bearer)
    expect([answer.status, answer.body.reason]).toEqual([403, 'other_account'])
    expect(await readStored(claimant.user.id)).toMatchObject({ email: null })
  })

  it('does not count for an administrator who impersonates its user, or anybody else', async () => {
    const { claimant, token } = await addClaim()
    for (const id of [claimant.user.id, (await addPerson(service)).user.id]) {
      const impersonator = await addSignedIn(service, { permissions: ['system:admin-access'] })
      await call('POST', 'auth/impersonation', { user: id }, impersonator)
      expect((await look(token, impersonator.bearer)).body.needs).toBe('end_impersonation')
      const answer = await confirm(token, impersonator.bearer)
      expect([answer.status, answer.body.reason]).toEqual([403, undefined])
    }
    expect(await readStored(claimant.user.id)).toMatchObject({ email: null })
  })

  it('does not count for an API token, an access link, or an ended session of its user', async () => {
    const email = newAddress()
    const claimant = await addSignedIn(service, { email, emailVerified: false })
    const path = `users/${claimant.user.id}/email/confirmation`
    expect((await call('POST', path, undefined, claimant)).status).toBe(204)
    const token = await awaitToken(email)
    const made = await call('POST', 'api-tokens', { name: 'script' }, claimant)
    const link = await addLink(service, admin.bearer, { user: claimant.user.id })
    const opened = (await redeem(service, link.token)).body.session_key
    const other = await addSignedIn(service)
    await call('POST', 'auth/logout', undefined, other)
    for (const bearer of [made.body.token, opened, other.bearer, 'lks_x'])
      expect((await confirm(token, bearer)).body.reason, bearer).toBe('sign_in_required')
    expect((await readStored(claimant.user.id)).emailVerified).toBe(false)
  })

  it('does not count for a cookie that another site sends along', async () => {
    const { claimant, token } = await addClaim()
    const answer = await service.client('POST', '/api/2/auth/confirm-email', {
      body: { token },
      headers: { cookie: `latchkey=${claimant.bearer}`, 'sec-fetch-site': 'cross-site' },
    })
    expect(answer.status).toBe(403)
    expect(await readStored(claimant.user.id)).toMatchObject({ email: null })
  })

  it('needs a session for each way to sign in that the account has', async () => {
    const email = newAddress
    const made = await Promise.all([
      addPerson(service, { email: email(), emailVerified: false }),
      addPerson(service, {
        ...{ email: email(), emailVerified: false, passwordHash: null },
        legacySignIn: { username: 'ada', email: null },
      }),
      addPerson(service, {
        ...{ email: email(), emailVerified: false, passwordHash: null },
        passkeys: { userHandle: randomUUID(), count: 1, isSecondFactor: false },
      }),
      addPerson(service, {
        ...{ email: email(), emailVerified: false, passwordHash: null },
        isEmailFromProvider: true,
      }),
    ])
    for (const { user } of made) {
      await call('POST', `users/${user.id}/email/confirmation`)
      const token = await readMailedToken(service, user.email, 'confirm')
      expect((await look(token)).body.needs).toBe('sign_in')
      expect((await confirm(token)).body.reason).toBe('sign_in_required')
    }
  })

  it('does not count for an account that lost its password after its user entered the address', async () => {
    const { claimant, token } = await addClaim()
    await editUser(service.services.table, await readStored(claimant.user.id), { passwordHash: null })
    expect((await confirm(token)).body.reason).toBe('sign_in_required')
  })
})

describe('a link for an account that nobody can sign in to', () => {
  const createAccount = async (email = newAddress()) => {
    const fields = { username: randomUUID(), email, permissions: [], groups: [] }
    const { body } = await call('POST', 'users', fields, manager)
    return { id: body.id as number, email, token: await readMailedToken(service, email, 'confirm') }
  }

  it('counts alone, once, if somebody who may entered the address', async () => {
    const { id, token, email } = await createAccount()
    expect((await look(token)).body).toMatchObject({ email, needs: 'nothing', signed_in_as: null })
    const answers = await Promise.all(Array.from({ length: 8 }, () => confirm(token)))
    expect(answers.filter(({ status }) => status === 204)).toHaveLength(1)
    expect(answers.filter(({ body }) => body?.code === 'invalid_token')).toHaveLength(7)
    expect((await readStored(id)).emailVerified).toBeUndefined()
    expect(await readEvents(id, 'email.confirmed')).toHaveLength(1)
  })

  it('needs a session as soon as there is a way to sign in', async () => {
    const { id, token } = await createAccount()
    await call('POST', `users/${id}/password`, { password: 'a password by an administrator' })
    expect((await confirm(token)).body.reason).toBe('sign_in_required')
    expect((await readStored(id)).emailVerified).toBe(false)
  })
})

describe('"This is not my account"', () => {
  it('ends the claim and the link without a session, and says so in the audit log', async () => {
    const { claimant, token, email } = await addClaim(undefined, { email: newAddress() })
    expect((await reject(token)).status).toBe(204)
    const stored = await readStored(claimant.user.id)
    expect([stored.email, stored.pendingEmail, stored.emailConfirmation]).toEqual([
      claimant.user.email,
      undefined,
      undefined,
    ])
    const [event, ...others] = await readEvents(claimant.user.id, 'email.claim_ended')
    expect(others).toEqual([])
    expect([event.actor, event.target]).toEqual([null, 'not_mine'])
    for (const again of [confirm(token, claimant.bearer), reject(token), look(token)])
      expect((await again).body.code).toBe('invalid_token')
    expect((await call('GET', 'users/me', undefined, claimant)).body).toMatchObject({ pending_email: null })
    expect(listMailedTokens(service, email, 'confirm')).toHaveLength(1)
  })

  it('takes the address of an account that only claims it', async () => {
    const email = newAddress()
    const { user } = await addPerson(service, { email, emailVerified: false })
    await call('POST', `users/${user.id}/email/confirmation`)
    expect((await reject(await awaitToken(email))).status).toBe(204)
    const { email: left, normalizedEmail, emailVerified } = await readStored(user.id)
    expect([left, normalizedEmail, emailVerified]).toEqual([null, null, undefined])
    expect((await call('GET', `users?email=${email}`)).body).toEqual([])
  })

  it('and a confirmation at the same time have one winner', async () => {
    for (let round = 0; round < 5; round++) {
      const { claimant, email, token } = await addClaim()
      const answers = await Promise.all([
        ...Array.from({ length: 5 }, () => confirm(token, claimant.bearer)),
        ...Array.from({ length: 5 }, () => reject(token)),
      ])
      expect(answers.filter(({ status }) => status === 204)).toHaveLength(1)
      const isConfirmed = answers.slice(0, 5).some(({ status }) => status === 204)
      expect((await readStored(claimant.user.id)).email).toBe(isConfirmed ? email : null)
      const ended = await readEvents(claimant.user.id, 'email.claim_ended')
      expect(ended).toHaveLength(isConfirmed ? 0 : 1)
    }
  })

  it('takes no verified address, and nothing with another credential', async () => {
    const person = await addSignedIn(service, { email: newAddress() })
    const { token } = await addClaim()
    for (const wrong of [person.bearer, token.slice(0, -1), `${token}x`, '', 'lkc_', '__proto__'])
      expect((await reject(wrong)).status).toBe(400)
    for (const method of ['GET', 'HEAD'])
      for (const path of [
        '/confirm',
        `/confirm?token=${token}`,
        '/api/2/auth/confirm-email/reject',
        '/api/2/auth/confirm-email',
      ])
        await service.client(method, path)
    expect((await look(token)).status).toBe(200)
    expect((await readStored(person.user.id)).email).toBe(person.user.email)
  })
})

describe('a stale link', () => {
  it('ends with another address, a disabled and a deleted account', async () => {
    const { claimant, token } = await addClaim()
    await enter(claimant, newAddress())
    for (const answer of [look(token), confirm(token, claimant.bearer), reject(token)])
      expect((await answer).body.code).toBe('invalid_token')
    const other = await addClaim()
    await call('PATCH', `users/${other.claimant.user.id}`, { is_enabled: false })
    for (const answer of [
      look(other.token),
      confirm(other.token, other.claimant.bearer),
      reject(other.token),
    ])
      expect((await answer).body.code).toBe('invalid_token')
    const third = await addClaim()
    expect((await call('DELETE', `users/${third.claimant.user.id}`)).status).toBeLessThan(300)
    for (const answer of [look(third.token), confirm(third.token), reject(third.token)])
      expect((await answer).body.code).toBe('invalid_token')
  })

  it('of one account neither confirms nor ends the claim of another', async () => {
    const email = newAddress()
    const first = await addClaim(email)
    const second = await addSignedIn(service)
    await enter(second, email)
    const token = await awaitToken(email, 2)
    expect((await confirm(first.token, second.bearer)).body.reason).toBe('other_account')
    expect((await confirm(token, first.claimant.bearer)).body.reason).toBe('other_account')
    const answers = await Promise.all([
      confirm(first.token, first.claimant.bearer),
      confirm(token, second.bearer),
    ])
    expect(answers.map(({ status }) => status).sort()).toEqual([204, 409])
    expect((await reject(first.token)).status + (await reject(token)).status).toBe(204 + 400)
  })
})

it('names an account after an address in part, so that a mistyped address gives away none', async () => {
  const address = newAddress()
  const { token, email } = await addClaim(undefined, { username: address, email: address })
  const { body } = await look(token)
  expect(body.account).toBe(`${address[0]}…@victim.example`)
  const [mail] = service.mailbox.mailsTo(email)
  expect(mail?.text).toContain(`“${address[0]}…@victim.example”`)
  expect(JSON.stringify([mail, body])).not.toContain(address)
})

it('shows a name with another form of @ in part', () => {
  expect(describeClaimant({ username: 'ada\uff20victim.example' })).toBe('a…@victim.example')
})

it('a browser that is signed in to the account confirms by its cookie', async () => {
  const { claimant, email, token } = await addClaim()
  const answer = await service.client('POST', '/api/2/auth/confirm-email', {
    body: { token },
    headers: { cookie: `latchkey=${claimant.bearer}`, 'sec-fetch-site': 'same-origin' },
  })
  expect(answer.status).toBe(204)
  expect((await readStored(claimant.user.id)).email).toBe(email)
})
