import { randomUUID } from 'node:crypto'
import { afterAll, afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { findSessionAndUser } from '../../lib/accounts/sessions/find-sessions.records.ts'
import { operations } from '../../lib/features/operations.ts'
import type { SignInPolicy } from '../../lib/features/sign-in/policy.records.ts'
import type { Operation } from '../../lib/kernel/contract/operation.ts'
import { parseCredential } from '../../lib/kernel/secrets/credentials.ts'
import { clientFrom, loopback } from '../support/addressed-client.ts'
import { enableSecondFactor } from '../support/authenticator.ts'
import { closeAfterTests } from '../support/close-after-tests.ts'
import { makeIdp } from '../support/idp.ts'
import { startUpstream } from '../support/oidc-upstream.ts'
import {
  addPasskey,
  confirmWithPasskey,
  type SoftwarePasskey,
  signInWithPasskey,
  startPasskeySignIn,
} from '../support/passkeys.ts'
import { addSignedIn, callAs, type SignedInPerson, trySignIn } from '../support/people.ts'
import { addPublicConnection, newGoogleAccount } from '../support/public-upstream.ts'
import { startRangeServer, suffixOf } from '../support/range-server.ts'
import { openRememberingBrowser } from '../support/remembered-devices.ts'
import { addProvider, patchProvider, sessionOf, vouchForDomains } from '../support/saml.ts'
import { storeSignInPolicy } from '../support/sign-in-policy.ts'
import { useService } from '../support/use-service.ts'
import { changeUser } from '../support/ways-to-sign-in.ts'

/*
 * Policies × factors × doors: a proof that would not sign in now opens no other door. Each state is that of an account whose session
 * is older than what it lacks. The doors come from the declarations: the last test names those that have no row.
 */

vi.useFakeTimers({ toFake: ['Date'] })
afterAll(() => vi.useRealTimers())
const ranges = closeAfterTests(await startRangeServer())
const upstream = closeAfterTests(await startUpstream())
const limits = ['passkeyChallenges', 'addressFailures', 'otpGuesses', 'samlStarts', 'signUpsPerAddress']
const service = await useService({
  ALLOW_PRIVATE_METADATA: 'true',
  BREACH_ENDPOINT: ranges.url,
  RATE_LIMITS: limits.map((name) => `${name}=100000/60`).join(','),
})
const { table } = service.services
const minute = 60_000
const pass = (ms: number) => vi.setSystemTime(Date.now() + ms)

const company = await addProvider(service, await makeIdp())
const domain = 'company-of-proofs.example'
await vouchForDomains(service, company, [domain])
await patchProvider(service, company, { required_for_domains: true })
const admin = await addSignedIn(service, { permissions: ['system:admin-access'] })
const google = await addPublicConnection(service, admin.bearer, upstream, { first_sign_in: 'create' })

beforeEach(async () => {
  pass(2 * 60 * minute)
  ranges.answer([])
  await storeSignInPolicy(service, {})
})
afterEach(() => storeSignInPolicy(service, {}))

interface Account extends SignedInPerson {
  readonly passkey?: SoftwarePasskey
}

const addAccount = (fields: object = {}): Promise<Account> =>
  addSignedIn(service, {
    permissions: ['system:admin-access'],
    email: `${randomUUID()}@example.com`,
    ...fields,
  })
const addWithPasskey = async (fields: object = {}): Promise<Account> => {
  const account = await addAccount(fields)
  return { ...account, ...(await addPasskey(service, account)) }
}
const addGroup = async (permissions: readonly string[]): Promise<number> => {
  // The clock of these tests runs for days, and sessions of administrators end.
  const manager = await addAccount()
  const body = { name: `group ${randomUUID()}`, permissions }
  return (await callAs(service, manager)('POST', 'groups', body)).body.id
}
const moveToCompany = async (account: Account): Promise<Account> => {
  const email = `${randomUUID()}@${domain}`
  await changeUser(service, account.user.id, { email, normalizedEmail: email })
  return account
}

interface State {
  readonly name: string
  readonly policy: Partial<SignInPolicy>
  readonly add: () => Promise<Account>
  /** The reason of the answer to a right password, at the sign-in and to confirm the identity. */
  readonly atSignIn: string
  /** That of a change of the password. Undefined if it is possible. */
  readonly atPasswordChange: string | undefined
  /** Whether a passkey of the account confirms the identity. */
  readonly confirmsWithPasskey: boolean
}

const needsPasskey = {
  atSignIn: 'passkey_required',
  atPasswordChange: 'reauthentication_required',
  confirmsWithPasskey: true,
}
const states: readonly State[] = [
  {
    name: 'a second factor for everybody, and a passkey',
    policy: { second_factor_for_everybody: true },
    add: addWithPasskey,
    ...needsPasskey,
  },
  {
    name: 'a second factor for a permission, and a passkey',
    policy: { second_factor_for_permissions: ['system:admin-access'] },
    add: addWithPasskey,
    ...needsPasskey,
  },
  {
    name: 'a second factor for a permission of a group, and a passkey',
    policy: { second_factor_for_permissions: ['users:manage'] },
    add: async () => addWithPasskey({ permissions: [], groups: [await addGroup(['users:manage'])] }),
    ...needsPasskey,
  },
  {
    name: 'passkeys alone, and a passkey',
    policy: { passkeys_only: true },
    add: addWithPasskey,
    ...needsPasskey,
  },
  {
    name: 'passkeys alone, a passkey and an authenticator app',
    policy: { passkeys_only: true },
    add: async () => {
      const account = await addWithPasskey()
      await enableSecondFactor(service, account)
      return account
    },
    ...needsPasskey,
  },
  {
    name: 'a passkey that the person requires with the password',
    policy: {},
    add: async () => {
      const account = await addWithPasskey()
      await addPasskey(service, account)
      const call = callAs(service, account)
      const answer = await call('PUT', 'users/me/passkeys/settings', { required_with_password: true })
      expect(answer.status).toBe(200)
      return account
    },
    ...needsPasskey,
  },
  {
    name: 'a second factor for everybody, and none',
    policy: { second_factor_for_everybody: true },
    add: addAccount,
    atSignIn: 'second_factor_setup_required',
    atPasswordChange: 'second_factor_setup_required',
    confirmsWithPasskey: false,
  },
  {
    name: 'passkeys alone, and none',
    policy: { passkeys_only: true },
    add: addAccount,
    atSignIn: 'second_factor_setup_required',
    atPasswordChange: 'second_factor_setup_required',
    confirmsWithPasskey: false,
  },
  {
    name: 'the sign-in of a company',
    policy: {},
    add: async () => moveToCompany(await addAccount()),
    atSignIn: 'sso_required',
    atPasswordChange: 'reauthentication_required',
    confirmsWithPasskey: false,
  },
  {
    name: 'the sign-in of a company, and a passkey',
    policy: {},
    add: async () => moveToCompany(await addWithPasskey()),
    atSignIn: 'sso_required',
    atPasswordChange: 'reauthentication_required',
    confirmsWithPasskey: false,
  },
  {
    name: 'a password that must be changed',
    policy: {},
    add: async () => {
      const account = await addAccount()
      await changeUser(service, account.user.id, { password_change_required: true })
      return account
    },
    atSignIn: 'password_change_required',
    atPasswordChange: undefined,
    confirmsWithPasskey: false,
  },
]

const recentOperations = Object.values<Operation>(operations).filter(
  ({ recentAuthentication }) => recentAuthentication === true,
)
const pathOf = ({ path }: Operation) => path.replaceAll(/\{\w+\}/g, '1')
const callInvalid = (operation: Operation, bearer: string) =>
  service.client(operation.method, pathOf(operation), {
    bearer,
    ...(operation.method === 'GET' ? {} : { body: { nonsense: true } }),
  })
const confirm = ({ bearer, password }: Account, more: object = {}) =>
  service.client('POST', '/api/2/auth/reauthenticate', { bearer, body: { password, ...more } })
const changePassword = ({ bearer, password }: Account, next = `lanterns under ${randomUUID()}`) =>
  service.client('POST', '/api/2/users/me/password', {
    bearer,
    body: { current_password: password, password: next },
  })
const readSession = async (bearer: string) => {
  const { subject = 0, hash = '' } = parseCredential(bearer) ?? {}
  return (await findSessionAndUser(table, subject, hash)).session
}
const readReason = ({ body }: { readonly body?: { readonly reason?: string } }) => body?.reason

describe.each(states)('under $name', (state) => {
  let account: Account
  const enter = async () => {
    account = await state.add()
    await storeSignInPolicy(service, state.policy)
  }

  it('a right password opens no session and confirms nothing', async () => {
    await enter()
    expect(readReason(await trySignIn(service, account))).toBe(state.atSignIn)
    const before = await readSession(account.bearer)
    const answer = await confirm(account)
    expect(answer.status).toBe(403)
    expect(readReason(answer)).toBe(state.atSignIn)
    expect((await readSession(account.bearer))?.authentication).toEqual(before?.authentication)
    pass(16 * minute)
    expect((await confirm(account)).status).toBe(403)
  })

  it('a recent session passes no operation that takes a recent proof, except what sets up what is missing', async () => {
    await enter()
    const isSetup = state.atSignIn === 'second_factor_setup_required'
    for (const operation of recentOperations) {
      const answer = await callInvalid(operation, account.bearer)
      const maySetUp =
        operation.allowsSetupSession === true ||
        (operation.allowsSetupSession === 'without_passkey' && !state.policy.passkeys_only)
      const isRefused = readReason(answer) === 'reauthentication_required'
      expect({ id: operation.id, isRefused }).toEqual({
        id: operation.id,
        isRefused: !(isSetup && maySetUp),
      })
    }
  })

  it('the password is changed only if nothing else is missing', async () => {
    await enter()
    expect(readReason(await changePassword(account))).toBe(state.atPasswordChange)
  })

  it('a passkey confirms the identity where it signs in', async () => {
    await enter()
    if (!account.passkey) return
    const signedIn = await signInWithPasskey(service, account.passkey)
    expect(signedIn.status === 200).toBe(state.confirmsWithPasskey)
    const confirmed = await confirmWithPasskey(service, account, account.passkey)
    expect(confirmed.status).toBe(state.confirmsWithPasskey ? 204 : 403)
    if (!state.confirmsWithPasskey) {
      expect(readReason(confirmed)).toBe(state.atSignIn)
      return
    }
    for (const operation of recentOperations)
      expect(readReason(await callInvalid(operation, account.bearer))).not.toBe('reauthentication_required')
  })
})

describe('the password and the cookie of a remembered browser', () => {
  it('keep the session one with a remembered factor, which changes nothing', async () => {
    const account = await addWithPasskey({ permissions: [] })
    const { passkey } = account
    if (!passkey) throw new Error('the account has no passkey')
    await storeSignInPolicy(service, { second_factor_for_everybody: true, remembered_device_days: 30 })
    const owner = openRememberingBrowser(service)
    const asked = await owner.signIn(account)
    const token = String(asked.body.second_factor_token)
    const credential = passkey.get(await startPasskeySignIn(service, token))
    const remembered = { credential, second_factor_token: token, remember_device: true }
    expect((await owner.send('/api/2/auth/passkeys/login', remembered)).status).toBe(200)

    const thief = openRememberingBrowser(service, service.client, owner.cookie)
    const entered = await thief.signIn(account)
    expect(entered.status).toBe(200)
    const stolen = { ...account, bearer: String(entered.body.session_key) }
    const before = await readSession(stolen.bearer)
    expect(before?.authentication.isFactorRemembered).toBe(true)
    expect(readReason(await confirm(stolen))).toBe('passkey_required')
    expect(await readSession(stolen.bearer)).toEqual(before)
    expect(readReason(await changePassword(stolen))).toBe('reauthentication_required')
    for (const operation of recentOperations)
      expect(readReason(await callInvalid(operation, stolen.bearer))).toBe('reauthentication_required')
    // The owner completes the same session with the passkey.
    expect((await confirmWithPasskey(service, stolen, passkey)).status).toBe(204)
    expect((await readSession(stolen.bearer))?.authentication).toMatchObject({ methods: ['passkey'] })
    expect((await changePassword(stolen)).status).toBe(204)
  })
})

describe('a breached password', () => {
  const addBreached = async () => {
    const account = await addAccount({ permissions: [] })
    // The sign-in looked it up before it was found.
    const breachLookup = { at: service.services.now(), isFound: true }
    await changeUser(service, account.user.id, { breachLookup })
    return account
  }
  const elsewhere = clientFrom(loopback(77), service.url)

  it('confirms nothing at an unknown place and is not replaced there, because its owner gets a link', async () => {
    const account = await addBreached()
    const { bearer, password } = account
    const confirmed = await elsewhere('POST', '/api/2/auth/reauthenticate', { bearer, body: { password } })
    expect(readReason(confirmed)).toBe('password_breached')
    const body = { current_password: password, password: `lanterns under ${randomUUID()}` }
    const changed = await elsewhere('POST', '/api/2/users/me/password', { bearer, body })
    expect(readReason(changed)).toBe('password_breached')
    expect(readReason(await trySignIn({ client: elsewhere }, account))).toBe('password_breached')
  })

  it('is looked up when it confirms the identity, if the sign-in got no answer', async () => {
    ranges.behave((_, response) => response.writeHead(503).end())
    const account = await addAccount({ permissions: [] })
    ranges.answer([`${suffixOf(account.password)}:42`])
    expect(readReason(await confirm(account))).toBe('password_change_required')
    ranges.answer([])
    expect(readReason(await confirm(account))).toBe('password_change_required')
  })

  it('is replaced in the session at a known place, where the new one confirms', async () => {
    const account = await addBreached()
    expect((await confirm(account)).body).toMatchObject({
      reason: 'password_change_required',
      is_password_breached: true,
    })
    const password = `lanterns under ${randomUUID()}`
    expect((await changePassword(account, password)).status).toBe(204)
    expect((await confirm({ ...account, password })).status).toBe(204)
  })
})

describe('a session of a public provider', () => {
  it('passes nothing that takes a recent proof once its user decides about the accounts of others', async () => {
    const { answer, user = 0 } = await google.signIn(newGoogleAccount())
    const bearer = sessionOf(answer) ?? ''
    const options = () => service.client('POST', '/api/2/api-tokens', { bearer, body: { name: 'x' } })
    expect(readReason(await options())).not.toBe('reauthentication_required')
    await changeUser(service, user, { permissions: ['users:manage'] })
    expect(readReason(await options())).toBe('reauthentication_required')
  })
})

describe('a session in which a right rests', () => {
  const rests = async (account: Account, policy: Partial<SignInPolicy>, rights: object) => {
    await storeSignInPolicy(service, policy)
    // The session knows the policy, so that the right has no effect in it.
    const { body } = await trySignIn(service, account)
    const bearer: string = body.session_key
    await changeUser(service, account.user.id, rights)
    const { body: profile } = await service.client('GET', '/api/2/users/me', { bearer })
    return { bearer, profile }
  }

  it('passes nothing that takes a recent proof, except what sets up a second factor', async () => {
    const account = await addAccount({ permissions: [] })
    const policy = { second_factor_for_permissions: ['users:manage'] }
    const { bearer, profile } = await rests(account, policy, { permissions: ['users:manage'] })
    expect(profile.resting_permissions).toEqual(['users:manage'])
    for (const operation of recentOperations) {
      const isRefused = readReason(await callInvalid(operation, bearer)) === 'reauthentication_required'
      expect({ id: operation.id, isRefused }).toEqual({
        id: operation.id,
        isRefused: operation.allowsSetupSession === undefined,
      })
    }
  })

  it('gives no credential that has what a group gives', async () => {
    const account = await addAccount({ permissions: [] })
    const group = await addGroup(['films:edit'])
    const policy = { second_factor_for_groups: [group] }
    const { bearer, profile } = await rests(account, policy, { groups: [group] })
    expect(profile.effective_permissions).toEqual([])
    const created = await service.client('POST', '/api/2/api-tokens', { bearer, body: { name: 'x' } })
    expect(readReason(created)).toBe('reauthentication_required')
  })
})

describe('a code of the authenticator app', () => {
  it('completes no session whose password does not sign in', async () => {
    const account = await addWithPasskey()
    const { authenticator } = await enableSecondFactor(service, account)
    pass(2 * minute)
    const signedIn = await trySignIn(service, account, { otp: authenticator.code() })
    const bearer = String(signedIn.body.session_key)
    await storeSignInPolicy(service, { passkeys_only: true })
    pass(2 * minute)
    const confirmed = await confirm({ ...account, bearer }, { otp: authenticator.code() })
    expect(readReason(confirmed)).toBe('passkey_required')
  })

  it('that turns it on counts in the session', async () => {
    const account = await addAccount()
    await enableSecondFactor(service, account)
    expect((await readSession(account.bearer))?.authentication.methods).toEqual(['pwd', 'otp'])
  })
})

/** Events of proofs, and of what a thief would add. An operation that declares one of them is a door. */
const doorEvents = [
  'login.succeeded',
  'session.reauthenticated',
  'password.changed',
  'password.reset',
  'passkey.added',
  'passkey.removed',
  'totp.enabled',
  'totp.disabled',
  'totp.recovery_codes_renewed',
  'api_token.created',
  'company_account.linked',
]

/** The doors that take no recent proof, and how each asks what is missing. */
const doors = {
  'walked above': [
    ...['login', 'login_with_passkey', 'confirm_identity', 'reauthenticate_with_passkey'],
    'change_own_password',
  ],
  'asks for what the code does not prove: see email-codes.test.ts, passkeys-only.test.ts and sign-in-policy.test.ts':
    ['login_with_email_code'],
  'asks for the answer of a connection: see public-connections.test.ts and required-sign-in.test.ts': [
    ...['receive_oidc_answer', 'receive_oidc_answer_by_form', 'receive_saml_auth_assertion'],
    'answer_sign_in_question',
  ],
  'sets the first factors of an account: see passkeys-only.test.ts and required-sign-in.test.ts': [
    ...['accept_invitation', 'accept_invitation_with_passkey'],
  ],
  'opens no session, and what it sets signs in like any other password: see passkeys-only.test.ts': [
    ...['reset_password', 'report_change'],
  ],
  'is the directory of a company, which moves addresses of accounts that it brought: see scim-sign-in.test.ts':
    [...['create_scim_resource', 'replace_scim_resource', 'change_scim_resource', 'delete_scim_resource']],
  'takes a recent proof where an address or a privileged permission changes: see stale-sessions.test.ts': [
    ...['update_user', 'patch_user'],
  ],
}

it('knows every door', () => {
  const found = Object.values<Operation>(operations)
    .filter(
      ({ audit = [], recentAuthentication }) =>
        recentAuthentication !== true && audit.some((event) => doorEvents.includes(event)),
    )
    .map(({ id }) => id)
  expect(found.toSorted()).toEqual(Object.values(doors).flat().toSorted())
})
