import { beforeEach, describe, expect, it } from 'vitest'
import { findUser } from '../../lib/accounts/users/find-users.records.ts'
import { readAuditItems } from '../support/audit-items.ts'
import { addPasskey, SoftwarePasskey, signInWithPasskey, startRegistration } from '../support/passkeys.ts'
import { addPerson, addSignedIn, type SignedInPerson, signIn } from '../support/people.ts'
import { useService } from '../support/use-service.ts'

const service = await useService({ RATE_LIMITS: 'passkeyChallenges=10000/60' })
let person: SignedInPerson
beforeEach(async () => {
  person = await addSignedIn(service)
})

const path = '/api/2/users/me/passkeys'
const call = (method: string, target: string, body?: unknown, bearer = person.bearer) =>
  service.client(method, target, { bearer, body })
const eventsOf = async (id = person.user.id) =>
  (await readAuditItems(service.services.table))
    .filter(({ user }) => user === id)
    .map(({ event, target }) => `${event} ${target}`)

describe('the options to create a passkey', () => {
  it('contain a random user handle that all passkeys of the user share, and no ID of the user', async () => {
    const first = await startRegistration(service, person)
    expect(first).toMatchObject({
      rp: { id: '127.0.0.1', name: 'Latchkey' },
      user: { name: person.user.username, displayName: person.user.username },
      timeout: 300_000,
      excludeCredentials: [],
      authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
      attestation: 'none',
    })
    expect(Buffer.from(first.user.id, 'base64url')).toHaveLength(32)
    expect(Buffer.from(first.challenge, 'base64url')).toHaveLength(32)
    const { passkey } = await addPasskey(service, person)
    const second = await startRegistration(service, person)
    expect(second.user.id).toBe(passkey.userHandle)
    expect(second.challenge).not.toBe(first.challenge)
    expect(second.excludeCredentials).toEqual([
      { type: 'public-key', id: passkey.id.toString('base64url'), transports: ['hybrid', 'internal'] },
    ])
  })

  it('are refused for users who only sign in through an identity provider', async () => {
    await service.services.table.update({ pk: `user#${person.user.id}`, sk: 'user' }, (x) => ({
      set: [
        `${x.path('passwordHash')} = ${x.value(null)}`,
        `${x.path('allow_changing_password')} = ${x.value(false)}`,
      ],
    }))
    expect((await call('POST', `${path}/options`)).body.code).toBe('permission_denied')
    const credential = new SoftwarePasskey().create({ challenge: 'x', rp: { id: 'x' }, user: { id: 'x' } })
    expect((await call('POST', path, { credential })).body.code).toBe('permission_denied')
  })
})

describe('a new passkey', () => {
  it.each(['ES256', 'EdDSA', 'RS256'] as const)(
    'with a key for %s is listed and signs in',
    async (algorithm) => {
      const { passkey, id } = await addPasskey(service, person, new SoftwarePasskey({ algorithm }))
      const { body } = await call('GET', path)
      expect(body).toEqual([
        {
          id,
          name: 'Passkey',
          created_at: expect.any(String),
          last_used_at: null,
          is_synced: true,
          is_backed_up: false,
          is_user_verified: true,
          aaguid: '00000000-0000-0000-0000-000000000000',
        },
      ])
      const signedIn = await signInWithPasskey(service, passkey, { isBackedUp: true })
      expect(signedIn.status).toBe(200)
      expect(signedIn.body.user.id).toBe(person.user.id)
      const [used] = (await call('GET', path)).body
      expect(used).toMatchObject({ is_backed_up: true, last_used_at: expect.any(String) })
      expect(await eventsOf()).toEqual(
        expect.arrayContaining([`passkey.added ${id}`, `login.succeeded passkey:${id}`]),
      )
    },
  )

  it('has the name that was sent and its own path', async () => {
    const credential = new SoftwarePasskey().create(await startRegistration(service, person))
    const created = await call('POST', path, { name: 'Laptop', credential })
    expect(created.status).toBe(201)
    expect(created.body.name).toBe('Laptop')
    expect(created.headers.get('location')).toBe(`${path}/${created.body.id}`)
  })

  it('keeps other sessions and the password as they were', async () => {
    const other = await signIn(service, person)
    await addPasskey(service, person)
    expect((await call('GET', '/api/2/users/me', undefined, other)).status).toBe(200)
    expect(await signIn(service, person)).toBeTruthy()
  })

  it('is reported to its owner by email', async () => {
    const owner = await addSignedIn(service, { email: `owner-${person.user.id}@example.com` })
    const { id } = await addPasskey(service, owner)
    await call('DELETE', `${path}/${id}`, undefined, owner.bearer)
    const mails = async () => service.mailbox.mailsTo(owner.user.email).map(({ subject }) => subject)
    await expect
      .poll(mails)
      .toEqual(expect.arrayContaining(['A passkey was added – Latchkey', 'A passkey was removed – Latchkey']))
  })
})

