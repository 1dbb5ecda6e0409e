import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { operations } from '../../lib/features/operations.ts'
import { buildSessionCookies } from '../../lib/http/authenticate.ts'
import { describeApple, newAppleAccount, postAnswer, startApple } from '../support/apple-upstream.ts'
import { TestBrowser } from '../support/browser.ts'
import type { Answer, JsonValue } from '../support/client.ts'
import { closeAfterTests } from '../support/close-after-tests.ts'
import { decide as decideAbout, openQuestion } from '../support/company-sign-in.ts'
import { makeIdp } from '../support/idp.ts'
import { acceptInvitation, readInvitationToken } from '../support/invitations.ts'
import { readMailedToken } from '../support/mailed-page.ts'
import { addConnection, signInByUpstream, startUpstream } from '../support/oidc-upstream.ts'
import { addPerson, addSignedIn } from '../support/people.ts'
import { addProvider, sessionOf, startSignIn, userOfSession, vouchForDomains } from '../support/saml.ts'
import { useService } from '../support/use-service.ts'

/*
 * Everybody who decides how the account of somebody else signs in, with every way in which the account gets a right that they
 * lack. Afterwards, neither the way in that they know nor a session that they opened before has the right.
 */

const service = await useService({
  ALLOW_PRIVATE_METADATA: 'true',
  RATE_LIMITS:
    'emailConfirmationsPerRecipient=50/3600,invitationsPerInviter=500/86400,signUpsPerAddress=500/3600,addressFailures=5000/600,samlStarts=100000/60,resetRequestsPerAddress=5000/3600',
})
const admin = await addSignedIn(service, { permissions: ['system:admin-access'] })
const manager = await addSignedIn(service, { permissions: ['users:manage', 'users:view'] })
const provider = await addProvider(service, await makeIdp(), { auto_create_users: true })
const domain = 'partner.example'
await vouchForDomains(service, provider, [domain])
const upstream = closeAfterTests(await startUpstream())
const connection = await addConnection(service, admin.bearer, upstream.issuer, { auto_create_users: true })
const upstreamDomain = 'upstream.example'
await vouchForDomains(service, { id: connection.id, admin: admin.bearer }, [upstreamDomain])

const call = (bearer: string | undefined, method: string, path: string, body?: object): Promise<Answer> =>
  service.client(method, `/api/2/${path}`, { ...(bearer ? { bearer } : {}), body })
const expectDone = async (request: Promise<Answer>): Promise<JsonValue> => {
  const answer = await request
  expect(answer.status, answer.text).toBeLessThan(300)
  return answer.body
}
/** A sign-in goes on to write after its answer. A merge that meets this is refused, and sent again. */
const merge = async (kept: number, user: number): Promise<void> => {
  const send = () => call(admin.bearer, 'POST', `users/${kept}/merge`, { user })
  const first = await send()
  await expectDone(first.status === 409 ? send() : Promise.resolve(first))
}
const asAdmin = (method: string, path: string, body?: object) =>
  expectDone(call(admin.bearer, method, path, body))
const asManager = (method: string, path: string, body?: object) =>
  expectDone(call(manager.bearer, method, path, body))

const apple = closeAfterTests(await startApple())
const appleConnection = await asAdmin('POST', 'auth/oidc-connections', {
  ...describeApple(apple),
  first_sign_in: 'create',
})

const password = 'violet tractor under nine moons'
const newMailbox = (at = 'example.com') => `${randomUUID()}@${at}`
const newUser = (fields: object = {}) => ({
  ...{ username: `made-${randomUUID()}`, permissions: [], groups: [], ...fields },
})

/** Somebody other than the owner can sign in as a user. */
interface Known {
  readonly id: number
  /** Signs in as they do. Returns the session, if there is one. */
  readonly signIn: () => Promise<string | undefined>
}

const signInByPassword = (username: string) => async () => {
  const { body } = await call(undefined, 'POST', 'auth/login', { username, password })
  return body.session_key as string | undefined
}

/** Confirms an address from its mailbox, and chooses a password with a link that was sent there. */
const takeByMail = async ({ id, username }: JsonValue, email: string): Promise<Known> => {
  const token = await readMailedToken(service, email, 'confirm')
  await expectDone(call(undefined, 'POST', 'auth/confirm-email', { token }))
  await expectDone(call(undefined, 'POST', 'auth/reset-password/request', { username }))
  const reset = await readMailedToken(service, email, 'reset')
  await expectDone(call(undefined, 'POST', 'auth/reset-password', { token: reset, password }))
  return { id, signIn: signInByPassword(username) }
}

