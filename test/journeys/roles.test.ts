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
