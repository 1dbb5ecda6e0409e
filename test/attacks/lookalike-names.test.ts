import { randomInt, randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { findUser } from '../../lib/accounts/users/find-users.records.ts'
import { buildSkeletonField } from '../../lib/features/directory/names/lookalikes.ts'
import { hasMixedScripts } from '../../lib/features/directory/names/scripts.ts'
import { readConfig } from '../../lib/kernel/settings/config.ts'
import { makeIdp } from '../support/idp.ts'
import { addPerson, addSignedIn } from '../support/people.ts'
import { addProvider, signInByConnection, userOfSession } from '../support/saml.ts'
import { useService } from '../support/use-service.ts'

/* Names that look like those of others, or that are the addresses of others. */

const service = await useService({ PUBLIC_URL: 'https://auth.example.com' })
const admin = await addSignedIn(service, { permissions: ['system:admin-access'] })

const create = (fields: object) =>
  service.client('POST', '/api/2/users', {
    bearer: admin.bearer,
    body: { permissions: [], groups: [], ...fields },
  })
const patch = (id: number, body: object) =>
  service.client('PATCH', `/api/2/users/${id}`, { bearer: admin.bearer, body })
const newAddress = () => `ann-${randomUUID()}@example.com`

describe('a text has letters of several scripts', () => {
  it.each(['аdmin', 'adмin', 'рaypal', 'αdmin', 'Ꭺdmin', 'שלוםabc', 'adminの한', 'ｐаypal', '𝐚дмин'])(
    '%s',
    (name) => {
      expect(hasMixedScripts(name)).toBe(true)
    },
  )

  it.each([
    'admin',
    'ａｄｍｉｎ',
    'админ',
    'user-42_x@example.com',
    'José Đặng',
    '田中さんとtanakaタナカー',
    '김철수kim',
    'ㄅ漢字abc',
    'μικρό',
    'שלום 12',
    'ᏣᎳᎩ',
    '12345',
    '',
  ])('except %s', (name) => {
    expect(hasMixedScripts(name)).toBe(false)
  })
})

describe('a username with letters of several scripts', () => {
  const mixed = () => `${randomUUID()}-аdmin`

  it('is refused for new users and renames', async () => {
    const refused = await create({ username: mixed() })
    expect(refused.status).toBe(400)
    expect(refused.body.errors).toEqual([
      { field: 'username', message: 'must not mix letters of different scripts' },
    ])
    const { user } = await addPerson(service)
    expect((await patch(user.id, { username: mixed() })).status).toBe(400)
  })

  it('stays usable and editable if it is stored already', async () => {
    const username = mixed()
    const { user } = await addPerson(service, { username })
    expect((await patch(user.id, { username, full_name: 'Ann' })).status).toBe(200)
    const { body } = await service.client('GET', `/api/2/users/${user.id}`, { bearer: admin.bearer })
    expect(
      (await service.client('PUT', `/api/2/users/${user.id}`, { bearer: admin.bearer, body })).status,
    ).toBe(200)
  })

  it('is replaced for users whom a provider creates', async () => {
    const provider = await addProvider(service, await makeIdp(), { auto_create_users: true })
    const uid = mixed()
    const { session } = await signInByConnection(service, provider, {
      nameId: randomUUID(),
      attributes: { uid },
    })
    const stored = await findUser(service.services.table, (await userOfSession(service, session)) ?? 0)
    expect(stored?.username).not.toContain(uid)
  })
})

describe('the email address of another user', () => {
  it('is refused as a username of new users and in renames, in any spelling', async () => {
    const email = newAddress()
    await addPerson(service, { email })
    for (const username of [email, email.toUpperCase(), email.replace('@', '＠')])
      expect((await create({ username })).body.code).toBe('invalid_request')
    const { user } = await addPerson(service)
    expect((await patch(user.id, { username: email })).status).toBe(400)
  })

  it('is no longer the username of another user once an administrator vouches for it', async () => {
    const username = newAddress()
    const named = await addPerson(service, { username })
    expect((await create({ username: randomUUID(), email: username })).status).toBe(201)
    expect((await findUser(service.services.table, named.user.id))?.username).not.toBe(username)
    const { user } = await addPerson(service)
    expect((await patch(user.id, { email: username.toUpperCase() })).status).toBe(409)
  })

  it('can be both names of the same user, from the start and together', async () => {
    const [address, next] = [newAddress(), newAddress()]
    const both = await create({ username: address, email: address })
    expect(both.status).toBe(201)
    expect((await patch(both.body.id, { username: next, email: next })).status).toBe(200)
    expect((await patch(both.body.id, { username: address })).status).toBe(400)
    expect((await patch(both.body.id, { username: address, email: next })).status).toBe(400)
    expect((await patch(both.body.id, { username: address, email: address })).status).toBe(200)
    expect((await patch(both.body.id, { username: randomUUID(), email: null })).status).toBe(200)
    for (const free of [address, next])
      expect((await create({ username: free, email: free })).status).toBe(201)
  })

  it('goes to one of several users who ask for it at once, as a username or an address', async () => {
    const address = newAddress()
    const answers = await Promise.all(
      Array.from({ length: 12 }, (_, at) =>
        create(at % 2 ? { username: address } : { username: randomUUID(), email: address }),
      ),
    )
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1)
    // A username alone vouches for nothing.
    for (const { status } of answers) expect([201, 400, 409]).toContain(status)
  })

  it('is no username of a user whom a provider creates, and their username is no address', async () => {
    const provider = await addProvider(service, await makeIdp(), { auto_create_users: true })
    const [email, username] = [newAddress(), newAddress()]
    const victim = await addPerson(service, { email, username })
    const { session } = await signInByConnection(service, provider, {
      nameId: randomUUID(),
      attributes: { uid: email, mail: username },
    })
    const stored = await findUser(service.services.table, (await userOfSession(service, session)) ?? 0)
    expect(stored?.id).not.toBe(victim.user.id)
    expect(stored?.normalizedUsername).not.toBe(email)
    expect(stored?.normalizedEmail).not.toBe(username)
  })
})

