import { randomUUID } from 'node:crypto'
import { beforeAll, describe, expect, it, vi } from 'vitest'
import { findUser } from '../../lib/accounts/users/find-users.records.ts'
import type { UserRecord } from '../../lib/accounts/users/stored-user.records.ts'
import { impersonation } from '../../lib/features/impersonation/operations.ts'
import { TestBrowser } from '../support/browser.ts'
import type { Answer, JsonValue } from '../support/client.ts'
import { nameIdFormats } from '../support/idp/names.ts'
import { type AnswerFacts, makeIdp } from '../support/idp.ts'
import { addPerson, callAs, trySignIn } from '../support/people.ts'
import {
  addProvider,
  countSessions,
  patchProvider,
  sessionOf,
  signInByConnection,
  startSignIn,
  type TestProvider,
} from '../support/saml.ts'
import { useService } from '../support/use-service.ts'

const impersonationPath = impersonation.startImpersonation.path
const service = await useService({ PUBLIC_URL: 'https://auth.example.com' })
const provider = await addProvider(service, await makeIdp())

const admin = callAs(service, { bearer: provider.admin })

const meOf = async (session: string): Promise<JsonValue> =>
  (await service.client('GET', '/api/2/users/me', { bearer: session })).body
const userOf = async (session: string): Promise<JsonValue> =>
  (await admin('GET', `/api/2/users/${(await meOf(session)).id}`)).body
const signedIn = async (facts: AnswerFacts = {}, at = provider): Promise<JsonValue> =>
  userOf((await signInByConnection(service, at, { nameId: `user-${randomUUID()}`, ...facts })).session)

/** Posts a valid response and returns the answer, accepted or not. */
const posted = async (facts: AnswerFacts, at = provider): Promise<Answer> => {
  const { browser, target } = await startSignIn(service, at)
  return browser.post(target.acsUrl, (await at.idp.answer(target, facts)).form)
}
/** Signs in with a NameID that claims to be an email address. */
const sessionOrNone = async (nameId: string): Promise<string> =>
  sessionOf(await posted({ nameId, nameIdFormat: nameIdFormats.email })) ?? ''
const makeGroup = async (name: string, permissions: readonly string[] = []): Promise<number> =>
  (await admin('POST', '/api/2/groups', { name, permissions, members: [] })).body.id
const stored = async (id: number): Promise<UserRecord> => {
  const user = await findUser(service.services.table, id)
  if (!user) throw new Error('the user does not exist')
  return user
}

