import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { findUser, findUserIdByUsername } from '../../lib/accounts/users/find-users.records.ts'
import { findCompanyAccounts } from '../../lib/features/connections/accounts.records.ts'
import { closeAfterTests } from '../support/close-after-tests.ts'
import { startUpstream } from '../support/oidc-upstream.ts'
import { addPerson, addSignedIn, callAs } from '../support/people.ts'
import { addPublicConnection, newGoogleAccount } from '../support/public-upstream.ts'
import { useService } from '../support/use-service.ts'

/* Lines of an import that claim accounts at Google and others. */

const service = await useService({
  ALLOW_PRIVATE_METADATA: 'true',
  RATE_LIMITS: 'samlStarts=100000/60,signUpsPerAddress=100000/60',
})
const admin = await addSignedIn(service, { permissions: ['system:admin-access'] })
const call = callAs(service, admin)
const upstream = closeAfterTests(await startUpstream())
const google = await addPublicConnection(service, admin.bearer, upstream, { first_sign_in: 'create' })

type Line = Readonly<Record<string, unknown>>

const newLine = (subjects: readonly string[], fields: Line = {}): Line & { readonly username: string } => ({
  username: randomUUID(),
  public_identities: subjects.map((subject) => ({ provider: 'google', subject })),
  ...fields,
})
const importLines = async (lines: readonly Line[], options: Line = {}) => {
  const { status, body, text } = await call('POST', 'users/import', { lines, ...options })
  expect(status, text).toBe(200)
  return body.results as readonly {
    readonly outcome: string
    readonly errors: readonly { readonly field: string; readonly message: string }[]
  }[]
}
const outcomesOf = async (lines: readonly Line[], options: Line = {}) =>
  (await importLines(lines, options)).map(({ outcome, errors }) => [
    outcome,
    ...errors.map(({ field }) => field),
  ])
const { table } = service.services
const findId = (username: string) => findUserIdByUsername(table, username)
const accountsOf = async (id: number) => {
  const user = await findUser(table, id)
  return user ? findCompanyAccounts(table, user) : []
}

