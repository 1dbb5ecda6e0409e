import { randomBytes, randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { findConfirmation, mintConfirmation } from '../../lib/accounts/names/email-confirmations.ts'
import { findUser } from '../../lib/accounts/users/find-users.records.ts'
import { editUser } from '../../lib/accounts/users/write-users.records.ts'
import { findSecurityReportAndUser } from '../../lib/features/leaked-credentials/reports.records.ts'
import { mintSecurityReport } from '../../lib/features/mail/write-reset.ts'
import { authenticateClient } from '../../lib/features/oauth/authenticate-client.ts'
import { mintResetToken } from '../../lib/features/passwords/reset-tokens.ts'
import { createScimToken } from '../../lib/features/scim/tokens.records.ts'
import { findSecondFactorTokenAndUser } from '../../lib/features/second-factor/tokens.records.ts'
import { mintSecondFactorToken } from '../../lib/features/second-factor/tokens.ts'
import { mintCredential, parseCredential } from '../../lib/kernel/secrets/credentials.ts'
import { credentialPrefixes } from '../../lib/kernel/util/credential-prefixes.ts'
import { loopback, postFrom } from '../support/addressed-client.ts'
import { enableSecondFactor } from '../support/authenticator.ts'
import { flipBit } from '../support/flip-bit.ts'
import { findInvitation, storeInvitation } from '../support/invitations.ts'
import { addLink, lookUp, redeem, statusesOf } from '../support/links.ts'
import { addStoredClient } from '../support/oidc-clients.ts'
import { addPerson, addSignedIn, type SignedInPerson } from '../support/people.ts'
import { openRememberingBrowser } from '../support/remembered-devices.ts'
import { scimSettings, storeConnection } from '../support/scim.ts'
import { storeSignInPolicy } from '../support/sign-in-policy.ts'
import { useService } from '../support/use-service.ts'
import { waitFor } from '../support/wait-for.ts'

/* Anyone may report a credential that they found. They could also have used it. */

const subject = 'A credential of yours was leaked – Latchkey'
const service = await useService({ RATE_LIMITS: 'leakReports=150/60' })
const admin = await addSignedIn(service, { permissions: ['system:admin-access', 'media:access'] })

const report = (body: unknown) => service.client('POST', '/api/2/auth/leaked', { body })
const addOwner = () =>
  addSignedIn(service, { email: `${randomUUID()}@example.com`, permissions: ['media:access'] })
const send = (method: string, path: string, bearer: string, body?: object) =>
  service.client(method, `/api/2${path}`, { bearer, body })
const me = async (bearer: string) => (await send('GET', '/users/me', bearer)).status
const createTicket = async (bearer: string): Promise<string> =>
  (await send('POST', '/auth/ticket', bearer)).body.ticket
const checkTicket = async (ticket: string) =>
  (await service.client('POST', '/api/2/auth/ticket/check', { body: { ticket } })).status
const createToken = async (owner: SignedInPerson, fields: object = {}): Promise<string> =>
  (await send('POST', '/api-tokens', owner.bearer, { name: 'script', ...fields })).body.token
const leaksOf = async (owner: SignedInPerson): Promise<readonly string[]> => {
  const path = `/auth/audit-events?event=credential.leaked&user=${owner.user.id}`
  return (await send('GET', path, admin.bearer)).body.map(({ target }: { target: string }) => target)
}
const countMails = ({ user }: SignedInPerson) =>
  service.mailbox.mailsTo(user.email).filter((mail) => mail.subject === subject).length

interface Leak {
  readonly value: string
  readonly target: RegExp
  readonly works: () => Promise<boolean>
}

/**
 * How each kind of credential is created and used, apart from links to sign up, to set up and to join, which have no owner. `works` may use a one-time
 * credential.
 */
const kinds: Readonly<
  Record<
    Exclude<keyof typeof credentialPrefixes, 'sign_up' | 'saml_setup' | 'organization_invitation'> | 'custom',
    (owner: SignedInPerson) => Promise<Leak>
  >
> = {
  session: async ({ bearer }) => ({
    value: bearer,
    target: /^session:\d+$/,
    works: async () => (await me(bearer)) === 200,
  }),
  api_token: async (owner) => {
    const value = await createToken(owner)
    return { value, target: /^api_token:\d+$/, works: async () => (await me(value)) === 200 }
  },
  custom: async (owner) => {
    const value = await createToken(owner, { token: randomBytes(32).toString('base64url') })
    return { value, target: /^api_token:\d+$/, works: async () => (await me(value)) === 200 }
  },
  auth_ticket: async ({ bearer }) => {
    const value = await createTicket(bearer)
    return { value, target: /^auth_ticket$/, works: async () => (await checkTicket(value)) === 200 }
  },
  organization_token: async (owner) => {
    const slug = `leak-${owner.user.id}`
    const { body } = await send('POST', '/organizations', admin.bearer, { name: 'Leak', slug })
    await send('POST', `/organizations/${body.id}/members`, admin.bearer, {
      user: owner.user.id,
      roles: ['owner'],
    })
    const given = { name: 'import', permissions: ['org:members:view'] }
    const created = await send('POST', `/organizations/${body.id}/api-tokens`, owner.bearer, given)
    const value = created.body.token
    const works = async () => (await send('GET', '/organizations/current', value)).status === 200
    return { value, target: /^organization_token:\d+$/, works }
  },
  scim_token: async ({ user }) => {
    const connectionId = await storeConnection(service)
    const path = `auth/connections/${connectionId}/scim`
    await send('PUT', `/${path}`, admin.bearer, scimSettings)
    const { value, hash } = mintCredential('scim_token', connectionId)
    const { table } = service.services
    const token = { hash, connectionId, createdBy: user.id, createdAt: Date.now() }
    await createScimToken(table, token, { user, membership: undefined }, () => [])
    const works = async () =>
      (await service.client('GET', `/scim/v2/${connectionId}/Users`, { bearer: value })).status === 200
    return { value, target: /^scim_token:\d+$/, works }
  },
  reset_token: async ({ user }) => {
    const { value, steps } = mintResetToken(service.services, user)
    await service.services.table.transact(steps)
    const works = async () => (await send('POST', '/auth/generate-password', value)).status === 200
    return { value, target: /^reset_token$/, works }
  },
  access_token: async (owner) => {
    const { token } = await addLink(service, owner.bearer)
    const works = async () => (await lookUp(service, token)).status === 200
    return { value: token, target: /^access_token:\d+$/, works }
  },
  oidc_client_secret: async ({ user }) => {
    const { table } = service.services
    const { client, secret } = await addStoredClient(table, { createdBy: user.id })
    const proof = { authorizationHeader: undefined, clientId: client.clientId, clientSecret: secret }
    const context = { address: '192.0.2.7', userAgent: '', requestId: 'x', actor: null, at: Date.now() }
    const works = async () => (await authenticateClient(service.services, proof, context)) !== undefined
    return { value: secret, target: /^oidc_client_secret:\d+$/, works }
  },
  second_factor_token: async ({ user }) => {
    const context = { address: '192.0.2.7', userAgent: '', requestId: 'x', actor: null, at: Date.now() }
    const value = await mintSecondFactorToken(service.services, context, user, undefined)
    const { hash = '' } = parseCredential(value) ?? {}
    const works = async () =>
      (await findSecondFactorTokenAndUser(service.services.table, user.id, hash)).token !== undefined
    return { value, target: /^second_factor_token$/, works }
  },
  remembered_device: async (owner) => {
    await storeSignInPolicy(service, { remembered_device_days: 30 })
    const { authenticator } = await enableSecondFactor(service, owner)
    const browser = openRememberingBrowser(service)
    const otp = authenticator.code(1)
    expect((await browser.signIn(owner, { otp, remember_device: true })).status).toBe(200)
    const works = async () => (await browser.signIn(owner)).status === 200
    return { value: /lkd_\w+/.exec(browser.cookie)?.[0] ?? '', target: /^remembered_device:\d+$/, works }
  },
  invitation: async ({ user }) => {
    const value = await storeInvitation(service, user.id)
    const works = async () => (await findInvitation(service, value)).status === 200
    return { value, target: /^invitation$/, works }
  },
  email_confirmation: async ({ user }) => {
    const { table } = service.services
    const address = { email: 'new@example.com', normalizedEmail: 'new@example.com' }
    const stored = await findUser(table, user.id)
    if (!stored) throw new Error('the user was not found')
    const pendingEmail = { ...address, credentialEpoch: stored.credentialEpoch }
    const pending = await editUser(table, stored, { pendingEmail })
    const { value, step } = mintConfirmation(service.services, pending, address)
    await table.transact([step])
    const works = async () => (await findConfirmation(service.services, value)) !== undefined
    return { value, target: /^email_confirmation$/, works }
  },
  security_report: async ({ user }) => {
    const email = user.email ?? ''
    const change = { change: 'new_device', changedAt: Date.now(), email, normalizedEmail: email } as const
    const { value, step } = mintSecurityReport(service.services, { ...change, userId: user.id })
    await service.services.table.transact([step])
    const { hash = '' } = parseCredential(value) ?? {}
    const works = async () =>
      (await findSecurityReportAndUser(service.services.table, user.id, hash)).report !== undefined
    return { value, target: /^security_report$/, works }
  },
}

describe('a leaked credential', () => {
  it.each(Object.entries(kinds))('of kind %s works until it is reported', async (_, create) => {
    expect(await (await create(await addOwner())).works()).toBe(true)
  })

  it.each(Object.entries(kinds))(
    'of kind %s is ended once by parallel and repeated reports, and its owner informed once',
    async (_, create) => {
      const owner = await addOwner()
      const { value, target, works } = await create(owner)
      const answers = await Promise.all(Array.from({ length: 5 }, () => report({ token: value })))
      answers.push(await report({ token: value }))
      expect(statusesOf(answers)).toEqual({ 204: 6 })
      expect(await works()).toBe(false)
      expect(await leaksOf(owner)).toEqual([expect.stringMatching(target)])
      await waitFor(() => expect(countMails(owner)).toBe(1))
    },
  )

  it('takes along what depends on it, and nothing else of its owner', async () => {
    const owner = await addOwner()
    const [ticket, apiToken] = [await createTicket(owner.bearer), await createToken(owner)]
    const tokenTicket = await createTicket(apiToken)
    await report({ token: owner.bearer })
    expect(await checkTicket(ticket)).toBe(404)
    expect(await me(apiToken)).toBe(200)
    await report({ token: apiToken })
    expect(await checkTicket(tokenTicket)).toBe(404)
  })

  it('of an impersonation ends the session for both users', async () => {
    const impersonator = await addSignedIn(service, { permissions: ['system:admin-access'] })
    const other = await addPerson(service)
    await send('POST', '/auth/impersonation', impersonator.bearer, { user: other.user.id })
    const ticket = await createTicket(impersonator.bearer)
    await report({ token: impersonator.bearer })
    expect(await me(impersonator.bearer)).toBe(401)
    expect(await checkTicket(ticket)).toBe(404)
    expect(await leaksOf(impersonator)).toHaveLength(1)
  })

  it('of a link ends the sessions of its guests', async () => {
    const { token } = await addLink(service, admin.bearer)
    const guest = (await redeem(service, token)).body.session_key
    expect(await me(guest)).toBe(200)
    await report({ token })
    expect(await me(guest)).toBe(401)
  })

  it('does not come back when its disabled owner is enabled again', async () => {
    const owner = await addOwner()
    const setEnabled = (is_enabled: boolean) =>
      send('PATCH', `/users/${owner.user.id}`, admin.bearer, { is_enabled })
    const apiToken = await createToken(owner)
    await setEnabled(false)
    await report({ credentials: [owner.bearer, apiToken] })
    await setEnabled(true)
    expect([await me(owner.bearer), await me(apiToken)]).toEqual([401, 401])
  })

  it('is not ended by values that only name its owner', async () => {
    const owner = await addOwner()
    const values = [
      ...(Object.keys(credentialPrefixes) as (keyof typeof credentialPrefixes)[]).map(
        (kind) => mintCredential(kind, owner.user.id).value,
      ),
      flipBit(owner.bearer, -1),
      owner.bearer.slice(4),
      ` ${owner.bearer}`,
      owner.bearer.replace('lks_', 'lkp_'),
      owner.user.username,
      owner.password,
    ]
    expect((await report({ credentials: values })).status).toBe(204)
    expect(await me(owner.bearer)).toBe(200)
    expect(await leaksOf(owner)).toEqual([])
  })
})

describe('a report', () => {
  it('gets the same response for known, unknown, used and malformed values', async () => {
    const owner = await addOwner()
    const used = await createTicket(owner.bearer)
    await checkTicket(used)
    const values = [
      owner.bearer,
      owner.bearer,
      used,
      mintCredential('session', owner.user.id).value,
      mintCredential('api_token', 2 ** 31 - 1).value,
      randomBytes(32).toString('base64url'),
      '',
      'x',
      '\u0000',
      'x'.repeat(30_000),
      '__proto__',
    ]
    for (const token of values) {
      const { status, text, headers } = await report({ token })
      expect({ status, text, type: headers.get('content-type') }).toEqual({
        status: 204,
        text: '',
        type: null,
      })
    }
    expect(await leaksOf(owner)).toHaveLength(1)
    expect(await me(owner.bearer)).toBe(401)
  })

  it('may list credentials in the format of GitHub, with fields of later versions', async () => {
    const owner = await addOwner()
    const apiToken = await createToken(owner)
    const findings = [owner.bearer, apiToken, 'no credential', apiToken].map((token) => ({
      token,
      type: 'latchkey',
      url: 'https://github.com/octocat/hello/blob/main/.env',
      source: 'content',
      other: 1,
    }))
    expect((await report(findings)).status).toBe(204)
    expect([await me(owner.bearer), await me(apiToken)]).toEqual([401, 401])
    expect(await leaksOf(owner)).toHaveLength(2)
    // The URL is a text of the caller, so it must not reach the owner.
    await waitFor(() => expect(countMails(owner)).toBe(2))
    expect((await service.mailbox.mailTo(owner.user.email)).text).not.toContain('github.com')
  })

  it.each([
    {},
    [],
    null,
    'lks_x',
    { token: 7 },
    { token: null },
    { credentials: [] },
    { credentials: ['x', 7] },
    { credentials: Array(101).fill('x') },
    Array(101).fill({ token: 'x' }),
    [{ type: 'x' }],
    { token: 'x', user: 1 },
  ])('is rejected as %j', async (body) => {
    expect((await report(body)).status).toBe(400)
  })

  it('can be sent 150 times a minute from one address, and ends credentials from others', async () => {
    const url = `${service.url}/api/2/auth/leaked`
    const statuses: number[] = []
    while (statuses.length < 160) {
      const sent = Array.from({ length: 40 }, () => postFrom(loopback(7), url, { token: 'x' }))
      statuses.push(...(await Promise.all(sent)).map(({ status }) => status))
    }
    expect(statuses.filter((status) => status === 204)).toHaveLength(150)
    expect(statuses.filter((status) => status === 429)).toHaveLength(10)
    const owner = await addOwner()
    expect((await postFrom(loopback(8), url, { token: owner.bearer })).status).toBe(204)
    expect(await me(owner.bearer)).toBe(401)
  })
})

it('a link to set up a connection has ended after a report, for whom there is no owner', async () => {
  const created = await send('POST', '/auth/saml-setups', admin.bearer, { name: 'Leaked Company' })
  const token = new URLSearchParams(new URL(created.body.url).hash.slice(1)).get('token') ?? ''
  const find = () => service.client('POST', '/api/2/auth/saml-setup', { body: { token } })
  expect((await find()).status).toBe(200)
  const answers = await Promise.all(Array.from({ length: 5 }, () => report({ credentials: [token] })))
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([204]))
  expect((await find()).body.code).toBe('invalid_token')
  const links = await send('GET', `/auth/saml/${created.body.saml_provider}/setup-links`, admin.bearer)
  expect(links.body).toEqual([])
})