describe('a user who signs in for the first time', () => {
  it('is created, and is the same user from then on', async () => {
    const nameId = `first-${randomUUID()}`
    const facts = {
      nameId,
      attributes: { mail: `${nameId}@example.com`, displayName: 'Grace Hopper', uid: `${nameId}-uid` },
    }
    const first = await signedIn(facts)
    expect(first).toMatchObject({
      username: `${nameId}-uid`,
      email: `${nameId}@example.com`,
      full_name: 'Grace Hopper',
      has_password: false,
      allow_changing_password: false,
      permissions: [],
      is_external: false,
    })
    expect((await signedIn({ nameId })).id).toBe(first.id)
    const { body: linked } = await admin(
      'GET',
      `/api/2/users?connection=${provider.id}&username=${nameId}-uid`,
    )
    expect(linked.map(({ id }: JsonValue) => id)).toEqual([first.id])
    const { body: newest } = await admin('GET', `/api/2/users?connection=${provider.id}&ordering=-id&limit=1`)
    expect(newest.map(({ id }: JsonValue) => id)).toEqual([first.id])
    expect((await signedIn({ nameId: nameId.toUpperCase() })).id).not.toBe(first.id)
  })

  it.each([
    {
      kind: 'OIDs',
      attributes: {
        'urn:oid:0.9.2342.19200300.100.1.1': 'ada-oid',
        'urn:oid:0.9.2342.19200300.100.1.3': 'ada-oid@example.com',
        'urn:oid:2.16.840.1.113730.3.1.241': 'Ada by OID',
      },
      expected: { username: 'ada-oid', email: 'ada-oid@example.com', full_name: 'Ada by OID' },
    },
    {
      kind: 'claim URIs',
      attributes: {
        'http://schemas.xmlsoap.org/ws/2005/05/identity/claims/upn': 'ada-claim@corp.example',
        'http://schemas.xmlsoap.org/ws/2005/05/identity/claims/emailaddress': 'ada-claim@example.com',
        'http://schemas.xmlsoap.org/ws/2005/05/identity/claims/givenname': 'Ada',
        'http://schemas.xmlsoap.org/ws/2005/05/identity/claims/surname': 'Claimed',
      },
      expected: {
        username: 'ada-claim',
        email: 'ada-claim@example.com',
        full_name: 'Ada Claimed',
      },
    },
    {
      kind: 'claim URIs of AD FS 1.x',
      attributes: {
        'http://schemas.xmlsoap.org/claims/UPN': 'ada-old@corp.example',
        'http://schemas.xmlsoap.org/claims/EmailAddress': 'ada-old@example.com',
        'http://schemas.xmlsoap.org/claims/CommonName': 'Ada of Old',
      },
      expected: { username: 'ada-old', email: 'ada-old@example.com', full_name: 'Ada of Old' },
    },
    {
      kind: 'names of OneLogin',
      attributes: {
        'User.Username': 'ada-one',
        'User.email': 'ada-one@example.com',
        'User.FirstName': 'Ada',
        'User.LastName': 'One',
      },
      expected: { username: 'ada-one', email: 'ada-one@example.com', full_name: 'Ada One' },
    },
    {
      kind: 'a display name as a claim',
      attributes: {
        uid: 'ada-shown',
        'http://schemas.xmlsoap.org/ws/2005/05/identity/claims/displayname': 'Ada Shown',
      },
      expected: { username: 'ada-shown', email: null, full_name: 'Ada Shown' },
    },
    {
      kind: 'friendly names',
      attributes: {},
      attributesXml:
        '<saml:Attribute Name="urn:x:1" FriendlyName="uid"><saml:AttributeValue>ada-friend</saml:AttributeValue></saml:Attribute>' +
        '<saml:Attribute Name="urn:x:2" FriendlyName="mail"><saml:AttributeValue>ada-friend@example.com</saml:AttributeValue></saml:Attribute>',
      expected: { username: 'ada-friend', email: 'ada-friend@example.com', full_name: null },
    },
  ])('is described by $kind', async ({ attributes, attributesXml = '', expected }) => {
    expect(await signedIn({ attributes, attributesXml })).toMatchObject(expected)
  })

  it('is not identified by an attribute that imitates the NameID', async () => {
    const known = await signedIn({ nameId: 'victim-by-attribute' })
    const attacker = await signedIn({
      attributes: {
        nameID: 'victim-by-attribute',
        NameID: 'victim-by-attribute',
        nameid: 'victim-by-attribute',
      },
    })
    expect(attacker.id).not.toBe(known.id)
  })

  it('never gets the account of a user with the same username or address', async () => {
    const { user: ada } = await addPerson(service, { username: 'ada-local', email: 'ada-local@example.com' })
    const mail = 'ADA-local@example.com'
    expect((await posted({ nameId: 'ada-local', attributes: { mail } })).status).toBe(403)
    const came = await signedIn({ nameId: 'ada-local', attributes: { uid: 'Ada-Local' } })
    expect(came.id).not.toBe(ada.id)
    expect(came).toMatchObject({ username: 'Ada-Local-2', email: null })
    expect((await signedIn({ nameId: 'x', attributes: { uid: 'ada-local' } })).username).toBe('ada-local-3')
  })

  it('is another user if the same name comes from another provider', async () => {
    const other = await addProvider(service, await makeIdp())
    const name = { nameId: `shared-${randomUUID()}` }
    expect((await signedIn(name, other)).id).not.toBe((await signedIn(name)).id)
  })

  it('is another user if the same name has another name qualifier', async () => {
    const nameId = `qualified-${randomUUID()}`
    const plain = await signedIn({ nameId })
    expect((await signedIn({ nameId, nameQualifier: 'https://upstream.example.com' })).id).not.toBe(plain.id)
    const own = { nameQualifier: provider.idp.entityId, spNameQualifier: provider.metadataUrl }
    expect((await signedIn({ nameId, ...own })).id).toBe(plain.id)
  })

  it('is created once by five concurrent browsers', async () => {
    const nameId = `parallel-${randomUUID()}`
    const users = await Promise.all(Array.from({ length: 5 }, () => signedIn({ nameId })))
    expect(new Set(users.map(({ id }) => id)).size).toBe(1)
  })

  it('gets a valid username from any name that the provider sends', async () => {
    const long = await signedIn({ attributes: { uid: 'x'.repeat(600), mail: 'no address' } })
    expect(long).toMatchObject({ username: expect.stringMatching(/^user-/), email: null })
    const format = nameIdFormats.persistent
    const opaque = await signedIn({ nameIdFormat: format, attributes: { mail: 'opaque@example.com' } })
    expect(opaque.username).toBe('opaque')
    expect((await signedIn({ nameIdFormat: format })).username).toMatch(/^user(-\w+)?$/)
  })

  it('gets the email address of a NameID in email format', async () => {
    const address = () => `${randomUUID()}@example.com`
    const email = (nameId: string, attributes = {}) =>
      signedIn({ nameId, nameIdFormat: nameIdFormats.email, attributes })
    const [plain, other, taken] = [address(), address(), address()]
    expect(await email(plain)).toMatchObject({ username: plain.split('@')[0], email: plain })
    expect(await email(address(), { mail: other })).toMatchObject({ email: other })
    expect(await signedIn({ nameId: address() })).toMatchObject({ email: null })
    // A provider cannot claim an address: it neither finds nor takes over the account that has it.
    await addPerson(service, { email: taken })
    const refused = await posted({ nameId: taken, nameIdFormat: nameIdFormats.email })
    expect([refused.status, sessionOf(refused)]).toEqual([403, undefined])
    for (const nameId of ['no address', 'a@b@c', 'ada@example.com, eve@example.com', `x${address()}\u200b`])
      expect((await userOf(await sessionOrNone(nameId)))?.email ?? null, nameId).toBeNull()
  })

  it('is rejected where users are not created automatically', async () => {
    const closed = await addProvider(service, await makeIdp(), { auto_create_users: false })
    const before = await countSessions(service)
    const answer = await posted({}, closed)
    expect(answer.status).toBe(403)
    expect(answer.text).toContain('Your account there is not connected to an account here')
    expect(sessionOf(answer)).toBeUndefined()
    expect(await countSessions(service)).toBe(before)
  })

  it('is rejected with a transient name', async () => {
    const answer = await posted({ nameIdFormat: nameIdFormats.transient })
    expect(answer.status).toBe(401)
    expect(answer.text).toContain('did not work. Try again.')
  })
})

