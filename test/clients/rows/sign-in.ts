import { expect } from 'vitest'
import { enableSecondFactor } from '../../support/authenticator.ts'
import { addPerson, addSignedIn } from '../../support/people.ts'
import type { Row, World } from '../row.ts'
import { expectIdentity, newPassword, statusOf } from './people.ts'

const addTicket = async (world: World) => {
  const { user, bearer } = await addSignedIn(world.service)
  const { body } = await world.service.client('POST', '/api/2/auth/ticket', { bearer })
  return { body, context: { user } }
}

export const signInRows: readonly Row[] = [
  {
    npm: 'AuthApi.login',
    python: 'AuthApi.login',
    required: ['username', 'password'],
    returns: 'AuthLoginEndpointResponse',
    arrange: async ({ service }) => {
      const { user, password } = await addPerson(service)
      return { body: { username: user.username, password }, context: { user } }
    },
    expect: async ({ world, call, body }) => {
      expect(body.user.id).toBe(call.context.user.id)
      expect(await statusOf(world, 'GET', '/api/2/users/me', body.session_key)).toBe(200)
    },
    optional: {
      otp: {
        value: ({ context }: { context: { otp: string } }) => context.otp,
        alone: true,
        arrange: async ({ service }) => {
          const person = await addSignedIn(service)
          const { authenticator } = await enableSecondFactor(service, person, -1)
          const { user, password } = person
          return { body: { username: user.username, password }, context: { otp: authenticator.code() } }
        },
      },
      new_password: {
        value: newPassword,
        expect: async ({ world, call }) => {
          const { username } = call.body ?? {}
          const login = (password: unknown) =>
            world.service.client('POST', '/api/2/auth/login', { body: { username, password } })
          expect((await login(newPassword)).status).toBe(200)
          expect((await login(call.body?.['password'])).status).toBe(401)
        },
      },
    },
  },
  {
    npm: 'AuthApi.logout',
    python: 'AuthApi.logout',
    returns: null,
    arrange: ({ service }) => addSignedIn(service),
    expect: async ({ world, call }) =>
      expect(await statusOf(world, 'GET', '/api/2/users/me', call.bearer)).toBe(401),
  },
  {
    npm: 'AuthApi.logoutPage',
    python: 'AuthApi.logout_page',
    returns: null,
    arrange: ({ service }) => addSignedIn(service),
    expect: async ({ world, call }) =>
      expect(await statusOf(world, 'GET', '/api/2/users/me', call.bearer)).toBe(401),
  },
  {
    npm: 'AuthApi.createAuthTicket',
    python: 'AuthApi.create_auth_ticket',
    returns: 'Ticket',
    arrange: ({ admin: { bearer } }) => ({ bearer }),
    expect: async ({ world, body }) => {
      const checked = await world.service.client('POST', '/api/2/auth/ticket/check', { body })
      expect(checked.body.id).toBe(world.admin.user.id)
    },
  },
  {
    npm: 'AuthApi.checkAuthTicket',
    python: 'AuthApi.check_auth_ticket',
    required: ['ticket'],
    returns: 'ServiceUserDetail',
    arrange: addTicket,
    expect: ({ call, body }) => expect(body.id).toBe(call.context.user.id),
  },
  {
    npm: 'AuthApi.startImpersonation',
    python: 'PrivateApi.start_impersonation',
    required: ['user'],
    returns: null,
    arrange: async ({ service }) => {
      const { bearer } = await addSignedIn(service, { permissions: ['system:admin-access'] })
      const { user } = await addPerson(service)
      return { bearer, body: { user: user.id } }
    },
    expect: ({ world, call }) => expectIdentity(world, call.bearer, call.body?.['user']),
  },
  {
    npm: 'AuthApi.stopImpersonation',
    python: 'PrivateApi.stop_impersonation',
    returns: null,
    arrange: async ({ service }) => {
      const { bearer, user: admin } = await addSignedIn(service, { permissions: ['system:admin-access'] })
      const { user } = await addPerson(service)
      await service.client('POST', '/api/2/auth/impersonation', { bearer, body: { user: user.id } })
      return { bearer, context: { admin } }
    },
    expect: ({ world, call }) => expectIdentity(world, call.bearer, call.context.admin.id),
  },
]
