import { randomInt, randomUUID } from 'node:crypto'
import { hash } from 'bcryptjs'
import { afterAll, describe, expect, it } from 'vitest'
import { TestBrowser } from '../../support/browser.ts'
import { closeAfterTests } from '../../support/close-after-tests.ts'
import { newGithubAccount, startGithub } from '../../support/github-upstream.ts'
import { newMicrosoftAccount, startMicrosoft } from '../../support/microsoft-upstream.ts'
import { clientId, clientSecret, openCallback, startUpstream } from '../../support/oidc-upstream.ts'
import { addSignedIn } from '../../support/people.ts'
import { addPublicConnection, newGoogleAccount, readUser } from '../../support/public-upstream.ts'
import { useService } from '../../support/use-service.ts'
import { environmentOf, jsonLines, makeFolder, refusalsOf, runUsers, signInAs } from '../command.ts'
import { createMigration } from './run-migration.ts'

/*
 * People who signed in with Google, GitHub or Microsoft at another service. Their export is imported first, and the connection is created
 * after it, as the pages of docs/migrate say.
 */

const service = await useService({ ALLOW_PRIVATE_METADATA: 'true' })
const admin = await addSignedIn(service, { permissions: ['system:admin-access'] })
const folder = makeFolder()
const migration = createMigration(service, folder)
afterAll(() => folder.remove())

const attribute = { name: 'plan', type: 'text' }
const defined = await service.client('PUT', '/api/2/system/user-attributes', {
  bearer: admin.bearer,
  body: { attributes: [attribute] },
})
if (defined.status >= 300) throw new Error(defined.text)

interface Person {
  readonly name: string
  readonly google: ReturnType<typeof newGoogleAccount>
  readonly github: ReturnType<typeof newGithubAccount>
}

/** Someone with accounts at both providers, whose addresses there are others than in the export. */
const newPerson = (): Person => ({
  name: `moved-${randomUUID().slice(0, 8)}`,
  google: newGoogleAccount(),
  github: newGithubAccount(),
})
const githubId = ({ github }: Person) => github.user['id'] as number
const addressOf = ({ name }: Person) => `${name}@example.com`
const people = {
  auth0: newPerson(),
  cognito: newPerson(),
  firebase: newPerson(),
  clerk: newPerson(),
  keycloak: newPerson(),
}
const [pairwise, linked] = [newPerson(), newPerson()]
const uuids = { auth0: randomUUID(), cognito: randomUUID(), firebase: randomUUID(), clerk: randomUUID() }

/** An export of one user of each system, in the form that it documents. */
const auth0Of = (person: Person, id = `google-oauth2|${person.google.sub}`) => ({
  ...{ user_id: id, email: addressOf(person), email_verified: true, name: 'Ada Lovelace' },
  ...{ created_at: '2021-03-04T05:06:07.000Z', app_metadata: { plan: 'gold' } },
  identities: [
    {
      ...{ provider: 'google-oauth2', user_id: person.google.sub },
      ...{ connection: 'google-oauth2', isSocial: true },
    },
    {
      ...{ provider: 'github', user_id: githubId(person), connection: 'github', isSocial: true },
      profileData: { nickname: 'octocat' },
    },
    { provider: 'windowslive', user_id: '7d3c9e0f1a2b4c5d', connection: 'windowslive', isSocial: true },
    { provider: 'apple', user_id: '001234.abcdef.0123', connection: 'apple', isSocial: true },
    { provider: 'auth0', user_id: '5dea9f9c82dd7c0e76e4ec93', connection: 'Users', isSocial: false },
    { provider: 'oauth2', user_id: '77', connection: 'our-forum', isSocial: true },
  ],
})

const attributesOf = (values: Readonly<Record<string, string>>) =>
  Object.entries(values).map(([Name, Value]) => ({ Name, Value }))
const cognitoIdentity = (providerName: string, userId: string, providerType = providerName) => ({
  ...{ userId, providerName, providerType, issuer: null, primary: true, dateCreated: 1_642_699_117_273 },
})
const cognitoOf = (person: Person, userStatus = 'EXTERNAL_PROVIDER', username?: string) => ({
  ...{ Username: username ?? `Google_${person.google.sub}`, Enabled: true, UserStatus: userStatus },
  UserCreateDate: '2021-03-04T05:06:07.000000+00:00',
  Attributes: attributesOf({
    ...{ sub: randomUUID(), email: addressOf(person), email_verified: 'true', name: 'Ada Lovelace' },
    'custom:plan': 'gold',
    identities: JSON.stringify([
      cognitoIdentity('Google', person.google.sub),
      cognitoIdentity('SignInWithApple', '001234.abcdef.0123'),
      cognitoIdentity('github', String(githubId(person)), 'OIDC'),
    ]),
  }),
})