describe('the limit of passkeys', () => {
  it('is 20 per user, also for parallel requests', async () => {
    const table = service.services.table
    await addPasskey(service, person)
    await table.update({ pk: `user#${person.user.id}`, sk: 'user' }, (x) => ({
      set: [`${x.path('passkeys', 'count')} = ${x.value(18)}`],
    }))
    const credentials = []
    for (let at = 0; at < 4; at++)
      credentials.push(new SoftwarePasskey().create(await startRegistration(service, person)))
    const answers = await Promise.all(credentials.map((credential) => call('POST', path, { credential })))
    const added = answers.filter(({ status }) => status === 201).length
    expect(answers.every(({ status }) => status === 201 || status === 409)).toBe(true)
    expect((await findUser(table, person.user.id))?.passkeys?.count).toBe(18 + added)
    for (let count = 18 + added; count < 20; count++) await addPasskey(service, person)
    const refused = await call('POST', `${path}/options`)
    expect(refused.body).toMatchObject({ status: 409, code: 'conflict' })
    expect(refused.body.detail).toContain('20 passkeys')
    expect((await call('GET', `${path}?limit=2&ordering=-created_at`)).body).toHaveLength(2)
  })
})

describe('a passkey', () => {
  it('can be renamed by its owner alone', async () => {
    const { id } = await addPasskey(service, person)
    const renamed = await call('PATCH', `${path}/${id}`, { name: 'Phone' })
    expect(renamed.body).toMatchObject({ id, name: 'Phone' })
    const other = await addSignedIn(service)
    expect((await call('PATCH', `${path}/${id}`, { name: 'Mine' }, other.bearer)).status).toBe(404)
    expect((await call('DELETE', `${path}/${id}`, undefined, other.bearer)).status).toBe(404)
    for (const name of ['', 'x'.repeat(101), 7, null])
      expect((await call('PATCH', `${path}/${id}`, { name })).status).toBe(400)
    expect((await call('GET', path)).body[0].name).toBe('Phone')
    expect(await eventsOf()).toContain(`passkey.renamed ${id}`)
  })

  it('that is removed signs in no longer, and other sessions end with it', async () => {
    const { passkey, id } = await addPasskey(service, person)
    const opened = (await signInWithPasskey(service, passkey)).body.session_key
    expect((await call('DELETE', `${path}/${id}`)).status).toBe(204)
    expect((await signInWithPasskey(service, passkey)).body).toMatchObject({
      status: 401,
      reason: 'passkey_unknown',
    })
    expect((await call('GET', '/api/2/users/me', undefined, opened)).status).toBe(401)
    expect((await call('GET', path)).body).toEqual([])
    expect((await call('DELETE', `${path}/${id}`)).status).toBe(404)
    expect(await eventsOf()).toContain(`passkey.removed ${id}`)
  })

  it('can be added again by another user after it was removed, or its owner was deleted', async () => {
    const admin = await addSignedIn(service, { permissions: ['users:manage'] })
    const credentialId = Buffer.from(`the same authenticator ${person.user.id}`)
    const { id } = await addPasskey(service, person, new SoftwarePasskey({ credentialId }))
    await call('DELETE', `${path}/${id}`)
    const second = await addSignedIn(service)
    await addPasskey(service, second, new SoftwarePasskey({ credentialId }))
    const { status } = await call('DELETE', `/api/2/users/${second.user.id}`, undefined, admin.bearer)
    expect(status).toBe(204)
    const { passkey } = await addPasskey(service, person, new SoftwarePasskey({ credentialId }))
    expect((await signInWithPasskey(service, passkey)).body.user.id).toBe(person.user.id)
  })
})

