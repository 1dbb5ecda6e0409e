import { randomBytes } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import type { Answer } from '../support/client.ts'
import { makeIdp } from '../support/idp.ts'
import { readMailedToken } from '../support/mailed-page.ts'
import { addSignedIn, type SignedInPerson } from '../support/people.ts'
import {
  addProvider,
  signInByConnection,
  type TestProvider,
  userOfSession,
  vouchForDomains,
} from '../support/saml.ts'
import { useService } from '../support/use-service.ts'

/* A username is the email address of somebody else, who then loses their name or their account. */

const service = await useService({
  PUBLIC_URL: 'https://auth.example.com',
  RATE_LIMITS: 'signUpsPerAddress=1000/3600',
})
const admin = await addSignedIn(service, { permissions: ['system:admin-access'] })
const manager = await addSignedIn(service, { permissions: ['users:manage', 'users:view'] })
const body = { mode: 'open' }
const policy = await service.client('PUT', '/api/2/system/sign-up-policy', { bearer: admin.bearer, body })
expect(policy.status, policy.text).toBe(200)

const makeDomain = (): string => `${randomBytes(8).toString('hex')}.example`
const makeAddress = (name = randomBytes(6).toString('hex')): string => `${name}@${makeDomain()}`
const call = (who: SignedInPerson, method: 'GET' | 'POST' | 'PUT' | 'PATCH', path: string, body?: object) =>
  service.client(method, `/api/2/${path}`, { bearer: who.bearer, body })
const readUser = async (id: number) => (await call(admin, 'GET', `users/${id}`)).body
const createPlain = async (who: SignedInPerson, fields: object): Promise<Answer> =>
  call(who, 'POST', 'users', { permissions: [], groups: [], ...fields })

type SetName = (username: string, email: string | null) => Promise<Answer>
const addPlain = async (email: string | null) =>
  (await createPlain(admin, { username: `plain-${randomBytes(6).toString('hex')}`, email })).body
const rename =
  (who: SignedInPerson, method: 'PUT' | 'PATCH'): SetName =>
  async (username, email) => {
    const { id } = await addPlain(null)
    const fields = method === 'PUT' ? { permissions: [], groups: [] } : {}
    return call(who, method, `users/${id}`, { ...fields, username, email })
  }
const importLine =
  (isVerified: boolean): SetName =>
  (username, email) =>
    call(admin, 'POST', 'users/import', {
      lines: [{ username, ...(email ? { email, email_verified: isVerified } : {}) }],
    })

const setters: readonly (readonly [string, boolean, () => SetName])[] = [
  ['created by an administrator', true, () => (username, email) => createPlain(admin, { username, email })],
  ['created by a user manager', false, () => (username, email) => createPlain(manager, { username, email })],
  ['changed by an administrator', true, () => rename(admin, 'PATCH')],
  ['changed by a user manager', false, () => rename(manager, 'PATCH')],
  ['replaced by an administrator', true, () => rename(admin, 'PUT')],
  ['replaced by a user manager', false, () => rename(manager, 'PUT')],
  ['imported with a verified address', true, () => importLine(true)],
  ['imported with an unverified address', true, () => importLine(false)],
]

const isRefused = ({ status, body }: Answer): boolean =>
  status === 400 ||
  [...(body.lines ?? []), ...(body.results ?? [])].some((line) => (line.errors?.length ?? 0) > 0)

describe('a username with an @', () => {
  it.each(setters)(
    'of a user who is %s is their own verified address, or refused',
    async (_, vouches, make) => {
      const set = make()
      const own = makeAddress()
      expect(isRefused(await set(own, own))).toBe(!vouches)
      const cased = makeAddress()
      expect(isRefused(await set(cased.toUpperCase(), cased))).toBe(!vouches)
      // Of somebody else: free, with a company, written otherwise, or only at the end.
      const company = await addProvider(service, await makeIdp())
      const proven = makeDomain()
      await vouchForDomains(service, company, [proven])
      const foreign = [makeAddress(), `ceo@${proven}`, `ceo＠${proven}`, `ceo﹫${proven}`, `@${proven}`, 'a@']
      for (const username of foreign)
        for (const email of [null, makeAddress()])
          expect([username, isRefused(await set(username, email))]).toEqual([username, true])
      expect(isRefused(await set(`plain-${randomBytes(6).toString('hex')}`, makeAddress()))).toBe(false)
    },
  )

  it('stays when its user keeps it, and other fields change', async () => {
    const own = makeAddress()
    const { id } = (await createPlain(admin, { username: own, email: own })).body
    const renamed = await call(manager, 'PATCH', `users/${id}`, { username: own, full_name: 'Ada' })
    expect(renamed.status).toBe(200)
    const moved = await call(admin, 'PATCH', `users/${id}`, { email: makeAddress() })
    expect([moved.status, moved.body.username]).toEqual([200, own])
  })
})

