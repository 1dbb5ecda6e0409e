import { describe, expect, it } from 'vitest'
import { operations } from '../../lib/features/operations.ts'
import { problemKinds } from '../../lib/http/problem.ts'
import { mintCredential } from '../../lib/kernel/secrets/credentials.ts'
import { addSignedIn } from '../support/people.ts'
import { useService } from '../support/use-service.ts'

/*
 * A 404 says what does not exist and what to do. It does not say whether something exists that the caller may not see.
 */

const service = await useService({ ALLOWED_ORIGINS: 'https://films.example.com, https://other.example.com' })
const admin = await addSignedIn(service, { permissions: ['system:admin-access'] })
const person = await addSignedIn(service)

const detailOf = async (method: string, path: string, options: object = {}): Promise<string> => {
  const { status, body } = await service.client(method, path, options)
  expect([status, body.code]).toEqual([404, 'not_found'])
  return body.detail
}

const checkTicket = (ticket: string, audience?: string): Promise<string> =>
  detailOf('POST', '/api/2/auth/ticket/check', { body: { ticket, ...(audience ? { audience } : {}) } })

describe('a 404', () => {
  it('says that nothing has a path, also of another version of the API', async () => {
    for (const path of ['/api/2/userz', '/api/3/users', '/users.php'])
      expect(await detailOf('GET', path, { bearer: admin.bearer })).toBe(
        'Nothing has this path. The page /docs lists the paths of all operations.',
      )
  })

  it('names the kind of thing that an ID belongs to', async () => {
    const { bearer } = admin
    const expected = {
      '/api/2/users/999999': 'user',
      '/api/2/groups/999999': 'group',
      '/api/2/user-templates/999999': 'user template',
      '/api/2/oidc-clients/999999': 'client',
      '/api/2/protected-apis/999999': 'API',
    }
    for (const [path, kind] of Object.entries(expected))
      expect(await detailOf('GET', path, { bearer })).toBe(
        `The ${kind} does not exist, or you do not have access to it. Check its ID.`,
      )
  })

  it('says the same about a user who exists and one who does not, to those who may see neither', async () => {
    const { bearer } = person
    const path = (id: number) => `/api/2/users/${id}/email/confirmation`
    const details = await Promise.all(
      [admin.user.id, 999_999].map((id) => detailOf('POST', path(id), { bearer })),
    )
    expect(new Set(details)).toEqual(
      new Set(['The user does not exist, or you do not have access to it. Check its ID.']),
    )
  })

  it('says the same about a ticket that is used, for another audience, or was never issued', async () => {
    const create = async (body: object) =>
      (await service.client('POST', '/api/2/auth/ticket', { bearer: person.bearer, body })).body.ticket
    const used = await create({})
    await service.client('POST', '/api/2/auth/ticket/check', { body: { ticket: used } })
    const details = [
      await checkTicket(used),
      await checkTicket(await create({ audience: 'https://films.example.com' }), 'https://other.example.com'),
      await checkTicket(mintCredential('auth_ticket', person.user.id).value),
      await checkTicket('nonsense'),
    ]
    expect(new Set(details).size).toBe(1)
    expect(details[0]).toContain('The ticket is unknown, used, expired or revoked')
  })

  it('names no sentence that fits everything, for any operation with an ID in its path', async () => {
    const details = new Map<string, string>()
    for (const { method, path } of operations.filter(
      ({ method, path }) => method === 'GET' && path.includes('{'),
    )) {
      const url = path.replaceAll(/\{\w+\}/g, '999999')
      const { status, body } = await service.client('GET', url, { bearer: admin.bearer })
      if (status === 404) details.set(`${method} ${path}`, body.detail)
    }
    expect(details.size).toBeGreaterThan(12)
    expect([...details].filter(([, detail]) => detail === problemKinds.not_found.detail)).toEqual([])
  })
})

it('an unknown field in camel case is answered with how names are written', async () => {
  const { bearer } = await addSignedIn(service, { permissions: ['system:admin-access'] })
  const { status, body } = await service.client('POST', '/api/2/users', {
    bearer,
    body: { username: 'grace', fullName: 'Grace Hopper' },
  })
  expect(status).toBe(400)
  expect(body.errors).toContainEqual({
    field: 'fullName',
    message: 'is not recognized. Names of fields are written like full_name',
  })
})