describe('administrators', () => {
  it('list and remove the passkeys of a user, which ends the sessions of the user', async () => {
    const manager = await addSignedIn(service, { permissions: ['users:manage'] })
    const { passkey, id } = await addPasskey(service, person)
    const theirs = `/api/2/users/${person.user.id}/passkeys`
    expect((await call('GET', theirs, undefined, manager.bearer)).body).toMatchObject([{ id }])
    expect((await call('DELETE', `${theirs}/${id}`, undefined, manager.bearer)).status).toBe(204)
    expect((await call('GET', path)).status).toBe(401)
    expect((await signInWithPasskey(service, passkey)).status).toBe(401)
    expect((await call('DELETE', `${theirs}/${id}`, undefined, manager.bearer)).status).toBe(404)
    expect((await call('GET', '/api/2/users/2147483647/passkeys', undefined, manager.bearer)).status).toBe(
      404,
    )
    expect((await call('DELETE', `${theirs}/x`, undefined, manager.bearer)).body.errors).toMatchObject([
      { field: 'passkey_id' },
    ])
  })

  it('have passkeys that user managers cannot remove', async () => {
    const manager = await addSignedIn(service, { permissions: ['users:manage'] })
    const admin = await addSignedIn(service, { permissions: ['system:admin-access'] })
    const { id } = await addPasskey(service, admin)
    const target = `/api/2/users/${admin.user.id}/passkeys/${id}`
    expect((await call('DELETE', target, undefined, manager.bearer)).status).toBe(403)
    expect((await call('DELETE', target)).status).toBe(403)
  })

  it('cannot use the passkeys of a user whom they impersonate', async () => {
    const admin = await addSignedIn(service, { permissions: ['system:admin-access'] })
    const target = await addPerson(service)
    await call('POST', '/api/2/auth/impersonation', { user: target.user.id }, admin.bearer)
    for (const [method, suffix] of [
      ['POST', '/options'],
      ['GET', ''],
      ['DELETE', '/1'],
      ['GET', '/settings'],
    ] as const)
      expect((await call(method, path + suffix, undefined, admin.bearer)).status).toBe(403)
  })
})

describe('what browsers and password managers look up', () => {
  it('leads to the password and the passkeys of the account page, and names the origins', async () => {
    const password = await service.client('GET', '/.well-known/change-password')
    expect([password.status, password.headers.get('location')]).toEqual([303, '/account#/password'])
    const page = `${service.url}/account#/passkeys`
    expect((await service.client('GET', '/.well-known/passkey-endpoints')).body).toEqual({
      enroll: page,
      manage: page,
    })
    expect((await service.client('GET', '/.well-known/webauthn')).body).toEqual({ origins: [service.url] })
  })

  it('says nothing of passkeys that the caller does not have', async () => {
    const other = await addSignedIn(service)
    await addPasskey(service, other)
    expect((await call('GET', `${path}/settings`)).body).toEqual({
      required_with_password: false,
      rp_id: '127.0.0.1',
      user_handle: null,
      credential_ids: [],
    })
  })
})