const firebaseOf = (person: Person) => ({
  ...{ localId: uuids.firebase, email: addressOf(person), emailVerified: true, displayName: 'Ada Lovelace' },
  ...{ createdAt: '1614834367000', lastSignedInAt: '1642699117273', customAttributes: '{"plan":"gold"}' },
  providerUserInfo: [
    {
      ...{ providerId: 'google.com', rawId: person.google.sub, email: person.google.email },
      ...{ displayName: 'Ada', photoUrl: 'https://lh3.googleusercontent.com/a/example' },
    },
    { providerId: 'github.com', rawId: String(githubId(person)) },
    { providerId: 'facebook.com', rawId: '1234' },
    { providerId: 'microsoft.com', rawId: randomUUID() },
  ],
})

/** The administrator of the realm chose the alias of each provider. */
const keycloakOf = (person: Person) => ({
  realm: 'shop',
  identityProviders: [
    { alias: 'with-google', providerId: 'google', enabled: true },
    { alias: 'github', providerId: 'github', enabled: true },
    { alias: 'microsoft', providerId: 'microsoft', enabled: true },
    // A provider of somebody else, with the name of one that everybody knows.
    { alias: 'google', providerId: 'oidc', enabled: true },
  ],
  users: [
    {
      ...{ id: randomUUID(), username: addressOf(person), email: addressOf(person), emailVerified: true },
      ...{ firstName: 'Ada', lastName: 'Lovelace', enabled: true, attributes: { plan: ['gold'] } },
      createdTimestamp: Date.parse('2021-03-04T05:06:07.000Z'),
      federatedIdentities: [
        { identityProvider: 'with-google', userId: person.google.sub, userName: person.google.email },
        { identityProvider: 'github', userId: String(githubId(person)), userName: 'octocat' },
        { identityProvider: 'microsoft', userId: randomUUID(), userName: 'ada' },
        { identityProvider: 'google', userId: '4711', userName: 'ada' },
      ],
    },
  ],
})

const verified = { status: 'verified', strategy: 'oauth_google' }
const clerkOf = (person: Person) => ({
  ...{ id: `user_${uuids.clerk}`, object: 'user', username: null, first_name: 'Ada', last_name: 'Lovelace' },
  ...{ primary_email_address_id: 'idn_2', password_enabled: true, totp_enabled: false, banned: false },
  ...{
    created_at: 1_614_834_367_000,
    image_url: 'https://img.clerk.com/x',
    public_metadata: { plan: 'gold' },
  },
  unsafe_metadata: { plan: 'free' },
  email_addresses: [
    { id: 'idn_1', email_address: `other-${addressOf(person)}`, verification: { status: 'unverified' } },
    { id: 'idn_2', email_address: addressOf(person), verification: verified },
  ],
  phone_numbers: [{ id: 'idn_3', phone_number: '+15551234567', verification: verified }],
  external_accounts: [
    {
      ...{ object: 'external_account', id: 'eac_1', provider: 'oauth_google', verification: verified },
      ...{ provider_user_id: person.google.sub, email_address: person.google.email },
    },
    {
      id: 'eac_2',
      provider: 'oauth_github',
      provider_user_id: String(githubId(person)),
      verification: verified,
    },
    { id: 'eac_3', provider: 'oauth_microsoft', provider_user_id: randomUUID(), verification: verified },
    { id: 'eac_4', provider: 'oauth_linkedin_oidc', provider_user_id: 'x', verification: verified },
    // Nobody proved this one.
    { id: 'eac_5', provider: 'oauth_google', provider_user_id: '1', verification: { status: 'unverified' } },
  ],
})

const expectMoved = async (
  source: string,
  content: unknown,
  left: readonly string[],
  ...options: readonly string[]
) => {
  const preview = await migration.runOn(source, content, ...options)
  expect(preview.stdout + preview.stderr).toContain('signs in with google')
  const { code, stdout, stderr, file } = await migration.runOn(source, content, '--yes', ...options)
  expect({ code, stderr }, stdout).toEqual({ code: 0, stderr: '' })
  for (const line of left) expect(stdout).toContain(`  ${line}\n`)
  const again = await migration.run(`from-${source}`, file, '--yes', ...options)
  expect({ code: again.code, stdout: again.stdout }).toMatchObject({
    code: 0,
    stdout: expect.stringContaining('had been imported before'),
  })
}
const pairwiseReason = 'its IDs are valid for the former registration alone'
const microsoftStays = `sign-in with Microsoft (${pairwiseReason}): 1 user`
const appleStays = 'sign-in with Apple (its IDs are valid for the former developer team alone): 1 user'

