import { beforeAll, describe, expect, it } from 'vitest'
import { createClient } from '../../lib/client/create-client.ts'
import { isLatchkeyError, LatchkeyError } from '../../lib/client/latchkey-error.ts'
import { addPerson, signIn } from '../support/people.ts'
import { useService } from '../support/use-service.ts'

const service = await useService()
const admin = await addPerson(service, { username: 'the-admin', permissions: ['system:admin-access'] })
const credential = await signIn(service, admin)

const clientOfAdmin = () => createClient({ baseUrl: service.url, credential })

const collect = async <Item>(items: AsyncIterable<Item>): Promise<Item[]> => {
  const all: Item[] = []
  for await (const item of items) all.push(item)
  return all
}

describe('a session', () => {
  it('is used after signing in, and removed by signing out', async () => {
    const client = createClient({ baseUrl: service.url })
    const answer = await client.signIn({ username: 'the-admin', password: admin.password })
    expect(answer.user.username).toBe('the-admin')
    expect(client.hasSession).toBe(true)
    expect((await client.users.getCurrentUser()).username).toBe('the-admin')

    await client.signOut()
    expect(client.hasSession).toBe(false)
    await expect(
      client.users.getCurrentUser(undefined, { credential: answer.session_key }),
    ).rejects.toMatchObject({ status: 401, code: 'not_authenticated' })
    await client.signOut()
  })

  it('is removed when the service no longer accepts it, which is reported once', async () => {
    let ends = 0
    const { user, password } = await addPerson(service)
    const client = createClient({ baseUrl: service.url, onSessionEnd: () => ends++ })
    const { session_key: key } = await client.signIn({ username: user.username, password })
    const { items } = await client.sessions.listOwnSessions()
    await client.sessions.endOwnSession(items[0]?.id ?? 0)
    const calls = await Promise.allSettled([client.users.getCurrentUser(), client.users.getCurrentUser()])
    expect(calls.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
    expect([ends, client.hasSession]).toEqual([1, false])

    client.startSession({ session_key: key })
    await client.signOut()
    expect([ends, client.hasSession]).toEqual([1, false])
  })

  it('stays after a sign-in with a wrong password', async () => {
    const client = createClient({ baseUrl: service.url })
    client.startSession({ session_key: credential })
    const wrong = client.signIn({ username: 'the-admin', password: 'wrong' })
    await expect(wrong).rejects.toMatchObject({ status: 401, code: 'login_failed' })
    expect((await client.users.getCurrentUser()).username).toBe('the-admin')
  })
})

describe('errors', () => {
  it('branch by code and reason', async () => {
    const client = createClient({ baseUrl: service.url })
    const error = await client.signIn({ username: 'the-admin', password: 'wrong' }).catch((thrown) => thrown)
    expect(error).toBeInstanceOf(LatchkeyError)
    expect(isLatchkeyError(error, 'login_failed')).toBe(true)
    expect(isLatchkeyError(error, 'login_failed', 'invalid_credentials')).toBe(true)
    expect(isLatchkeyError(error, 'login_failed', 'passkey_unknown')).toBe(false)
    expect(isLatchkeyError(error, 'login_incomplete')).toBe(false)
    expect(isLatchkeyError(new Error('login_failed'))).toBe(false)
    expect(error.requestId).toMatch(/./)
    expect(client.hasSession).toBe(false)
  })

  it('list the invalid fields', async () => {
    const invalid = clientOfAdmin().users.createUser({ username: '', permissions: [], groups: [] })
    await expect(invalid).rejects.toMatchObject({
      code: 'invalid_request',
      status: 400,
      errors: [{ field: 'username' }],
    })
  })
})

describe('calls', () => {
  it('replace a user with the fields that were read', async () => {
    const { users } = clientOfAdmin()
    const { user } = await addPerson(service, { full_name: 'As created' })
    const before = await users.getUser(user.id)
    const after = await users.updateUser(user.id, { ...before, full_name: 'Renamed' })
    expect([before.full_name, after.full_name]).toEqual(['As created', 'Renamed'])
    expect((await users.patchUser(user.id, { full_name: null })).full_name).toBeNull()
    await expect(users.deleteUser(user.id)).resolves.toBeUndefined()
    await expect(users.getUser(user.id)).rejects.toMatchObject({ code: 'not_found' })
  })

  it('exchange a ticket without sending the session of the client', async () => {
    const { ticket } = await clientOfAdmin().tickets.createAuthTicket({
      audience: 'https://shop.example.com',
    })
    const sent: (string | null)[] = []
    const other = createClient({
      baseUrl: service.url,
      credential: () => Promise.resolve(credential),
      fetch: (url, init) => {
        sent.push(new Headers(init.headers).get('authorization'))
        return fetch(url, init)
      },
    })
    const checked = await other.tickets.checkAuthTicket({ ticket, audience: 'https://shop.example.com' })
    expect(checked.username).toBe('the-admin')
    expect(sent).toEqual([null])
    await expect(other.tickets.checkAuthTicket({ ticket })).rejects.toMatchObject({ code: 'not_found' })
  })

  it('name the address of an end user with the API token of a product', async () => {
    const { token } = await clientOfAdmin().apiTokens.createApiToken({
      name: 'web server',
      scopes: ['client-address:set'],
    })
    const product = createClient({ baseUrl: service.url, credential: token })
    product.startSession({ session_key: credential })
    const login = { username: 'the-admin', password: admin.password }
    const { user } = await product.sessions.login(login, { clientAddress: '203.0.113.7' })
    expect(user.id).toBe(admin.user.id)
    const invalid = product.sessions.login(login, { clientAddress: 'nowhere' })
    await expect(invalid).rejects.toMatchObject({ status: 400 })
  })

  it('call for the users of their credentials', async () => {
    const other = await addPerson(service)
    const client = clientOfAdmin()
    const key = await signIn(service, other)
    expect((await client.users.getCurrentUser(undefined, { credential: key })).id).toBe(other.user.id)
  })

  it('return the address of what a browser opens', () => {
    const { connectionFlow, pages } = clientOfAdmin()
    expect(connectionFlow.startSamlAuthUrl(7, { return_to: 'https://shop.example.com/?a=1&b=2' })).toBe(
      `${service.url}/api/2/auth/saml/7/sso?return_to=https%3A%2F%2Fshop.example.com%2F%3Fa%3D1%26b%3D2`,
    )
    expect(pages.signInPageUrl()).toBe(`${service.url}/`)
  })
})

describe('lists', () => {
  const names = ['Archive', 'Color', 'Editors', 'Sound', 'Writers']
  beforeAll(async () => {
    for (const name of names) await clientOfAdmin().groups.createGroup({ name })
  })

  it('are read page by page', async () => {
    const { groups } = clientOfAdmin()
    const first = await groups.listGroups({ ordering: 'name', limit: 2 })
    expect(first.items.map(({ name }) => name)).toEqual(['Archive', 'Color'])
    const second = await groups.listGroups({ ordering: 'name', limit: 2, cursor: first.nextCursor })
    expect(second.items.map(({ name }) => name)).toEqual(['Editors', 'Sound'])
    const last = await groups.listGroups({ ordering: 'name', limit: 2, cursor: second.nextCursor })
    expect(last.nextCursor).toBeUndefined()
  })

  it('are read to the end with an iterator', async () => {
    const { groups } = clientOfAdmin()
    const found = await collect(groups.iterateGroups({ ordering: 'name', limit: 2 }))
    expect(found.map(({ name }) => name)).toEqual(names)
    expect(await collect(groups.iterateGroups({ name: 'Nothing' }))).toEqual([])
  })

  it('stop when the caller aborts', async () => {
    const controller = new AbortController()
    const seen: string[] = []
    const read = async () => {
      const { signal } = controller
      for await (const { name } of clientOfAdmin().groups.iterateGroups({ limit: 2 }, { signal })) {
        seen.push(name)
        controller.abort()
      }
    }
    await expect(read()).rejects.toMatchObject({ name: 'AbortError' })
    expect(seen).toHaveLength(1)
  })
})