describe('an identity that a line claims', () => {
  it('signs the imported user in, and nobody else has it', async () => {
    const account = newGoogleAccount()
    const line = newLine([account.sub], { full_name: 'Ada Lovelace' })
    expect(await outcomesOf([line])).toEqual([['imported']])
    const id = await findId(line.username)
    expect((await google.signIn(account)).user).toBe(id)
    expect((await google.signIn(newGoogleAccount())).user).not.toBe(id)
    expect(await outcomesOf([line])).toEqual([['known']])
    expect(await accountsOf(id ?? 0)).toHaveLength(1)
  })

  it.each([true, false])('stays with the user who has it (dry run: %s)', async (isDryRun) => {
    const account = newGoogleAccount()
    const { user } = await google.signIn(account)
    expect(user).toBeDefined()
    const thief = newLine([newGoogleAccount().sub, account.sub])
    const other = newLine([newGoogleAccount().sub])
    const results = await importLines([thief, other], { dry_run: isDryRun })
    expect(results.map(({ outcome }) => outcome)).toEqual(['refused', 'imported'])
    expect(results[0]?.errors).toEqual([
      { field: 'public_identities.1', message: 'is the account of another user' },
    ])
    expect(await findId(thief.username)).toBeUndefined()
    expect((await google.signIn(account)).user).toBe(user)
  })

  it('stays with an administrator, and gives no rights of theirs', async () => {
    const account = newGoogleAccount()
    const target = await addSignedIn(service, { permissions: ['system:admin-access'] })
    const linked = await call('POST', `users/${target.user.id}/company-accounts`, {
      provider: google.id,
      name: account.sub,
    })
    expect(linked.status, linked.text).toBe(201)
    const lines = [
      newLine([account.sub]),
      newLine([newGoogleAccount().sub], { username: target.user.username }),
    ]
    expect(await outcomesOf(lines)).toEqual([
      ['refused', 'public_identities.0'],
      ['refused', 'username'],
    ])
    expect(await accountsOf(target.user.id)).toHaveLength(1)
  })

  it.each(['users:manage', 'users:view'])('is imported by no one with %s alone', async (permission) => {
    const helper = await addSignedIn(service, { permissions: [permission] })
    const account = newGoogleAccount()
    const line = newLine([account.sub], { permissions: ['system:admin-access'] })
    expect((await callAs(service, helper)('POST', 'users/import', { lines: [line] })).status).toBe(403)
    expect(await findId(line.username)).toBeUndefined()
  })

  it('belongs to one line of a file', async () => {
    const { sub } = newGoogleAccount()
    const [first, second, twice] = [newLine([sub]), newLine([sub]), newLine([`${sub}1`, `${sub}1`])]
    const results = await importLines([first, second, twice, newLine([])])
    expect(results.map(({ outcome, errors }) => [outcome, ...errors.map(({ message }) => message)])).toEqual([
      ['imported'],
      ['refused', 'is the same as on line 1'],
      ['refused', 'must not be repeated'],
      ['imported'],
    ])
    const [checked] = (await call('POST', 'users/import', { lines: [newLine(['7'])], dry_run: true })).body
      .results
    expect(checked.names.public_identities).toEqual(['google 7'])
  })

  it('goes to one of many users whom it is given to at the same time', async () => {
    const { sub } = newGoogleAccount()
    const lines = Array.from({ length: 12 }, () => newLine([sub]))
    const results = await Promise.all(lines.map((line) => outcomesOf([line])))
    expect(results.flat().filter(([outcome]) => outcome === 'imported')).toHaveLength(1)
    const ids = await Promise.all(lines.map(({ username }) => findId(username)))
    expect(ids.filter((id) => id !== undefined)).toHaveLength(1)
    expect((await google.signIn(newGoogleAccount({ sub }))).user).toBe(ids.find((id) => id !== undefined))
  })

  it('is free again after its user was deleted', async () => {
    const account = newGoogleAccount()
    const line = newLine([account.sub])
    await importLines([line])
    const first = await findId(line.username)
    expect((await call('DELETE', `users/${first}`)).status).toBe(204)
    expect(await outcomesOf([line])).toEqual([['imported']])
    expect((await google.signIn(account)).user).toBe(await findId(line.username))
  })

  it('is not given back by another import after it was removed', async () => {
    const account = newGoogleAccount()
    const line = newLine([account.sub])
    await importLines([line])
    const id = await findId(line.username)
    const [own] = (await call('GET', `users/${id}/company-accounts`)).body
    expect((await call('DELETE', `users/${id}/company-accounts/${own.id}`)).status).toBe(204)
    expect(await outcomesOf([line])).toEqual([['known']])
    expect((await google.signIn(account)).user).not.toBe(id)
  })

  it('does not get into an account that someone squats', async () => {
    const email = `${randomUUID()}@gmail.com`
    const squatter = await addPerson(service, { username: email, email })
    const account = newGoogleAccount({ email })
    const lines = [newLine([account.sub], { email }), newLine([account.sub], { username: email })]
    expect((await outcomesOf(lines)).map(([outcome]) => outcome)).toEqual(['refused', 'refused'])
    expect(await accountsOf(squatter.user.id)).toEqual([])
    expect((await google.signIn(account)).user).not.toBe(squatter.user.id)
  })

  it('signs a user with rights in only with a second factor', async () => {
    const account = newGoogleAccount()
    const line = newLine([account.sub], { permissions: ['users:manage'] })
    expect(await outcomesOf([line])).toEqual([['imported']])
    const { answer, user } = await google.signIn(account)
    expect([user, answer.status, answer.text.includes('passkey')]).toEqual([undefined, 403, true])
  })
})

