import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { groupKey, userKey, userTemplateKey } from '../../lib/kernel/table/keys/keys.ts'
import { addPerson, addSignedIn } from '../support/people.ts'
import { useService } from '../support/use-service.ts'

/* Attackers add fields to a body that they may not set. */

const service = await useService()
const admin = await addSignedIn(service, { permissions: ['system:admin-access'] })
const manager = await addSignedIn(service, { permissions: ['users:manage', 'users:view'] })
const target = { users: 0, groups: 0, 'user-templates': 0 }
target.users = (await addPerson(service)).user.id
type Kind = keyof typeof target

const call = (method: string, path: string, body: object, bearer = manager.bearer) =>
  service.client(method, path, { bearer, body })

target.groups = (
  await call('POST', '/api/2/groups', { name: 'group', members: [{ id: target.users }] })
).body.id
target['user-templates'] = (await call('POST', '/api/2/user-templates', { name: 'template' })).body.id
const kinds: readonly Kind[] = ['users', 'groups', 'user-templates']
const keyOf = { users: userKey, groups: groupKey, 'user-templates': userTemplateKey }
const stored = (kind: Kind) => service.services.table.get(keyOf[kind](target[kind]))
/** A complete body for POST and PUT. PATCH needs none. */
const wholeBody = (kind: Kind, method: string): object => {
  const name = `made-${randomUUID()}`
  if (method === 'PATCH') return {}
  return kind === 'users' ? { username: name, permissions: [], groups: [] } : { name }
}
const writes = kinds.flatMap((kind) => ['POST', 'PUT', 'PATCH'].map((method) => [method, kind] as const))
const pathOf = (method: string, kind: Kind) => `/api/2/${kind}${method === 'POST' ? '' : `/${target[kind]}`}`

const neverKnown = [
  ...[
    'created_by',
    'version',
    'credential_epoch',
    'credentialEpoch',
    'resetEpoch',
    'passwordHash',
    'password_hash',
    'password',
  ],
  ...['tickets', 'normalizedName', 'normalized_username', 'createdAt', 'pk', 'sk', 'lpk'],
  ...[
    'expires_at',
    'attempt',
    'totp',
    'is_admin',
    'is_superuser',
    'role',
    'constructor',
    'toString',
    '$ne',
    '',
  ],
]

describe.each(writes)('%s %s', (method, kind) => {
  it('rejects unknown fields by name and changes nothing', async () => {
    const before = await stored(kind)
    for (const field of neverKnown) {
      const answer = await call(method, pathOf(method, kind), { ...wholeBody(kind, method), [field]: 1 })
      expect([answer.status, answer.body.errors?.at(-1)], field).toEqual([
        400,
        {
          field: field || expect.anything(),
          message: expect.stringMatching(/^is not recognized($|\. Names of fields)/),
        },
      ])
    }
    expect(await stored(kind)).toEqual(before)
  })

  it('cannot be reached through the prototype or another spelling of a field', async () => {
    const before = await stored(kind)
    const inner = JSON.stringify(wholeBody(kind, method)).slice(1, -1)
    const start = inner ? `${inner},` : ''
    for (const raw of [
      `{${start}"__proto__":{"permissions":["system:admin-access"],"is_enabled":false}}`,
      `{${start}"constructor":{"prototype":{"permissions":["system:admin-access"]}}}`,
      `{${start}"Permissions":["system:admin-access"]}`,
      `{${start}"permissions ":["system:admin-access"]}`,
      `{${start}"permissions[]":"system:admin-access"}`,
      `[{${start}"permissions":["system:admin-access"]}]`,
    ]) {
      const answer = await service.client(method, pathOf(method, kind), { bearer: manager.bearer, raw })
      expect(answer.status, raw).toBe(400)
    }
    expect(await stored(kind)).toEqual(before)
    expect(({} as Record<string, unknown>)['permissions']).toBeUndefined()
  })
})

describe('a user without users:manage', () => {
  it('cannot set any field of any user by these operations, including their own', async () => {
    const plain = await addSignedIn(service)
    const viewer = await addSignedIn(service, { permissions: ['users:view'] })
    for (const { bearer, user } of [plain, viewer])
      for (const id of [user.id, target.users, admin.user.id, 2147483647])
        for (const [method, path] of [
          ['PUT', `/api/2/users/${id}`],
          ['PATCH', `/api/2/users/${id}`],
          ['DELETE', `/api/2/users/${id}`],
          ['DELETE', `/api/2/users/${id}/sessions`],
          ['POST', `/api/2/users/${id}/password`],
        ] as const) {
          const body = {
            username: user.username,
            permissions: ['system:admin-access'],
            groups: [],
            password: 'x',
          }
          const answer = await service.client(method, path, {
            bearer,
            ...(method === 'DELETE' ? {} : { body }),
          })
          // The answer is the same for existing and missing objects.
          expect([answer.status, answer.body.code], `${method} ${path}`).toEqual([403, 'permission_denied'])
        }
  })
})
