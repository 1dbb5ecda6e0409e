import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { operations } from '../../lib/contract/operations.ts'
import { addPerson, addSignedIn, type Person } from '../support/people.ts'
import { startService, type TestService } from '../support/service.ts'
import { unbuiltOperations } from '../support/unbuilt.ts'

type Role = 'anonymous' | 'user' | 'other' | 'admin'
const roles: readonly Role[] = ['anonymous', 'user', 'other', 'admin']

let service: TestService
let unbuilt: readonly string[]
let target: Person
const bearers: Partial<Record<Role, string>> = {}
beforeAll(async () => {
  service = await startService()
  unbuilt = await unbuiltOperations()
  target = await addPerson(service)
  bearers.user = (await addSignedIn(service)).bearer
  bearers.other = (await addSignedIn(service, { permissions: ['users:view'] })).bearer
  bearers.admin = (await addSignedIn(service, { permissions: ['system:admin-access'] })).bearer
})
afterAll(() => service.close())

interface Call {
  readonly path?: () => string
  readonly body?: () => unknown
  /** The status for each role, in the order of `roles`; `other` may view users and nothing else. */
  readonly statuses: readonly [number, number, number, number]
}

const ticketOf = async (): Promise<string> => {
  const answer = await service.client('POST', '/api/2/auth/ticket', { bearer: bearers.user ?? '' })
  return answer.body.ticket
}
let ticket = ''

/** What is built, with a request that is right in itself: only the role decides. */
const calls: Readonly<Record<string, Call>> = {
  login: {
    body: () => ({ username: target.user.username, password: target.password }),
    statuses: [200, 200, 200, 200],
  },
  create_auth_ticket: { statuses: [401, 200, 200, 200] },
  check_auth_ticket: { body: () => ({ ticket }), statuses: [200, 200, 200, 200] },
  get_current_user: { statuses: [401, 200, 200, 200] },
  update_current_user: { body: () => ({ full_name: 'Somebody' }), statuses: [401, 200, 200, 200] },
  create_user: {
    body: () => ({ username: `made-${randomUUID()}`, permissions: [], groups: [] }),
    statuses: [401, 403, 403, 201],
  },
  get_user: { path: () => `/api/2/users/${target.user.id}`, statuses: [401, 403, 200, 200] },
  set_user_password: {
    path: () => `/api/2/users/${target.user.id}/password`,
    body: () => ({ password: target.password }),
    statuses: [401, 403, 403, 204],
  },
  enable_totp: {
    path: () => `/api/2/users/${target.user.id}/totp`,
    body: () => ({ key: 'GEZDGNBVGY3TQOJQ', otp: '123456' }),
    statuses: [401, 404, 404, 404],
  },
  sync_totp: {
    path: () => `/api/2/users/${target.user.id}/totp`,
    body: () => ({ otp: '123456' }),
    statuses: [401, 404, 404, 404],
  },
  disable_totp: { path: () => `/api/2/users/${target.user.id}/totp`, statuses: [401, 403, 403, 204] },
  change_own_password: {
    body: () => ({ current_password: 'not it', password: 'a long enough password' }),
    statuses: [401, 400, 400, 400],
  },
  send_password_reset: {
    path: () => `/api/2/users/${target.user.id}/password/reset`,
    statuses: [401, 403, 403, 409],
  },
  request_password_reset: { body: () => ({ username: 'nobody' }), statuses: [204, 204, 204, 204] },
  generate_password: { statuses: [401, 200, 200, 200] },
  evaluate_password: { body: () => ({ password: 'any' }), statuses: [401, 200, 200, 200] },
  get_password_policy: { statuses: [200, 200, 200, 200] },
  update_password_policy: {
    body: () => ({ min_length: 12, no_pwned: true }),
    statuses: [401, 403, 403, 200],
  },
  reset_password: { body: () => ({ token: 'x', password: 'y' }), statuses: [400, 400, 400, 400] },
  start_impersonation: { body: () => ({ user: 2147483647 }), statuses: [401, 403, 403, 400] },
  stop_impersonation: { statuses: [401, 409, 409, 409] },
  get_all_api_tokens: { statuses: [401, 200, 200, 200] },
  create_api_token: { body: () => ({ name: 'token' }), statuses: [401, 201, 201, 201] },
  get_api_token: { path: () => '/api/2/api-tokens/2147483647', statuses: [401, 404, 404, 404] },
  update_api_token: {
    path: () => '/api/2/api-tokens/2147483647',
    body: () => ({ name: 'x' }),
    statuses: [401, 404, 404, 404],
  },
  patch_api_token: {
    path: () => '/api/2/api-tokens/2147483647',
    body: () => ({ name: 'x' }),
    statuses: [401, 404, 404, 404],
  },
  delete_api_token: { path: () => '/api/2/api-tokens/2147483647', statuses: [401, 404, 404, 404] },
  sign_in_page: { statuses: [200, 200, 200, 200] },
  reset_page: { statuses: [200, 200, 200, 200] },
  logout: { statuses: [204, 204, 204, 204] },
  logout_page: { statuses: [204, 204, 204, 204] },
}
const endsSession = new Set(['logout', 'logout_page'])

describe('what is built', () => {
  it('is all in this table', () => {
    const built = operations.map(({ id }) => id).filter((id) => !unbuilt.includes(id))
    expect(Object.keys(calls).sort()).toEqual([...built].sort())
  })

  it.each(
    Object.entries(calls).flatMap(([id, call]) =>
      roles.map((role, at) => ({ id, call, role, status: call.statuses[at] ?? 0 })),
    ),
  )('$id answers $role with $status', async ({ id, call, role, status }) => {
    const operation = operations.find((candidate) => candidate.id === id)
    if (id === 'check_auth_ticket') ticket = await ticketOf()
    const bearer =
      endsSession.has(id) && role !== 'anonymous' ? (await addSignedIn(service)).bearer : bearers[role]
    const answer = await service.client(operation?.method ?? '', call.path?.() ?? operation?.path ?? '', {
      ...(call.body ? { body: call.body() } : {}),
      ...(bearer === undefined ? {} : { bearer }),
    })
    expect({ status: answer.status, text: answer.status === status ? '' : answer.text }).toEqual({
      status,
      text: '',
    })
  })
})

describe('what is not built yet', () => {
  it('is refused to strangers like everything else, and otherwise says that it isn’t there', async () => {
    for (const operation of operations.filter(({ id }) => unbuilt.includes(id))) {
      const path = operation.path.replaceAll('{id}', '1').replaceAll('{token}', 'x')
      const statusFor = async (bearer?: string) =>
        (await service.client(operation.method, path, bearer === undefined ? {} : { bearer })).status
      const isOpen = operation.access.allow === 'anyone'
      const [anonymous, user, admin] = [
        await statusFor(),
        await statusFor(bearers.user),
        await statusFor(bearers.admin),
      ]
      const through = operation.body ? [400, 415, 501] : [501]
      if (isOpen) expect(through, operation.id).toContain(anonymous)
      else expect(anonymous, operation.id).toBe(401)
      if (operation.access.allow === 'permission') expect(user, operation.id).toBe(403)
      else expect(through, operation.id).toContain(user)
      expect(through, operation.id).toContain(admin)
    }
  })
})