describe('a user template', () => {
  it('sets what new users start with', async () => {
    const group = await makeGroup(`template-${randomUUID()}`)
    const template = await admin('POST', '/api/2/user-templates', {
      name: `template-${randomUUID()}`,
      permissions: ['media:access'],
      groups: [group],
      language: 'de',
      default_page: '/welcome',
      is_external: true,
    })
    const one = await addProvider(service, await makeIdp(), { user_template: template.body.id })
    expect(await signedIn({}, one)).toMatchObject({
      permissions: ['media:access'],
      groups: [group],
      language: 'de',
      default_page: '/welcome',
      is_external: true,
    })
    const refused = await admin('DELETE', `/api/2/user-templates/${template.body.id}`)
    expect(refused.status).toBe(409)
    expect(refused.body.detail).toContain(`: ${one.id}.`)
    // As if the group had been assigned to the provider at this moment.
    const key = { pk: `user-template#${template.body.id}`, sk: 'user-template' }
    await service.services.table.transact([{ delete: key }])
    const answer = await posted({ nameId: `late-${randomUUID()}` }, one)
    expect(answer.status).toBe(403)
    expect(sessionOf(answer)).toBeUndefined()
  })

  it('creates no administrators through a group that became an administrator group later', async () => {
    const group = await makeGroup(`rising-${randomUUID()}`)
    const template = await admin('POST', '/api/2/user-templates', {
      name: `rising-${randomUUID()}`,
      groups: [group],
    })
    const one = await addProvider(service, await makeIdp(), { user_template: template.body.id })
    await admin('PATCH', `/api/2/groups/${group}`, { permissions: ['system:admin-access'] })
    expect(await signedIn({}, one)).toMatchObject({ groups: [], effective_permissions: [] })
  })
})