const takeByInvitation = async ({ id, username, email }: JsonValue): Promise<Known> => {
  const token = await readInvitationToken(service, email)
  await expectDone(acceptInvitation(service, token, password))
  return { id, signIn: signInByPassword(username) }
}

/** Signs in at a company as somebody with this name and address. */
const signInByConnection = (nameId: string, email?: string) => async () => {
  const { browser, target } = await startSignIn(service, provider)
  const { form } = await provider.idp.answer(target, {
    nameId,
    ...(email ? { attributes: { email: [email] } } : {}),
  })
  // Over plain http, the cookie of the flow is sent from the same site only.
  return sessionOf(await browser.post(target.acsUrl, form, 'same-site'))
}
const signInByOidc = (sub: string, email?: string) => async () =>
  sessionOf((await signInByUpstream(connection, upstream, { sub, email, email_verified: true })).answer)
/** A public provider is no second factor, so that nobody with rights enters by it alone. */
const signInByApple = (sub: string, email?: string) => async () => {
  const browser = new TestBrowser(service)
  const started = await browser.get(appleConnection.login_url)
  const account = newAppleAccount({ sub, email })
  return sessionOf(await postAnswer(browser, apple.authorize(started.headers.get('location') ?? '', account)))
}
/** Another person is signed in in that browser, and continues as the user of the answer. */
const signInByAgreement = (sub: string, email?: string) => async () => {
  const [browser, { bearer }] = [new TestBrowser(service), await addSignedIn(service)]
  browser.keep({ cookies: buildSessionCookies(service.services.config, bearer) })
  const claims = { sub, email, email_verified: true }
  const { answer } = await signInByUpstream(connection, upstream, claims, browser)
  if (answer.status !== 303) return undefined
  return sessionOf(await decideAbout(browser, await openQuestion(browser, answer), 'yes'))
}

type SignInAtCompany = (name: string, email?: string) => Known['signIn']

const createByCompany = async (signInAt: SignInAtCompany, at: string): Promise<Known> => {
  const signIn = signInAt(randomUUID(), newMailbox(at))
  const id = await userOfSession(service, (await signIn()) ?? '')
  if (id === undefined) throw new Error('no user was created')
  return { id, signIn }
}
const linkByCompany = async (signInAt: SignInAtCompany, at: string): Promise<Known> => {
  const email = newMailbox(at)
  const { user } = await addPerson(service, { email })
  const signIn = signInAt(randomUUID(), email)
  expect(await userOfSession(service, (await signIn()) ?? '')).toBe(user.id)
  return { id: user.id, signIn }
}
const addUser = async () => (await addPerson(service)).user
/** Nobody can sign in as them yet. A link confirms the address of anyone else in their own session alone. */
const addUserWithoutWay = async () => (await addPerson(service, { passwordHash: null })).user