describe('an export with accounts at providers', () => {
  it('of Auth0 is imported with them', async () => {
    await expectMoved('auth0', jsonLines([auth0Of(people.auth0)]), [
      microsoftStays,
      appleStays,
      'sign-in with our-forum (Latchkey has no preset for it): 1 user',
    ])
  })

  it('of Auth0 can have the ID of the user alone', async () => {
    const { google } = linked
    const users = [
      { user_id: `google-oauth2|${google.sub}`, email: addressOf(linked) },
      { user_id: 'windowslive|7d3c9e0f1a2b4c5d', email: addressOf(pairwise) },
      { user_id: 'github|octocat' },
    ]
    const { code, stdout } = await migration.runOn('auth0', jsonLines(users), '--yes', '--source', 'short')
    expect(code, stdout).toBe(0)
    expect(stdout).toContain(`  ${microsoftStays}\n`)
    expect(stdout).toContain(
      '  sign-in with GitHub (the export does not have the ID that it sends): 1 user\n',
    )
  })

  it('of Cognito is imported with them', async () => {
    const person = newPerson()
    await expectMoved('cognito', { Users: [cognitoOf(people.cognito)] }, [
      appleStays,
      'sign-in with github (Latchkey has no preset for it): 1 user',
    ])
    // The list has a linked sign-in twice: as its user, and with the user whom it signs in.
    const Users = [cognitoOf(person), cognitoOf(person, 'CONFIRMED', person.name)]
    const { code, stdout } = await migration.runOn('cognito', { Users }, '--yes', '--source', 'pool')
    expect(code, stdout).toBe(0)
    expect(stdout).toContain('1 user imported')
    expect(stdout).toContain('  sign-ins that are linked to another user: 1 record\n')
    expect((await migration.findUser(person.name))?.username).toBe(person.name)
  })

  it('of Firebase is imported with them', async () => {
    await expectMoved('firebase', { users: [firebaseOf(people.firebase)] }, [
      microsoftStays,
      'sign-in with Facebook (Latchkey has no preset for it): 1 user',
    ])
  })

  it('of Keycloak is imported with them, by the kind of each provider', async () => {
    const noPreset = 'sign-in with google (Latchkey has no preset for it): 1 user'
    await expectMoved('keycloak', keycloakOf(people.keycloak), [microsoftStays, noPreset])
    // Without the realm, nobody knows which provider an alias is.
    const person = newPerson()
    const { users } = keycloakOf(person)
    const { code, stdout } = await migration.runOn(
      'keycloak',
      { realm: 'x', users },
      '--yes',
      '--source',
      'x',
    )
    expect(code, stdout).toBe(0)
    expect(stdout).toContain(`  ${noPreset}\n`)
    expect(stdout).toContain('  sign-in with github (Latchkey has no preset for it): 1 user\n')
  })

  it('of Clerk is imported with them, and with the hashes of the dashboard', async () => {
    const header =
      'id,first_name,last_name,username,primary_email_address,verified_email_addresses,totp_secret,password_digest,password_hasher'
    const digest = await hash('correct horse clerk', 4)
    const rows = [
      `user_${uuids.clerk},Ada,Lovelace,,${addressOf(people.clerk)},,,${digest},bcrypt`,
      'user_gone,,,,,,,,',
    ]
    const hashes = folder.file('clerk.csv', [header, ...rows, ''].join('\n'))
    await expectMoved(
      'clerk',
      [clerkOf(people.clerk)],
      [
        microsoftStays,
        'sign-in with linkedin_oidc (Latchkey has no preset for it): 1 user',
        'accounts at providers that Clerk did not verify: 1 user',
        'further email addresses: 1 user',
        'phone numbers: 1 user',
        'hashes of users who are not in the file: 1 record',
      ],
      ...['--hashes', hashes],
    )
    expect((await signInAs(service, addressOf(people.clerk), 'correct horse clerk')).status).toBe(200)
    expect((await signInAs(service, addressOf(people.clerk), 'correct horse')).status).toBe(401)
  })
})