describe('groups from a provider', () => {
  let synced: TestProvider
  beforeAll(async () => {
    synced = await addProvider(service, await makeIdp(), {
      auto_create_groups: true,
      auto_sync_groups: true,
      allowed_groups: ['*'],
    })
  })
  const groupNames = async ({ groups }: JsonValue): Promise<string[]> => {
    const found = await Promise.all(groups.map((id: number) => admin('GET', `/api/2/groups/${id}`)))
    return found.map(({ body }) => body.name).sort()
  }

  it('are created without permissions, and joined', async () => {
    const [one, two] = [`one-${randomUUID()}`, `two-${randomUUID()}`]
    const user = await signedIn({ attributes: { groups: [one, two] } }, synced)
    expect(await groupNames(user)).toEqual([one, two].sort())
    for (const id of user.groups)
      expect((await admin('GET', `/api/2/groups/${id}`)).body.permissions).toEqual([])
  })

  it('follow the provider where it added them, and stay where someone else did', async () => {
    const nameId = `moving-${randomUUID()}`
    const [a, b, own, both] = ['a', 'b', 'own', 'both'].map((name) => `${name}-${randomUUID()}`) as [
      string,
      string,
      string,
      string,
    ]
    const ownId = await makeGroup(own)
    const bothId = await makeGroup(both)
    const user = await signedIn({ nameId, attributes: { groups: [a] } }, synced)
    await admin('PATCH', `/api/2/users/${user.id}`, { groups: [...user.groups, ownId, bothId] })

    const moved = await signedIn({ nameId, attributes: { memberOf: [b, both] } }, synced)
    expect(await groupNames(moved)).toEqual([b, both, own].sort())
    // The user was in this group before, so the provider may not remove them.
    const left = await signedIn({ nameId, attributes: { groups: [b] } }, synced)
    expect(await groupNames(left)).toEqual([b, both, own].sort())
    const silent = await signedIn({ nameId, attributes: { mail: 'x@example.com' } }, synced)
    expect(await groupNames(silent)).toEqual([b, both, own].sort())
    const none = await signedIn({ nameId, attributes: { groups: [] } }, synced)
    expect(await groupNames(none)).toEqual([both, own].sort())
  })

  it('are not joined if they make administrators, and are left when they start to', async () => {
    const nameId = `climber-${randomUUID()}`
    const [admins, rising] = [`admins-${randomUUID()}`, `rising-${randomUUID()}`]
    await makeGroup(admins, ['system:admin-access'])
    const user = await signedIn({ nameId, attributes: { groups: [admins, rising] } }, synced)
    expect(await groupNames(user)).toEqual([rising])
    await admin('PATCH', `/api/2/groups/${user.groups[0]}`, { permissions: ['system:admin-access'] })
    const again = await signedIn({ nameId, attributes: { groups: [admins, rising] } }, synced)
    expect(again).toMatchObject({ groups: [], effective_permissions: [] })
  })

  it.each([
    'Role',
    'role',
    'roles',
    'http://schemas.microsoft.com/ws/2008/06/identity/claims/role',
    'http://schemas.xmlsoap.org/ws/2005/05/identity/claims/role',
    'http://schemas.microsoft.com/ws/2008/06/identity/claims/groups',
    'http://schemas.xmlsoap.org/claims/Group',
  ])('may be called %s without making anyone an administrator', async (attribute) => {
    const [own, admins] = [`role-${randomUUID()}`, `admins-${randomUUID()}`]
    await makeGroup(admins, ['system:admin-access'])
    const user = await signedIn({ attributes: { [attribute]: [own, admins, 'system:admin-access'] } }, synced)
    expect(await groupNames(user)).toEqual([own, 'system:admin-access'].sort())
    expect(user.effective_permissions).toEqual([])
  })

  it('are ignored if their names are not valid', async () => {
    const good = `good-${randomUUID()}`
    const user = await signedIn(
      { attributes: { groups: [good, good.toUpperCase(), 'x'.repeat(256), 'zero\u200bwidth', '   '] } },
      synced,
    )
    expect((await groupNames(user)).map((name) => name.toLowerCase())).toEqual([good])
  })

  it('are created once by two users who bring the same new group concurrently', async () => {
    const name = `together-${randomUUID()}`
    const users = await Promise.all(
      Array.from({ length: 4 }, () => signedIn({ attributes: { groups: [name] } }, synced)),
    )
    expect(new Set(users.flatMap(({ groups }) => groups)).size).toBe(1)
  })

  it('are ignored where the provider is not configured for them', async () => {
    const name = `ignored-${randomUUID()}`
    await makeGroup(name)
    expect((await signedIn({ attributes: { groups: [name] } })).groups).toEqual([])
  })

  it('are given to new users only, if they are created but not synchronized', async () => {
    const one = await addProvider(service, await makeIdp(), {
      auto_create_groups: true,
      allowed_groups: ['*'],
    })
    const nameId = `once-${randomUUID()}`
    const [first, second] = [`first-${randomUUID()}`, `second-${randomUUID()}`]
    const user = await signedIn({ nameId, attributes: { groups: [first] } }, one)
    expect(await groupNames(user)).toEqual([first])
    expect(await groupNames(await signedIn({ nameId, attributes: { groups: [second] } }, one))).toEqual([
      first,
    ])
  })

  it('can be hundreds, and are cut off at the limit of groups per user', async () => {
    const prefix = randomUUID().slice(0, 8)
    const names = Array.from({ length: 230 }, (_, at) => `${prefix}-${at}`)
    const user = await signedIn({ nameId: prefix, attributes: { groups: names } }, synced)
    expect(user.groups).toHaveLength(200)
    const fewer = await signedIn({ nameId: prefix, attributes: { groups: names.slice(0, 3) } }, synced)
    expect(await groupNames(fewer)).toEqual(names.slice(0, 3).sort())
  })
})

