import { afterAll, afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { operations } from '../../lib/features/operations.ts'
import { enableSecondFactor, newAuthenticator } from '../support/authenticator.ts'
import {
  addPerson,
  addSignedIn,
  type Person,
  type SignedInPerson,
  signIn,
  trySignIn,
} from '../support/people.ts'
import { storeSignInPolicy } from '../support/sign-in-policy.ts'
import { useService } from '../support/use-service.ts'

vi.useFakeTimers({ toFake: ['Date'] })
const service = await useService()
let admin: SignedInPerson
afterAll(() => vi.useRealTimers())

const path = '/api/2/system/sign-in-policy'
const everybody = { second_factor_for_everybody: true }
const put = (body: object, bearer = admin.bearer) => service.client('PUT', path, { bearer, body })
const login = ({ user, password }: Person, more: object = {}) => trySignIn(service, { user, password }, more)
const me = (bearer: string) => service.client('GET', '/api/2/users/me', { bearer })
const passDays = (days: number) => vi.setSystemTime(Date.now() + days * 86_400_000)
const limitedSession = async (person: Person): Promise<SignedInPerson> => {
  const { status, body } = await login(person, { second_factor_setup: true })
  expect(status).toBe(200)
  return { ...person, bearer: body.session_key }
}

beforeEach(async () => {
  await storeSignInPolicy(service, {})
  admin = await addSignedIn(service, { permissions: ['system:admin-access'] })
})
afterEach(() => storeSignInPolicy(service, {}))

describe('the sign-in policy', () => {
  it('is read and replaced by administrators with a session alone', async () => {
    const manager = await addSignedIn(service, { permissions: ['users:manage', 'users:view'] })
    const { body: token } = await service.client('POST', '/api/2/api-tokens', {
      bearer: admin.bearer,
      body: { name: 'token' },
    })
    await enableSecondFactor(service, admin)
    expect((await put(everybody)).status).toBe(200)
    for (const [bearer, status] of [
      [manager.bearer, 403],
      [token.token, 403],
      ['lks_nonsense', 401],
    ] as const) {
      expect((await put({}, bearer)).status).toBe(status)
      expect((await service.client('GET', path, { bearer })).status).toBe(status)
    }
    const { body } = await service.client('GET', path, { bearer: admin.bearer })
    expect(body).toEqual({
      second_factor_for_everybody: true,
      second_factor_for_permissions: [],
      second_factor_for_groups: [],
      second_factor_grace_days: 0,
      passkeys_only: false,
      passkey_upgrades: true,
      password_only_min_length: null,
      allow_email_codes: false,
      remembered_device_days: 0,
      account_deletion: 'off',
      account_deletion_grace_days: 14,
    })
    expect((await put(body)).body).toEqual(body)
  })

  it('cannot be weakened with a stolen session that has not authenticated recently', async () => {
    await put(everybody)
    vi.setSystemTime(Date.now() + 16 * 60_000)
    expect((await put({})).body).toMatchObject({ reason: 'reauthentication_required' })
  })

  it.each([
    { second_factor_grace_days: -1 },
    { second_factor_grace_days: 366 },
    { second_factor_for_permissions: Array.from({ length: 51 }, (_, at) => `a:${at}`) },
    { second_factor_for_groups: [0] },
    { password_only_min_length: 129 },
    { unknown: true },
  ])('rejects %o', async (body) => {
    expect((await put(body)).status).toBe(400)
  })
})

describe('a required second factor', () => {
  it('applies to everybody, holders of a permission, and members of a group, own or through groups', async () => {
    const group = async (permissions: string[]) =>
      (
        await service.client('POST', '/api/2/groups', {
          bearer: admin.bearer,
          body: { name: `group ${permissions} ${Math.random()}`, permissions },
        })
      ).body.id
    const [managers, plain] = [await group(['users:manage']), await group([])]
    const people = {
      administrator: await addPerson(service, { permissions: ['system:admin-access'] }),
      manager: await addPerson(service, { groups: [managers] }),
      member: await addPerson(service, { groups: [plain] }),
      user: await addPerson(service),
    }
    const refused = async () => {
      const names: string[] = []
      for (const [name, person] of Object.entries(people)) {
        const { status, body } = await login(person)
        if (status === 200) continue
        expect(body).toMatchObject({ code: 'login_incomplete', reason: 'second_factor_setup_required' })
        names.push(name)
      }
      return names
    }
    await enableSecondFactor(service, admin)
    await put({ second_factor_for_permissions: ['system:admin-access'] })
    expect(await refused()).toEqual(['administrator'])
    await put({ second_factor_for_permissions: ['users:manage'] })
    expect(await refused()).toEqual(['administrator', 'manager'])
    await put({ second_factor_for_groups: [plain] })
    expect(await refused()).toEqual(['member'])
    await put(everybody)
    expect(await refused()).toEqual(Object.keys(people))
  })

  it('is not revealed by a wrong password', async () => {
    const { user } = await addPerson(service)
    await put(everybody)
    const answer = await login({ user, password: 'wrong' }, { second_factor_setup: true })
    expect(answer.body).toMatchObject({ code: 'login_failed', reason: 'invalid_credentials' })
  })

  it('leaves a user with a second factor alone', async () => {
    const person = await addSignedIn(service)
    const { authenticator } = await enableSecondFactor(service, person)
    await put(everybody)
    expect((await login(person)).body.reason).toBe('otp_required')
    const { status, body } = await login(person, { otp: authenticator.code(1) })
    expect(status).toBe(200)
    expect((await me(body.session_key)).body).not.toHaveProperty('second_factor_required_from')
  })

  it('wants the passkey of a user who has one, even if their password was enough before', async () => {
    const person = await addPerson(service, {
      passkeys: { userHandle: 'handle', count: 1, isSecondFactor: false },
    })
    expect((await login(person)).status).toBe(200)
    await put(everybody)
    const { body } = await login(person, { second_factor_setup: true })
    expect(body).toMatchObject({ code: 'login_incomplete', reason: 'passkey_required' })
  })

  it('waits for the grace period, names its end, and ends sessions with it', async () => {
    const person = await addPerson(service)
    await put({ ...everybody, second_factor_grace_days: 2 })
    const bearer = await signIn(service, person)
    const from = (await me(bearer)).body.second_factor_required_from
    expect(Date.parse(from) - Date.now()).toBe(2 * 86_400_000)
    passDays(0.9)
    expect((await me(bearer)).status).toBe(200)
    passDays(0.9)
    expect((await me(bearer)).status).toBe(200)
    passDays(0.3)
    expect((await me(bearer)).status).toBe(401)
    expect((await login(person)).body.reason).toBe('second_factor_setup_required')
    // A user who was created after the start of the requirement has the whole period.
    expect((await login(await addPerson(service))).status).toBe(200)
  })

  it('keeps its deadline when a policy is stored again, and starts again when it covers others', async () => {
    const person = await addPerson(service)
    await put({ ...everybody, second_factor_grace_days: 1 })
    passDays(2)
    admin = { ...admin, bearer: (await limitedSession(admin)).bearer }
    const { authenticator } = await enableSecondFactor(service, admin)
    expect((await put({ ...everybody, second_factor_grace_days: 1, allow_email_codes: true })).status).toBe(
      200,
    )
    expect((await login(person)).body.reason).toBe('second_factor_setup_required')
    await put({ second_factor_for_permissions: ['a:b'], second_factor_grace_days: 1 })
    expect((await login(person)).status).toBe(200)
    expect((await login(admin, { otp: authenticator.code(1) })).status).toBe(200)
  })
})

describe('a session for the set-up', () => {
  it('is refused by every operation but those of the set-up', async () => {
    await put(everybody)
    const { bearer } = await limitedSession(
      await addPerson(service, { permissions: ['system:admin-access'] }),
    )
    const accepted: string[] = []
    for (const { id, method, path: route, access } of operations) {
      if (access.allow === 'anyone' || id === 'enable_totp') continue
      if ('by' in access && !access.by.some((kind) => kind === 'session')) continue
      const body = method === 'GET' ? {} : { body: {} }
      const answer = await service.client(method, route.replaceAll(/\{\w+\}/g, '1'), { bearer, ...body })
      if (answer.body?.reason === 'second_factor_setup_required') expect(answer.status).toBe(403)
      else accepted.push(id)
    }
    expect(accepted.sort()).toEqual([
      'create_passkey',
      'get_current_user',
      'get_own_passkeys',
      'start_passkey_registration',
    ])
  })

  it('shows no permissions to products that ask who is calling, until it is set up', async () => {
    const person = await addPerson(service, { permissions: ['users:view'] })
    await put(everybody)
    const limited = await limitedSession(person)
    expect((await me(limited.bearer)).body.effective_permissions).toEqual([])
    await enableSecondFactor(service, limited)
    expect((await me(limited.bearer)).body.effective_permissions).toEqual(['users:view'])
  })

  it('does not open a link that requires its recipient to sign in', async () => {
    const recipient = await addPerson(service)
    const { body: link } = await service.client('POST', '/api/2/auth/access-tokens', {
      bearer: admin.bearer,
      body: {
        user: recipient.user.id,
        require_login: true,
        bundles: [{ id: 1, name: 'A bundle', root: 1, path: '/' }],
      },
    })
    await put(everybody)
    const { bearer } = await limitedSession(recipient)
    const opened = await service.client('POST', '/api/2/auth/access-tokens/redeem', {
      bearer,
      body: { token: link.token },
    })
    expect(opened.status).toBeGreaterThanOrEqual(401)
  })

  it('becomes a full session when it turns the second factor on, and all others end', async () => {
    const person = await addPerson(service)
    await put(everybody)
    const thief = await limitedSession(person)
    const owner = await limitedSession(person)
    expect((await me(owner.bearer)).body.second_factor_required_from).toBeDefined()
    await enableSecondFactor(service, owner)
    expect((await service.client('POST', '/api/2/auth/ticket', owner)).status).toBe(200)
    expect((await me(owner.bearer)).body).not.toHaveProperty('second_factor_required_from')
    expect((await me(thief.bearer)).status).toBe(401)
  })

  it('lets one of several concurrent set-ups win', async () => {
    const person = await addPerson(service)
    await put(everybody)
    const sessions = await Promise.all([1, 2, 3].map(() => limitedSession(person)))
    const statuses = await Promise.all(
      sessions.map(async ({ bearer }) => {
        const { key, code } = newAuthenticator()
        const body = { key, otp: code() }
        return (await service.client('POST', `/api/2/users/${person.user.id}/totp`, { bearer, body })).status
      }),
    )
    expect(statuses.filter((status) => status === 200)).toHaveLength(1)
    const left = await Promise.all(sessions.map(async ({ bearer }) => (await me(bearer)).status))
    expect(left.filter((status) => status === 200)).toHaveLength(1)
  })

  it('ends after half an hour, and by logout', async () => {
    const person = await addPerson(service)
    await put(everybody)
    const [first, second] = [await limitedSession(person), await limitedSession(person)]
    expect((await service.client('POST', '/api/2/auth/logout', first)).status).toBe(204)
    expect((await me(first.bearer)).status).toBe(401)
    vi.setSystemTime(Date.now() + 31 * 60_000)
    expect((await me(second.bearer)).status).toBe(401)
  })

  it('lets the last administrator in, who has no second factor', async () => {
    await put(everybody)
    expect((await login(admin)).body.reason).toBe('second_factor_setup_required')
    const own = await limitedSession(admin)
    await enableSecondFactor(service, own)
    expect((await put({}, own.bearer)).status).toBe(200)
  })

  it('is a full session if none is required', async () => {
    const person = await addPerson(service)
    const { bearer } = await limitedSession(person)
    expect((await service.client('POST', '/api/2/auth/ticket', { bearer })).status).toBe(200)
  })
})

describe('the least length of a password without a second factor', () => {
  const short = 'zebra-lamp-4q'
  const long = 'zebra-lamp-4q-mox'
  const change = ({ bearer, password }: SignedInPerson, next: string, more: object = {}) =>
    service.client('POST', '/api/2/users/me/password', {
      bearer,
      body: { current_password: password, password: next, ...more },
    })

  it('holds wherever a password is chosen', async () => {
    const person = await addSignedIn(service)
    await put({ password_only_min_length: 15 })
    const answers = [
      await change(person, short),
      await login(person, { new_password: short }),
      await service.client('POST', `/api/2/users/${person.user.id}/password`, {
        bearer: admin.bearer,
        body: { password: short },
      }),
    ]
    for (const { body } of answers)
      expect(body).toMatchObject({
        code: 'password_rejected',
        errors: [{ message: 'The password must have at least 15 characters.' }],
      })
    const evaluated = await service.client('POST', '/api/2/auth/evaluate-password', {
      bearer: person.bearer,
      body: { password: short },
    })
    expect(evaluated.body.errors).toEqual(['The password must have at least 15 characters.'])
    expect((await change(person, long)).status).toBe(204)
  })

  it('is that of the password policy for users with a second factor', async () => {
    const person = await addSignedIn(service)
    const { authenticator } = await enableSecondFactor(service, person)
    await put({ password_only_min_length: 15 })
    expect((await change(person, short, { current_otp: authenticator.code(1) })).status).toBe(204)
  })

  it('does not change the password policy that clients read and write', async () => {
    await put({ password_only_min_length: 15 })
    const policy = await service.client('GET', '/api/2/system/password-policy')
    expect(policy.body.min_length).toBe(12)
  })
})