describe('a company', () => {
  const signIn = async (company: TestProvider, username: string, email: string) => {
    const facts = { nameId: randomBytes(8).toString('hex'), attributes: { username, email } }
    const { session } = await signInByConnection(service, company, facts)
    return readUser((await userOfSession(service, session)) ?? 0)
  }

  it('names none of its people after the address of another company', async () => {
    const [a, b] = [await addProvider(service, await makeIdp()), await addProvider(service, await makeIdp())]
    const [domainA, domainB] = [makeDomain(), makeDomain()]
    await vouchForDomains(service, a, [domainA])
    await vouchForDomains(service, b, [domainB])
    const name = randomBytes(6).toString('hex')
    const ceo = `${name}@${domainB}`
    const thief = await signIn(a, ceo, `mallory@${domainA}`)
    expect([thief.username, thief.email]).toEqual([name, `mallory@${domainA}`])
    for (const given of [`${name}＠${domainB}`, `x@${domainB}`, '@', `@${domainB}`])
      expect((await signIn(a, given, makeAddress())).username).not.toMatch(/[@＠]/)
    const real = await signIn(b, ceo, ceo)
    expect([real.username, real.email, real.email_verified]).toEqual([ceo, ceo, true])
    // An address that the company may not speak for is no name either.
    const free = makeAddress()
    expect((await signIn(a, free, free)).username).not.toContain('@')
  })
})

describe('the owner of an address', () => {
  const signUp = async (email: string): Promise<Answer> => {
    const asked = await service.client('POST', '/api/2/auth/sign-up', { body: { email } })
    expect(asked.status).toBe(204)
    const token = await readMailedToken(service, email, 'sign-up')
    return service.client('POST', '/api/2/auth/sign-up/complete', { body: { token, full_name: 'Owner' } })
  }
  const findByEmail = async (email: string) =>
    (await call(admin, 'GET', `users?email=${encodeURIComponent(email)}`)).body[0]
  /** An account whose username is an address that it had once. */
  const addNamedLike = async (address: string): Promise<number> => {
    const { id } = (await createPlain(admin, { username: address, email: address })).body
    await call(admin, 'PATCH', `users/${id}`, { email: makeAddress() })
    return id
  }

  it('signs up although somebody else is named like it, who gets another name', async () => {
    const address = makeAddress()
    const holder = await addNamedLike(address)
    const answer = await signUp(address)
    expect(answer.status, answer.text).toBe(200)
    const owner = await findByEmail(address)
    expect([owner.username, owner.email_verified]).toEqual([address, true])
    const renamed = await readUser(holder)
    expect(renamed.username).toMatch(new RegExp(`^${address.split('@')[0]}-[0-9a-f]{12}$`))
    const events = (await call(admin, 'GET', `auth/audit-events?event=user.renamed&user=${holder}`)).body
    expect(events).toMatchObject([{ user: holder, target: String(owner.id) }])
    const listed = (await call(admin, 'GET', `users?username=${renamed.username}`)).body
    expect(listed.map(({ id }: { id: number }) => id)).toEqual([holder])
  })

  it('confirms it although somebody else is named like it', async () => {
    const address = makeAddress()
    const holder = await addNamedLike(address)
    const { id } = (await createPlain(manager, { username: randomBytes(6).toString('hex'), email: address }))
      .body
    const token = await readMailedToken(service, address, 'confirm')
    expect((await service.client('POST', '/api/2/auth/confirm-email', { body: { token } })).status).toBe(204)
    expect((await readUser(id)).email_verified).toBe(true)
    expect((await readUser(holder)).username).not.toContain('@')
  })

  it('signs up although an address of somebody else looks like it', async () => {
    const domain = makeDomain()
    const lookalike = `rnaria@${domain}`
    expect((await createPlain(admin, { username: lookalike, email: lookalike })).status).toBe(201)
    const address = `maria@${domain}`
    const answer = await signUp(address)
    expect(answer.status, answer.text).toBe(200)
    const owner = await findByEmail(address)
    expect([owner.email_verified, owner.username.includes('@')]).toEqual([true, false])
  })
})