/** How somebody decides about the sign-in of another user, by operation. */
const deciders: readonly (readonly [operation: string, way: string, decide: () => Promise<Known>])[] = [
  [
    'create_user',
    'an address',
    async () => {
      const email = newMailbox()
      return takeByMail(await asManager('POST', 'users', newUser({ email })), email)
    },
  ],
  [
    'create_user',
    'an invitation',
    async () =>
      takeByInvitation(await asManager('POST', 'users', newUser({ email: newMailbox(), invite: true }))),
  ],
  [
    'patch_user',
    'an address',
    async () => {
      const [user, email] = [await addUserWithoutWay(), newMailbox()]
      return takeByMail(await asManager('PATCH', `users/${user.id}`, { email }), email)
    },
  ],
  [
    'update_user',
    'an address',
    async () => {
      const [{ id, username }, email] = [await addUserWithoutWay(), newMailbox()]
      return takeByMail(await asManager('PUT', `users/${id}`, newUser({ username, email })), email)
    },
  ],
  [
    'invite_user',
    'an invitation',
    async () => {
      const user = await asAdmin('POST', 'users', newUser({ email: newMailbox() }))
      await asManager('POST', `users/${user.id}/invite`)
      return takeByInvitation(user)
    },
  ],
  [
    'approve_sign_up',
    'their own request',
    async () => {
      const email = newMailbox()
      await asAdmin('PUT', 'system/sign-up-policy', { mode: 'approval' })
      await expectDone(call(undefined, 'POST', 'auth/sign-up', { email }))
      const token = await readMailedToken(service, email, 'sign-up')
      const names = { token, full_name: 'Grace Hopper' }
      await expectDone(call(undefined, 'POST', 'auth/sign-up/complete', names))
      const requests: readonly JsonValue[] = await asManager('GET', 'sign-up-requests')
      const request = requests.find((one) => one.email === email)
      const { id } = await asManager('POST', `sign-up-requests/${request?.id}/approve`)
      return takeByInvitation(await asAdmin('GET', `users/${id}`))
    },
  ],
  [
    'set_user_password',
    'a password',
    async () => {
      const { id, username } = await addUser()
      await asManager('POST', `users/${id}/password`, { password })
      return { id, signIn: signInByPassword(username) }
    },
  ],
  [
    'link_user_company_account',
    'their own account at a company over SAML',
    async () => {
      const [{ id }, name] = [await addUser(), randomUUID()]
      await asManager('POST', `users/${id}/company-accounts`, { provider: provider.id, name })
      return { id, signIn: signInByConnection(name) }
    },
  ],
  [
    'link_user_company_account',
    'their own account at a company over OpenID Connect',
    async () => {
      const [{ id }, name] = [await addUser(), randomUUID()]
      await asManager('POST', `users/${id}/company-accounts`, { provider: connection.id, name })
      return { id, signIn: signInByOidc(name) }
    },
  ],
  [
    'merge_user',
    'an account of a company, which moved',
    async () => {
      const [kept, other] = [await addUser(), await createByCompany(signInByConnection, domain)]
      await asAdmin('POST', `users/${kept.id}/merge`, { user: other.id })
      return { id: kept.id, signIn: other.signIn }
    },
  ],
  ['receive_saml_auth_assertion', 'creation', () => createByCompany(signInByConnection, domain)],
  ['receive_saml_auth_assertion', 'an address', () => linkByCompany(signInByConnection, domain)],
  ['receive_oidc_answer', 'creation', () => createByCompany(signInByOidc, upstreamDomain)],
  ['receive_oidc_answer', 'an address', () => linkByCompany(signInByOidc, upstreamDomain)],
  ['receive_oidc_answer_by_form', 'creation', () => createByCompany(signInByApple, 'icloud.com')],
  ['answer_sign_in_question', 'creation', () => createByCompany(signInByAgreement, upstreamDomain)],
  ['answer_sign_in_question', 'an address', () => linkByCompany(signInByAgreement, upstreamDomain)],
]

/** Operations that decide, and that only an administrator can use, who lacks no right. */
const onlyAdministrators: Readonly<Record<string, () => Promise<Answer>>> = {
  import_users: () => call(manager.bearer, 'POST', 'users/import', { lines: [] }),
}

const addGroup = (fields: object) => asAdmin('POST', 'groups', { name: `group-${randomUUID()}`, ...fields })
const addHolder = async (right: string) =>
  (await addPerson(service, { groups: [(await addGroup({ permissions: [right], members: [] })).id] })).user

interface Promotion {
  /** What the account has before the decision counts: without rights. */
  readonly prepare?: (id: number) => Promise<unknown>
  /** Gives the right to the account. Returns the ID of the account that has it then. */
  readonly give: (id: number, right: string, prepared: JsonValue) => Promise<number>
}

/** Every way in which an account gets a right. */
const promotions: Readonly<Record<string, Promotion>> = {
  'a permission': {
    give: async (id, right) => (await asAdmin('PATCH', `users/${id}`, { permissions: [right] })).id,
  },
  'a permission in all fields': {
    give: async (id, right) => {
      const user = await asAdmin('GET', `users/${id}`)
      return (await asAdmin('PUT', `users/${id}`, { ...user, permissions: [right] })).id
    },
  },
  'a group with it': {
    give: async (id, right) => {
      const { groups } = await asAdmin('GET', `users/${id}`)
      const group = await addGroup({ permissions: [right], members: [] })
      return (await asAdmin('PATCH', `users/${id}`, { groups: [...groups, group.id] })).id
    },
  },
  'a new group with it': {
    give: async (id, right) => {
      await addGroup({ permissions: [right], members: [{ id }] })
      return id
    },
  },
  'the members of a group with it': {
    give: async (id, right) => {
      const group = await addGroup({ permissions: [right], members: [] })
      await asAdmin('PATCH', `groups/${group.id}`, { members: [{ id }] })
      return id
    },
  },
  'a permission of their group': {
    prepare: (id) => addGroup({ permissions: [], members: [{ id }] }),
    give: async (id, right, group) => {
      await asAdmin('PATCH', `groups/${group.id}`, { permissions: [right] })
      return id
    },
  },
  'a merge with a holder': {
    give: async (id, right) => {
      await merge(id, (await addHolder(right)).id)
      return id
    },
  },
  'a merge into a holder': {
    give: async (id, right) => {
      const holder = await addHolder(right)
      await merge(holder.id, id)
      return holder.id
    },
  },
}