describe('a known user', () => {
  it('is shown a page if the account is disabled', async () => {
    const nameId = `disabled-${randomUUID()}`
    const user = await signedIn({ nameId })
    await admin('PATCH', `/api/2/users/${user.id}`, { is_enabled: false })
    const answer = await posted({ nameId })
    expect(answer.status).toBe(403)
    expect(answer.headers.get('content-type')).toContain('text/html')
    expect(answer.text).toContain('disabled')
    expect(sessionOf(answer)).toBeUndefined()
  })

  it('is created again if the account was deleted', async () => {
    const nameId = `deleted-${randomUUID()}`
    const user = await signedIn({ nameId })
    expect((await admin('DELETE', `/api/2/users/${user.id}`)).status).toBe(204)
    const next = await signedIn({ nameId })
    expect(next.id).toBeGreaterThan(user.id)
    expect((await signedIn({ nameId })).id).toBe(next.id)
  })

  it('has no way to a password, which would survive their removal at the provider', async () => {
    const user = await signedIn({ attributes: { mail: `no-reset-${randomUUID()}@example.com` } })
    const sent = await admin('POST', `/api/2/users/${user.id}/password/reset`)
    expect(sent.status).toBe(409)
  })

  it('gains nothing that is not theirs by signing in through the provider', async () => {
    const user = await signedIn({ attributes: { permissions: ['system:admin-access'], is_admin: 'true' } })
    expect(user.effective_permissions).toEqual([])
    expect((await stored(user.id)).permissions).toEqual([])
  })
})

