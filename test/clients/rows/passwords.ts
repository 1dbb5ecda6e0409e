import { randomUUID } from 'node:crypto'
import { expect } from 'vitest'
import { enableSecondFactor, newAuthenticator } from '../../support/authenticator.ts'
import { addPerson, addSignedIn } from '../../support/people.ts'
import type { Call, Row, Trial, World } from '../row.ts'
import { expectPassword, newPassword } from './people.ts'

const addMailed = ({ service }: World) => addPerson(service, { email: `${randomUUID()}@example.com` })

const requestToken = async (world: World): Promise<Call> => {
  const { user } = await addMailed(world)
  const { username, email } = user
  await world.service.client('POST', '/api/2/auth/reset-password/request', { body: { username } })
  const { text } = await world.service.mailbox.mailTo(email ?? '')
  const [, token] = /#token=(\S+)/.exec(text) ?? []
  return { body: { token, password: newPassword }, context: { username } }
}

const addWithSecondFactor = async ({ service }: World) => {
  const person = await addSignedIn(service)
  const { authenticator } = await enableSecondFactor(service, person, -1)
  return { ...person, authenticator }
}

const rule = { group_name: 'digits', group_regex: '[0-9]', min_count: 1 }

const stored = (field: string, value: unknown): Trial => ({
  value,
  expect: ({ call, body }) => expect(body[field]).toEqual(call.body?.[field]),
})

export const passwordRows: readonly Row[] = [
  {
    npm: 'AuthApi.generatePassword',
    python: 'AuthApi.generate_password',
    returns: 'GeneratePasswordEndpointResponse',
    arrange: ({ admin: { bearer } }) => ({ bearer }),
    expect: ({ body }) => expect(body.password.length).toBeGreaterThanOrEqual(20),
  },
  {
    python: 'AuthApi.evaluate_password',
    required: ['password'],
    returns: 'EvaluatePasswordEndpointResponse',
    arrange: ({ admin: { bearer } }) => ({ bearer, body: { password: 'Pässwörd for the matrix' } }),
    expect: ({ body }) => expect(body.errors).toEqual([]),
    optional: {
      custom_policy: {
        value: { rules: [rule], min_length: 60, min_entropy_bits: null, regex: null, no_pwned: false },
        expect: ({ body }) => expect(body.errors).toHaveLength(2),
      },
    },
  },
  {
    npm: 'AuthApi.resetPassword',
    python: 'AuthApi.reset_password',
    required: ['token', 'password'],
    returns: null,
    arrange: requestToken,
    expect: ({ world, call }) => expectPassword(world, call.context.username, newPassword),
  },
  {
    npm: 'MainApi.resetUserPassword',
    python: 'MainApi.reset_user_password',
    required: ['id'],
    returns: null,
    arrange: async (world) => {
      const { user } = await addMailed(world)
      return { bearer: world.admin.bearer, path: { id: user.id }, context: user }
    },
    expect: async ({ world, call }) => {
      const { text } = await world.service.mailbox.mailTo(call.context.email)
      expect(text).toContain('#token=')
    },
  },
  {
    npm: 'MainApi.setMyPassword',
    python: 'MainApi.set_my_password',
    required: ['password', 'current_password'],
    returns: null,
    arrange: async ({ service }) => {
      const { user, bearer, password } = await addSignedIn(service)
      return { bearer, body: { password: newPassword, current_password: password }, context: user }
    },
    expect: ({ world, call }) => expectPassword(world, call.context.username, newPassword),
    optional: {
      current_otp: {
        value: ({ context }: Call) => context.otp,
        arrange: async (world) => {
          const { bearer, password, authenticator } = await addWithSecondFactor(world)
          const body = { password: newPassword, current_password: password }
          return { bearer, body, context: { otp: authenticator.code() } }
        },
      },
    },
  },
  {
    npm: 'MainApi.setUserPassword',
    python: 'MainApi.set_user_password',
    required: ['id', 'password'],
    returns: null,
    arrange: async ({ service, admin: { bearer } }) => {
      const { user } = await addPerson(service)
      return { bearer, path: { id: user.id }, body: { password: newPassword }, context: user }
    },
    expect: ({ world, call }) => expectPassword(world, call.context.username, newPassword),
  },
  {
    npm: 'MainApi.enableUserTOTP',
    python: 'MainApi.enable_user_totp',
    required: ['id', 'key', 'otp'],
    returns: 'ignored',
    arrange: async ({ service }) => {
      const { user, bearer } = await addSignedIn(service)
      const { key, code } = newAuthenticator()
      return { bearer, path: { id: user.id }, body: { key, otp: code() } }
    },
    expect: async ({ world, call }) => {
      const { body } = await world.service.client('GET', '/api/2/users/me', { bearer: call.bearer ?? '' })
      expect(body.totp_enabled).toBe(true)
    },
  },
  {
    npm: 'MainApi.syncUserTOTP',
    python: 'MainApi.sync_user_totp',
    required: ['id', 'otp'],
    returns: 'SyncTOTP',
    arrange: async (world) => {
      const { user, bearer, authenticator } = await addWithSecondFactor(world)
      return { bearer, path: { id: user.id }, body: { otp: authenticator.code() } }
    },
  },
  {
    npm: 'MainApi.disableUserTOTP',
    python: 'MainApi.disable_user_totp',
    required: ['id'],
    returns: null,
    arrange: async (world) => {
      const { user } = await addWithSecondFactor(world)
      return { bearer: world.admin.bearer, path: { id: user.id } }
    },
    expect: async ({ world, call }) => {
      const { bearer } = world.admin
      const { body } = await world.service.client('GET', `/api/2/users/${call.path?.['id']}`, { bearer })
      expect(body.totp_enabled).toBe(false)
    },
  },
  {
    python: 'MainApi.get_password_policy',
    returns: 'PasswordPolicy',
    arrange: ({ admin: { bearer } }) => ({ bearer }),
  },
  {
    python: 'MainApi.update_password_policy',
    returns: 'PasswordPolicy',
    arrange: ({ admin: { bearer } }) => ({ bearer, body: {} }),
    // Every password of the other calls meets these.
    optional: {
      rules: stored('rules', [{ group_name: 'letters', group_regex: '[a-z]', min_count: 1 }]),
      min_length: stored('min_length', 10),
      min_entropy_bits: stored('min_entropy_bits', 1),
      regex: stored('regex', '.'),
      no_pwned: stored('no_pwned', false),
    },
  },
]