describe('a username that looks like the name of another user', () => {
  /** Digits without doubles, so that names are new and only their beginnings look alike. */
  const newTail = () => String(randomInt(1e9, 1e10)).replaceAll(/[01]/g, '7')

  it.each([
    ['coco', 'сосо'],
    ['admin', 'admın'],
    ['paypal', 'paypaI'],
    ['Paypalx', 'paypaIx'],
    ['maria', 'rnaria'],
    ['rnodern', 'modern'],
    ['bill', 'bi1l'],
    ['zoo', 'z0O'],
    ['a-b', 'a‐b'],
  ])('is refused: next to %s, %s', async (name, double) => {
    const tail = newTail()
    expect((await create({ username: name + tail })).status).toBe(201)
    const refused = await create({ username: double + tail })
    expect(refused.status).toBe(409)
    expect(refused.body).toMatchObject({
      code: 'conflict',
      detail: 'This username looks like the name of another user. Choose another one.',
    })
    expect(refused.text).not.toContain(name + tail)
    const { user } = await addPerson(service)
    expect((await patch(user.id, { username: double + tail })).status).toBe(409)
  })

  it('is refused if only its capital letters look like them', async () => {
    const tail = newTail()
    expect((await create({ username: `paypal${tail}` })).status).toBe(201)
    const other = await create({ username: `paypai${tail}` })
    expect(other.status).toBe(201)
    expect((await patch(other.body.id, { username: `paypaI${tail}` })).status).toBe(409)
    expect((await patch(other.body.id, { username: `PayPai${tail}` })).status).toBe(200)
  })

  it('is reported as taken if it is the same name', async () => {
    const username = `coco${newTail()}`
    expect((await create({ username })).status).toBe(201)
    expect((await create({ username: username.toUpperCase() })).body.detail).toBe(
      'This username is already taken.',
    )
  })

  it('goes to one of several users who ask for it at once', async () => {
    const tail = newTail()
    const answers = await Promise.all(
      Array.from({ length: 12 }, (_, at) =>
        create({ username: `${['maria', 'rnaria', 'ｍaria'][at % 3]}${tail}` }),
      ),
    )
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1)
    for (const { status } of answers) expect([201, 409]).toContain(status)
  })

  it('can replace the own name, and is free after a change or the end of the other account', async () => {
    const tail = newTail()
    const first = await create({ username: `maria${tail}` })
    expect((await patch(first.body.id, { username: `rnaria${tail}` })).status).toBe(200)
    expect((await create({ username: `maria${tail}` })).status).toBe(409)
    expect((await patch(first.body.id, { username: randomUUID() })).status).toBe(200)
    const second = await create({ username: `maria${tail}` })
    expect(second.status).toBe(201)
    await service.client('DELETE', `/api/2/users/${second.body.id}`, { bearer: admin.bearer })
    expect((await create({ username: `rnaria${tail}` })).status).toBe(201)
  })

  it('is not given to a user whom a provider creates', async () => {
    const provider = await addProvider(service, await makeIdp(), { auto_create_users: true })
    const tail = newTail()
    expect((await create({ username: `coco${tail}` })).status).toBe(201)
    const { session } = await signInByConnection(service, provider, {
      nameId: randomUUID(),
      attributes: { uid: `сосо${tail}` },
    })
    const stored = await findUser(service.services.table, (await userOfSession(service, session)) ?? 0)
    expect(stored?.username).toBe(`сосо${tail}-2`)
  })

  it('is allowed if the service allows it', async () => {
    const allowed = { allowLookalikeUsernames: true }
    expect(await buildSkeletonField(allowed, 'maria')).toEqual({ normalizedSkeleton: undefined })
    expect(readConfig({ ...process.env, ALLOW_LOOKALIKE_USERNAMES: 'true' })).toMatchObject(allowed)
  })
})