describe('people who were imported', () => {
  const upstreams = Promise.all([startUpstream(), startGithub(), startMicrosoft()])
  const connect = async () => {
    const [googleThere, githubThere, microsoftThere] = await upstreams
    for (const upstream of [googleThere, githubThere, microsoftThere]) closeAfterTests(upstream)
    const google = await addPublicConnection(service, admin.bearer, googleThere)
    const add = async (fields: object) => {
      const created = await service.client('POST', '/api/2/auth/oidc-connections', {
        bearer: admin.bearer,
        body: { client_id: clientId, client_secret: clientSecret, first_sign_in: 'create', ...fields },
      })
      expect(created.status, created.text).toBe(201)
      return `/api/2/auth/oidc-connections/${created.body.id}`
    }
    const github = await add({
      ...{ name: 'GitHub', public_provider: 'github', issuer: githubThere.issuer },
      token_endpoint_auth_method: 'client_secret_post',
    })
    const microsoft = await add({
      ...{ name: 'Microsoft', public_provider: 'microsoft', issuer: microsoftThere.issuer },
    })
    const start = async (browser: TestBrowser, path: string) =>
      (await browser.get(`${path}/start`, 'same-origin')).headers.get('location') ?? ''
    return {
      google,
      signInWithGithub: async (account: Person['github']) => {
        const browser = new TestBrowser(service)
        const answer = githubThere.authorize(await start(browser, github), account)
        return readUser(service, await openCallback(browser, answer))
      },
      microsoftThere,
      signInWithMicrosoft: async (claims: Readonly<Record<string, unknown>>) => {
        const browser = new TestBrowser(service)
        const answer = microsoftThere.authorize(await start(browser, microsoft), claims)
        return readUser(service, await openCallback(browser, answer))
      },
    }
  }
  const connections = connect()

  it.each(['auth0', 'cognito', 'firebase', 'clerk', 'keycloak'] as const)(
    'from %s sign in with Google and are in their account, with its attributes',
    async (source) => {
      const { google } = await connections
      const person = people[source]
      const { user } = await google.signIn(person.google)
      const imported = await migration.findUser(addressOf(person))
      expect(imported).toMatchObject({ full_name: 'Ada Lovelace', email: addressOf(person) })
      expect(imported?.registeredAt).toBe(Date.parse('2021-03-04T05:06:07.000Z'))
      expect(user).toBe(imported?.id)
      const shown = await service.client('GET', `/api/2/users/${user}`, { bearer: admin.bearer })
      expect(shown.body.attributes).toContainEqual(expect.objectContaining({ name: 'plan', value: 'gold' }))
      const accounts = await service.client('GET', `/api/2/users/${user}/company-accounts`, {
        bearer: admin.bearer,
      })
      expect(accounts.body).toContainEqual(
        expect.objectContaining({ provider: { id: google.id, name: 'Google' }, name: person.google.email }),
      )
    },
  )

  it.each(['auth0', 'firebase', 'clerk', 'keycloak'] as const)(
    'from %s sign in with GitHub',
    async (source) => {
      const { signInWithGithub } = await connections
      const imported = await migration.findUser(addressOf(people[source]))
      expect(await signInWithGithub(people[source].github)).toBe(imported?.id)
      // An account with the login of another number is somebody else.
      const stranger = newGithubAccount({
        login: people[source].github.user['login'],
        id: randomInt(2 ** 41, 2 ** 42),
      })
      expect(await signInWithGithub(stranger)).not.toBe(imported?.id)
    },
  )

  it('whose export has their ID alone sign in with Google', async () => {
    const { google } = await connections
    const imported = await migration.findUser(addressOf(linked))
    expect((await google.signIn(linked.google)).user).toBe(imported?.id)
  })

  it('do not find their account with Microsoft, whose `sub` is another one here, but with `tid` and `oid`', async () => {
    const { signInWithMicrosoft, microsoftThere } = await connections
    const imported = await migration.findUser(addressOf(pairwise))
    const account = newMicrosoftAccount(microsoftThere, {
      sub: '7d3c9e0f1a2b4c5d',
      email: addressOf(pairwise),
    })
    const other = await signInWithMicrosoft(account)
    expect(other).toBeDefined()
    expect(other).not.toBe(imported?.id)

    const known = newMicrosoftAccount(microsoftThere)
    const line = {
      username: `moved-${randomUUID()}`,
      public_identities: [{ provider: 'microsoft', subject: `${known.tid}/${known.oid}` }],
    }
    const bad = {
      username: `moved-${randomUUID()}`,
      public_identities: [{ provider: 'microsoft', subject: known.sub }],
    }
    const file = folder.file('microsoft.jsonl', jsonLines([line, bad]))
    expect((await runUsers(['import', file, '--table', service.tableName], environmentOf())).code).toBe(1)
    expect(await refusalsOf(file)).toMatchObject([
      { line: 2, errors: [{ field: 'public_identities.0.subject' }] },
    ])
    expect(await signInWithMicrosoft(known)).toBe((await migration.findUser(line.username))?.id)
  })

  it('can be deleted and imported again, and keep their sign-in', async () => {
    const person = newPerson()
    const lines = jsonLines([auth0Of(person)])
    const options = ['--yes', '--source', 'again']
    expect((await migration.runOn('auth0', lines, ...options)).code).toBe(0)
    expect((await migration.run('undo', '--source', 'again', '--yes')).code).toBe(0)
    expect((await migration.runOn('auth0', lines, ...options)).code).toBe(0)
    const { google } = await connections
    const imported = await migration.findUser(addressOf(person))
    expect((await google.signIn(person.google)).user).toBe(imported?.id)
  })
})