/** Whether a session has the right. */
const hasRight = async (session: string | undefined, right: string): Promise<boolean> => {
  if (session === undefined) return false
  const { status, body } = await call(session, 'GET', 'users/me')
  const rights: readonly string[] = status === 200 ? body.effective_permissions : []
  const opens = right === 'system:admin-access' && (await call(session, 'GET', 'oidc-clients')).status < 300
  return opens || rights.includes(right) || rights.includes('system:admin-access')
}

it('each operation that decides about the sign-in of others has a row', () => {
  const declared = operations.filter((operation) => 'decidesSignIn' in operation).map(({ id }) => id)
  const rows = new Set([...deciders.map(([operation]) => operation), ...Object.keys(onlyAdministrators)])
  expect([...rows].sort()).toEqual([...declared].sort())
})

it.each(Object.entries(onlyAdministrators))('%s is for administrators', async (_, decide) => {
  expect((await decide()).status).toBe(403)
})

/** An organization, as somebody makes a user its owner, and as the holder of a session changes it. */
const addOrganization = async () => {
  const slug = `org-${randomUUID().slice(0, 13).replaceAll(/[01]/g, '2')}`
  const { id } = await asAdmin('POST', 'organizations', { name: 'Acme', slug })
  return {
    addOwner: (user: number) =>
      call(admin.bearer, 'POST', `organizations/${id}/members`, { user, roles: ['owner'] }),
    change: async (session: string) =>
      (await call(session, 'PATCH', `organizations/${id}`, { name: 'Changed' })).status,
  }
}

describe.each(deciders)('a role in an organization after %s decided by %s', (operation, _, decide) => {
  it('is refused to who could not give it, until an administrator sets a password', async () => {
    const known = await decide()
    const earlier = await known.signIn()
    const { addOwner, change } = await addOrganization()
    const added = await addOwner(known.id)
    // Connections belong to administrators, who may give roles.
    const isByManager = !/^receive|^merge|^answer/.test(operation)
    expect([added.status, added.body.reason]).toEqual(isByManager ? [409, 'roles_limited'] : [201, undefined])
    // Who only named an address knows no way in, so an invitation is enough: see `limited-roles.test.ts`.
    const needsPassword = isByManager && !/invite them/.test(added.body.detail)
    if (needsPassword) {
      await asAdmin('POST', `users/${known.id}/password`, { password: `${password}, and more` })
      expect((await addOwner(known.id)).status).toBe(201)
    }
    for (const session of [earlier, await known.signIn()].filter((one) => one !== undefined))
      expect(isByManager ? [401, 404] : [200]).toContain(await change(session))
  })
})

describe.each(deciders)('after %s decided by %s', (operation, _, decide) => {
  const isByConnection = /^receive|^merge|^answer/.test(operation)
  const second = isByConnection ? 'users:manage' : 'billing:refund'
  const names = Object.keys(promotions)
  const shortened = names.filter((name) => /^a permission|^a merge/.test(name))
  it.each([
    ...names.map((name) => [name, 'system:admin-access'] as const),
    ...shortened.map((name) => [name, second] as const),
  ])('%s gives no one else %s', async (name, right) => {
    const known = await decide()
    const earlier = await known.signIn()
    expect(await userOfSession(service, earlier ?? '')).toBe(known.id)
    const promotion = promotions[name]
    const prepared = (await promotion?.prepare?.(known.id)) as JsonValue
    const id = await promotion?.give(known.id, right, prepared)
    expect(await hasRight(earlier, right)).toBe(false)
    const later = await known.signIn()
    expect(await hasRight(later, right)).toBe(false)
    // The account exists, and its owner can get the right.
    expect((await call(admin.bearer, 'GET', `users/${id}`)).status).toBe(200)
  })
})