describe('a hostile line', () => {
  const of = (identity: unknown) => ({ username: randomUUID(), public_identities: [identity] })
  it.each<readonly [string, Line]>([
    ['a text', { username: randomUUID(), public_identities: 'google' }],
    ['an object', { username: randomUUID(), public_identities: { provider: 'google', subject: '1' } }],
    ['null', of(null)],
    ['no provider', of({ subject: '1' })],
    ['an unknown provider', of({ provider: 'facebook', subject: '1' })],
    ['a provider that is a property of objects', of({ provider: 'constructor', subject: '1' })],
    ['__proto__ as provider', of({ provider: '__proto__', subject: '1' })],
    ['any issuer', of({ provider: 'oidc', subject: '1' })],
    ['a list as provider', of({ provider: ['google'], subject: '1' })],
    ['no subject', of({ provider: 'google' })],
    ['an empty subject', of({ provider: 'google', subject: '' })],
    ['a number', of({ provider: 'github', subject: 7 })],
    ['a login', of({ provider: 'github', subject: 'octocat' })],
    ['zero', of({ provider: 'github', subject: '0' })],
    ['another form of a number', of({ provider: 'github', subject: '007' })],
    ['a number with a newline', of({ provider: 'github', subject: '7\n' })],
    ['digits of another script', of({ provider: 'google', subject: '١٢٣' })],
    ['an address', of({ provider: 'google', subject: 'ada@gmail.com' })],
    ['a huge subject', of({ provider: 'google', subject: '1'.repeat(256) })],
    [
      'a pairwise sub of Microsoft',
      of({ provider: 'microsoft', subject: 'AAAAAAAAAAAAAAAAAAAAAIkzqFVrSaSaFHy782bbtaQ' }),
    ],
    ['upper case', of({ provider: 'microsoft', subject: `${randomUUID()}/${randomUUID()}`.toUpperCase() })],
    ['another field', of({ provider: 'google', subject: '1', issuer: 'https://evil.example' })],
    [
      'more than a user can have',
      {
        username: randomUUID(),
        public_identities: Array.from({ length: 21 }, (_, at) => ({ provider: 'google', subject: `9${at}` })),
      },
    ],
  ])('is refused alone: %s', async (_, line) => {
    const [bad, good] = await importLines([line, newLine([newGoogleAccount().sub])])
    expect([bad?.outcome, good?.outcome]).toEqual(['refused', 'imported'])
    for (const { field } of bad?.errors ?? []) expect(field).toMatch(/^public_identities/)
    expect(await findId(String(line['username']))).toBeUndefined()
  })

  it('with __proto__ is refused', async () => {
    const line = JSON.parse(
      `{"username":"${randomUUID()}","public_identities":[{"__proto__":{"provider":"google"},"subject":"1"}]}`,
    )
    const text = `{"lines":[${JSON.stringify(line)}]}`
    const { status } = await service.client('POST', '/api/2/users/import', {
      bearer: admin.bearer,
      body: JSON.parse(text),
    })
    expect([200, 400]).toContain(status)
    expect(await findId(line.username)).toBeUndefined()
  })

  it('can have as many as a user, and not too many groups besides', async () => {
    const make = () => Array.from({ length: 20 }, () => newGoogleAccount().sub)
    const groups = await Promise.all(
      Array.from({ length: 15 }, async () => {
        const body = { name: randomUUID(), permissions: [], members: [] }
        return (await call('POST', 'groups', body)).body.id as number
      }),
    )
    const line = newLine(make())
    expect(await outcomesOf([line, newLine(make(), { groups: groups.slice(0, 14) })])).toEqual([
      ['imported'],
      ['imported'],
    ])
    expect(await accountsOf((await findId(line.username)) ?? 0)).toHaveLength(20)
    expect(await outcomesOf([newLine(make(), { groups })])).toEqual([['refused', 'groups']])
  })
})

it('a company that requires its own sign-in keeps an imported user', async () => {
  const domain = `${randomUUID()}.example`
  const account = newGoogleAccount({ email: `ada@${domain}`, hd: domain })
  const line = newLine([account.sub], { email: `ada@${domain}` })
  expect(await outcomesOf([line])).toEqual([['imported']])
  expect((await google.signIn(account)).user).toBe(await findId(line.username))
  const company = closeAfterTests(await startUpstream())
  const created = await call('POST', 'auth/oidc-connections', {
    ...{ name: 'Company', issuer: company.issuer, client_id: 'id', client_secret: 'secret' },
    required_for_domains: true,
  })
  const domains = `/api/2/auth/connections/${created.body.id}/domains`
  expect((await call('POST', domains, { domain })).status).toBe(201)
  expect((await call('POST', `${domains}/${domain}/vouch`)).status).toBe(200)
  const { answer, user } = await google.signIn(account)
  expect([answer.status, user]).toEqual([403, undefined])
})
