import { randomUUID } from 'node:crypto'
import { expect, it } from 'vitest'
import { hashPassword } from '../../lib/kernel/secrets/passwords.ts'
import { newAuthenticator } from '../support/authenticator.ts'
import type { Json } from '../support/client.ts'
import { allPages } from '../support/directory.ts'
import { addLink } from '../support/links.ts'
import { SoftwarePasskey } from '../support/passkeys.ts'
import { addPerson, addSignedIn } from '../support/people.ts'
import { useService } from '../support/use-service.ts'

const service = await useService()

it('an administrator imports people with all that they sign in with, and exports them again', async () => {
  const admin = await addSignedIn(service, { permissions: ['system:admin-access'] })
  const call = async (method: string, path: string, body?: object) => {
    const answer = await service.client(method, path, { bearer: admin.bearer, body })
    expect(answer.status, `${method} ${path} ${answer.text}`).toBeLessThan(300)
    return answer.body
  }
  // The first request of a session is noted with its user.
  expect((await call('GET', '/api/2/users/export')).map(({ username }: Json) => username)).toEqual([
    admin.user.username,
  ])
  const groups = [`editors-${randomUUID()}`, `authors-${randomUUID()}`]
  for (const name of groups)
    await call('POST', '/api/2/groups', { name, permissions: name === groups[0] ? ['media:access'] : [] })
  const [authenticator, passkey] = [newAuthenticator(), new SoftwarePasskey()]
  const guest = `${randomUUID()}@example.com`
  const creator = await addSignedIn(service, { permissions: ['media:access'] })
  await addLink(service, creator.bearer, { email: guest })
  const { user: taken } = await addPerson(service, { email: `${randomUUID()}@example.com` })
  const names = Array.from({ length: 6 }, () => `made-${randomUUID()}`)
  const [editor = '', chief = ''] = names
  const lines = [
    {
      username: editor,
      email: `${editor}@example.com`,
      groups,
      password_hash: await hashPassword('the old password', 4),
      totp_seed: authenticator.key,
      recovery_codes: ['abcd2345efgh'],
      external_id: { source: 'keycloak', id: randomUUID() },
    },
    {
      username: chief,
      permissions: ['system:admin-access'],
      passkeys: [
        {
          credential_id: passkey.id.toString('base64url'),
          public_key: passkey.publicKey.toString('base64url'),
        },
      ],
    },
    // A hash that is easy to guess is stored with another one over it.
    { username: names[2], password_hash: `{SSHA}${Buffer.alloc(24, 7).toString('base64')}` },
    { username: names[3], email: guest },
    { username: names[4], email: `${names[4]}@example.com`, email_verified: false },
    { username: names[5], email: taken.email },
  ]
  const dryRun = await call('POST', '/api/2/users/import', { lines, dry_run: true })
  const imported = await call('POST', '/api/2/users/import', { lines })
  const outcomes = [...Array.from({ length: 5 }, () => 'imported'), 'refused']
  for (const { results } of [dryRun, imported])
    expect(results.map(({ outcome }: Json) => outcome)).toEqual(outcomes)
  const again = await call('POST', '/api/2/users/import', { lines })
  expect(again.results.map(({ outcome }: Json) => outcome)).toEqual(
    outcomes.map((outcome) => (outcome === 'imported' ? 'known' : outcome)),
  )

  const login = await service.client('POST', '/api/2/auth/login', {
    body: { username: editor, password: 'the old password', otp: authenticator.code() },
  })
  expect(login.status, login.text).toBe(200)
  expect(login.body.user.effective_permissions).toEqual(['media:access'])

  const pages = await allPages<Json>(service, '/api/2/users/export?limit=2', admin.bearer)
  const exported = pages.flat()
  expect(exported).toHaveLength(8)
  expect(exported.find(({ username }) => username === editor)).toMatchObject({
    email: `${editor}@example.com`,
    groups: expect.arrayContaining(groups),
  })
  const events = await call('GET', '/api/2/auth/audit-events?event=users.imported,users.exported')
  expect(events).toHaveLength(6 + pages.length)
  for (const event of events) expect(event).toMatchObject({ actor: admin.user.id, outcome: 'succeeded' })
})