describe('linking an account', () => {
  const linkIn = async (browser: TestBrowser, facts: AnswerFacts, at = provider): Promise<Answer> => {
    const start = await browser.get(`${at.loginUrl}?link=true&return_to=/profile`, 'same-origin')
    if (start.status !== 303) return start
    const request = at.idp.read(start.headers.get('location') ?? '', [at.own.pem])
    return browser.post(at.assertionUrl, (await at.idp.answer(at.idp.targetOf(request), facts)).form)
  }
  /** A user whose browser has a session from a sign-in here. */
  const local = async (fields: Parameters<typeof addPerson>[1] = {}) => {
    const person = await addPerson(service, fields)
    const browser = new TestBrowser(service)
    const answer = await trySignIn(service, person)
    browser.keep(answer)
    return { ...person, browser }
  }

  it('lets a user sign in to their account through the provider', async () => {
    const nameId = `linked-${randomUUID()}`
    const { user, browser } = await local()
    const before = await countSessions(service)
    const answer = await linkIn(browser, { nameId })
    expect(answer.status).toBe(303)
    expect(sessionOf(answer)).toBeUndefined()
    expect(await countSessions(service)).toBe(before)
    const back = await browser.get(answer.headers.get('location') ?? '', 'cross-site')
    expect(back.headers.get('location')).toBe('https://auth.example.com/profile')
    expect((await signedIn({ nameId })).id).toBe(user.id)
    const records = await admin('GET', `/api/2/auth/audit-events?user=${user.id}`)
    expect(records.body).toContainEqual(
      expect.objectContaining({
        event: 'company_account.linked',
        actor: user.id,
        target: `saml:${provider.id}`,
      }),
    )
  })

  it('changes nothing when it is repeated', async () => {
    const nameId = `twice-${randomUUID()}`
    const { user, browser } = await local()
    await linkIn(browser, { nameId })
    expect((await linkIn(browser, { nameId })).status).toBe(303)
    expect((await signedIn({ nameId })).id).toBe(user.id)
  })

  it('does not take over the account of another user', async () => {
    const nameId = `owned-${randomUUID()}`
    const owner = await signedIn({ nameId })
    const { browser } = await local()
    const answer = await linkIn(browser, { nameId })
    expect(answer.status).toBe(409)
    expect(answer.text).toContain('belongs to another user here')
    // Retrying repeats the linking, not a sign-in.
    expect(answer.text).toMatch(/sso\?return_to=[^"]*profile&amp;link=true">Try again/)
    expect((await signedIn({ nameId })).id).toBe(owner.id)
  })

  it('requires a session', async () => {
    const answer = await linkIn(new TestBrowser(service), {})
    expect(answer.status).toBe(401)
    expect(answer.headers.get('content-type')).toContain('text/html')
    expect(answer.text).toContain('Sign in here first. Then connect your account')
    expect(answer.text).not.toContain('bearer')
  })

  it('is refused from a page of another site, and where the browser does not report the origin', async () => {
    const { browser } = await local()
    const foreign = await browser.get(`${provider.loginUrl}?link=true`, 'cross-site')
    expect(foreign.status).toBe(403)
    // A link in a mail program is a lure as well.
    expect((await browser.get(`${provider.loginUrl}?link=true`, 'none')).status).toBe(403)
    // The error page offers no retry, because that would start the linking from our own page.
    expect(foreign.text).not.toMatch(/Try again|link=true/)
    const bearer = browser.cookie('latchkey') ?? ''
    const silent = await service.client('GET', `/api/2/auth/saml/${provider.id}/sso?link=true`, { bearer })
    expect(silent.status).toBe(403)
    expect((await browser.get(`${provider.loginUrl}?link=true`, 'same-origin')).status).toBe(303)
  })

  it('is refused while impersonating', async () => {
    const { browser } = await local({ permissions: ['system:admin-access'] })
    const { user: other } = await addPerson(service)
    const bearer = browser.cookie('latchkey') ?? ''
    const started = await service.client('POST', impersonationPath, { bearer, body: { user: other.id } })
    expect(started.status).toBe(204)
    const answer = await browser.get(`${provider.loginUrl}?link=true`, 'same-origin')
    expect(answer.status).toBe(403)
  })

  it('ends with the session that requested it', async () => {
    const nameId = `ended-${randomUUID()}`
    const { browser } = await local()
    const start = await browser.get(`${provider.loginUrl}?link=true`, 'same-origin')
    const request = provider.idp.read(start.headers.get('location') ?? '', [provider.own.pem])
    const { form } = await provider.idp.answer(provider.idp.targetOf(request), { nameId })
    await service.client('POST', '/api/2/auth/logout', { bearer: browser.cookie('latchkey') ?? '' })
    const answer = await browser.post(provider.assertionUrl, form)
    expect(answer.status).toBe(401)
    const { username } = await signedIn({ nameId })
    expect(username).toBe(nameId)
  })

  it('is refused to a session that is not recent', async () => {
    const { browser } = await local()
    const later = Date.now() + 16 * 60_000
    const answer = await atTime(later, () => browser.get(`${provider.loginUrl}?link=true`, 'same-origin'))
    expect(answer.status).toBe(403)
  })
})

describe('changing a provider', () => {
  it('ends its pending sign-ins when it is deleted', async () => {
    const one = await addProvider(service, await makeIdp())
    const { browser, target } = await startSignIn(service, one)
    const { form } = await one.idp.answer(target)
    expect((await admin('DELETE', `/api/2/auth/saml/${one.id}`)).status).toBe(204)
    const answer = await browser.post(one.assertionUrl, form)
    expect(answer.status).toBe(404)
    expect(sessionOf(answer)).toBeUndefined()
  })

  it('applies a new certificate to sign-ins at once', async () => {
    const one = await addProvider(service, await makeIdp())
    const { browser, target } = await startSignIn(service, one)
    const { form } = await one.idp.answer(target)
    await patchProvider(service, one, { certificate: (await makeIdp()).signer.pem })
    expect((await browser.post(one.assertionUrl, form)).status).toBe(401)
  })
})

const atTime = async <Result>(now: number, work: () => Promise<Result>): Promise<Result> => {
  vi.useFakeTimers({ toFake: ['Date'], now })
  try {
    return await work()
  } finally {
    vi.useRealTimers()
  }
}
