import { randomUUID } from 'node:crypto'
import { Secret, TOTP } from 'otpauth'
import {
  exampleBundle,
  exampleCode,
  exampleCredentials,
  exampleDirectory,
  exampleIds,
  exampleNewPassword,
  examplePassword,
} from '../../lib/accounts/example-values.models.ts'
import { suppressAddress } from '../../lib/accounts/outbox/suppressed-addresses.records.ts'
import { findUser } from '../../lib/accounts/users/find-users.records.ts'
import { buildManageSteps } from '../../lib/features/configuration/managed.records.ts'
import type { ConnectionDomainRecord } from '../../lib/features/connections/domains.records.ts'
import { createDomain } from '../../lib/features/connections/domains.ts'
import { storeTestResult } from '../../lib/features/connections/flows.records.ts'
import { oidcKind } from '../../lib/features/connections/oidc/records.ts'
import { editConnectionOf, findConnectionOf } from '../../lib/features/connections/records.ts'
import { findSamlConnection, samlKind } from '../../lib/features/connections/saml/records.ts'
import { getSignUpRequestId } from '../../lib/features/invitations/sign-up.records.ts'
import { en } from '../../lib/features/mail/messages/en.ts'
import { findClient } from '../../lib/features/oauth/clients.records.ts'
import { messagesVersion, pageFiles } from '../../lib/features/pages/app.prebuilt.ts'
import { mintResetToken } from '../../lib/features/passwords/reset-tokens.ts'
import { buildSessionCookies } from '../../lib/http/authenticate.ts'
import type { Operation } from '../../lib/kernel/contract/operation.ts'
import { nameScriptFolder } from '../../lib/kernel/i18n/languages.ts'
import { userKey } from '../../lib/kernel/table/keys/keys.ts'
import { day } from '../../lib/kernel/util/time.ts'
import { createAppleKey, describeApple, newAppleAccount, signNotification } from './apple-upstream.ts'
import { enableSecondFactor } from './authenticator.ts'
import { awaitMails } from './await-mails.ts'
import { TestBrowser } from './browser.ts'
import type { JsonValue } from './client.ts'
import { openQuestion } from './company-sign-in.ts'
import { connectAccount } from './connected-accounts.ts'
import { readHiddenFields } from './decisions.ts'
import { deliverMail, readMailed } from './deliver-mail.ts'
import { type ExampleWorld, exampleInvitation } from './example-world.ts'
import { queryOf } from './idp/redirect.ts'
import { storeInvitation } from './invitations.ts'
import { addLink } from './links.ts'
import {
  addNativeApp,
  addRelyingParty,
  buildAuthorization,
  createPkce,
  getCode,
  proveClient,
  type RelyingParty,
  readReturnPath,
} from './oidc.ts'
import { addGrant, signToken } from './oidc-tokens.ts'
import { backchannelLogoutEvent, clientId, openCallback, signWith } from './oidc-upstream.ts'
import { findOffer } from './organization-invitations.ts'
import { SoftwarePasskey } from './passkeys.ts'
import { addPerson, addSignedIn, callAs, signIn } from './people.ts'
import { reachLimit } from './reached-limits.ts'
import { addRememberedDevice } from './remembered-devices.ts'
import { startSignIn, vouchForDomains } from './saml.ts'
import { plainMetadata } from './saml-metadata.ts'
import { addDirectory, adoptUser, sendUnassigned } from './scim.ts'
import type { TestService } from './service.ts'

/*
 * Some examples cannot be sent as they are, because a value works only once, only for minutes, or only for the secret of
 * one device. These values are replaced by live ones. Everything else in an example is sent unchanged.
 */

/** Values that any example can contain, with what creates a live one. */
export const liveValues: Readonly<Record<string, (world: ExampleWorld, op: Operation) => Promise<string>>> = {
  // Tickets live for a minute.
  [exampleCredentials.ticket]: async ({ service, ada }) =>
    (await service.client('POST', '/api/2/auth/ticket', { bearer: ada.bearer, body: {} })).body.ticket,
  // Credentials contain random bits and a checksum, which the examples do not have.
  [exampleCredentials.accessLink]: async ({ link }) => link.token,
  [exampleCredentials.apiToken]: async ({ apiToken }) => apiToken,
  [exampleCredentials.organizationToken]: async ({ organizationToken }) => organizationToken,
  [exampleCredentials.session]: ({ service, ada }) => signIn(service, ada),
  // These work once and for minutes. All but the first two come by email or from the step before.
  [exampleCredentials.resetToken]: async ({ service: { services }, ada }) => {
    const reset = mintResetToken(services, (await findUser(services.table, ada.user.id)) ?? ada.user)
    await services.table.transact(reset.steps)
    return reset.value
  },
  [exampleCredentials.secondFactorToken]: async ({ service, ada }) => {
    await enableSecondFactor(service, ada)
    const body = { username: 'ada', password: examplePassword }
    return (await service.client('POST', '/api/2/auth/login', { body })).body.second_factor_token
  },
  [exampleCredentials.securityReport]: async ({ service, ada }) => {
    // An email about an earlier change would arrive after the one that is wanted.
    await deliverMail(service)
    await awaitMails(service)
    const body = { password: exampleNewPassword, current_password: examplePassword }
    await service.client('POST', '/api/2/users/me/password', { bearer: ada.bearer, body })
    // Earlier changes have notices as well, and the change decides what a report of it ends.
    return readMailed(service, 'ada@example.com', 'token', en.passwordChangedSubject)
  },
  [exampleCredentials.emailConfirmation]: async ({ service, ada }) => {
    const body = { email: 'ada.king@example.com' }
    await service.client('POST', '/api/2/users/me/email', { bearer: ada.bearer, body })
    return readMailed(service, 'ada.king@example.com', 'token')
  },
  [exampleCredentials.signUp]: async (world) => {
    const email = `${randomUUID()}@example.com`
    await allowSignUp(world, { mode: 'open', ...exampleTerms })
    await post(world, 'auth/sign-up', undefined, { email })
    return readMailed(world.service, email, 'token')
  },
  [exampleCredentials.invitation]: async ({ service, provider }) => {
    await vouchForDomains(service, provider, ['example.com'])
    return (await addInvited(service)).token
  },
  [exampleCredentials.organizationInvitation]: (world) => readInvited(world),
  // Codes of an authenticator app are valid for 30 seconds.
  [exampleCode]: async ({ service, ada }, { id }) =>
    id === 'enable_totp' ? exampleCode : (await enableSecondFactor(service, ada)).authenticator.code(1),
}

/** An access token of ada for the client. */
const issueAccessToken = async ({ service, ada, oidcClient }: ExampleWorld): Promise<string> => {
  const client = await findClient(service.services.table, oidcClient.client_id)
  if (!client) throw new Error('the client was not found')
  return signToken(service, await addGrant(service, ada, { client }))
}

/** Signs ada in at client 2. */
const connectApp = async ({ service, ada, oidcClient }: ExampleWorld) => {
  const client = await findClient(service.services.table, oidcClient.client_id)
  if (!client) throw new Error('the client was not found')
  await getCode(service, { client, secret: oidcClient.client_secret }, ada.bearer)
  return {}
}

const addInvited = async (service: TestService) => {
  const { user } = await addPerson(service, { email: `${randomUUID()}@example.com` })
  return { id: user.id, token: await storeInvitation(service, user.id) }
}

/** Creates an access link in the name of organization 12, and returns its ID. */
const addOrganizationLink = async (world: ExampleWorld): Promise<number> => {
  const { service, admin, ada } = world
  await service.client('PATCH', `/api/2/organizations/12/members/${ada.user.id}`, {
    bearer: admin.bearer,
    body: { roles: ['owner'] },
  })
  const { id } = await post(world, 'auth/access-tokens', ada.bearer, { bundles: [7], organization: 12 })
  return id
}

/** Invites an address to organization 12, and returns the ID of the invitation. */
const inviteToOrganization = async (world: ExampleWorld, email: string): Promise<number> => {
  const { path, body } = exampleInvitation
  return (await post(world, path, world.admin.bearer, { ...body, email })).id
}

/** The token of an invitation to an organization. An address gets one email only, because the token of an earlier one has ended. */
const readInvited = async (world: ExampleWorld, email = `${randomUUID()}@example.com`): Promise<string> => {
  await inviteToOrganization(world, email)
  return readMailed(world.service, email, 'token')
}

/** Invites the address of somebody who is signed in. */
const inviteSignedIn = async (world: ExampleWorld, _example: JsonValue) => {
  const { user, bearer } = await addSignedIn(world.service, { email: `${randomUUID()}@example.com` })
  const email = user.email ?? ''
  return { bearer, email, path: { id: await inviteToOrganization(world, email) } }
}

/** What a single operation needs besides the values of its example. */
interface Preparation {
  /** Fields of the body that are replaced as a whole. */
  readonly body?: Readonly<Record<string, unknown>>
  /** Parameters of the path that are replaced. */
  readonly path?: Readonly<Record<string, unknown>>
  readonly query?: string
  readonly bearer?: string
  readonly headers?: Readonly<Record<string, string>>
}

type Prepare = (world: ExampleWorld, example: JsonValue) => Promise<Preparation>

const post = async (
  { service }: ExampleWorld,
  path: string,
  bearer: string | undefined,
  body: object = {},
) => {
  const answer = await service.client('POST', `/api/2/${path}`, {
    body,
    ...(bearer !== undefined && { bearer }),
  })
  if (answer.status >= 300) throw new Error(`${path}: ${answer.text}`)
  return answer.body
}

const usePasskey = (world: ExampleWorld, options: JsonValue) => ({
  credential: world.passkey.get(options, { origin: world.service.url }),
})

const buildAuthorizationQuery = async ({ service }: ExampleWorld): Promise<string> =>
  String(buildAuthorization(await addRelyingParty(service), createPkce().challenge))

const connectToAda = ({ service, ada, admin }: ExampleWorld) =>
  connectAccount(service, ada.user, { providerId: exampleIds.samlProvider, manager: admin.bearer })

// The IDs of passkeys and sessions are random.
const namePasskey: Prepare = async ({ passkeyId }) => ({ path: { id: passkeyId } })
const fetchMetadata: Prepare = async ({ metadata }) => ({ body: { url: metadata.url } })

const addExampleDomain: Prepare = async ({ service, provider }) => {
  await vouchForDomains(service, provider, ['example.com'])
  return {}
}

/** A connection that is being set up, with everything that it needs to go live, and the browser that opened its link. */
const addSetup = async (
  world: ExampleWorld,
  domains: readonly ConnectionDomainRecord[] = [],
  fields: object = {},
) => {
  const { table } = world.service.services
  const created = await post(world, 'auth/saml-setups', world.admin.bearer, { name: 'Example', ...fields })
  const provider = await findSamlConnection(table, created.saml_provider)
  if (!provider) throw new Error('the connection was not found')
  const entity_id = `https://${randomUUID()}.example/`
  if (domains.length > 0) await editConnectionOf(table, samlKind, provider, { entity_id, domains }, [])
  const token = new URL(created.url).hash.slice('#token='.length)
  return { id: created.saml_provider, link: created.id, token }
}

/** A connection that organization 12 brought, with a domain that waits for its record, and an approval. */
const bringConnection = async (world: ExampleWorld): Promise<number> => {
  const { table } = world.service.services
  const { id } = await post(world, 'organizations/12/sign-in', world.admin.bearer, {
    ...{ kind: 'oidc', issuer: 'https://idp.example.com', client_id: 'latchkey', client_secret: 'secret' },
  })
  const connection = await findConnectionOf(table, oidcKind, id)
  if (!connection) throw new Error('the connection was not found')
  const setup = { link: null, awaitsApproval: true } as const
  const domains = [createDomain('example.com')]
  await editConnectionOf(table, oidcKind, connection, { setup, domains }, [])
  return id
}
const addExampleDirectory = async ({ service, admin }: ExampleWorld) => {
  const manage = callAs(service, admin)
  const path = `auth/connections/${exampleIds.oidcConnection}/scim`
  // A connection has two tokens at most.
  for (const { id } of (await manage('GET', path)).body.tokens) await manage('DELETE', `${path}/tokens/${id}`)
  return addDirectory(service, exampleIds.oidcConnection, {}, admin)
}
/** A person whom the directory of the connection sent. */
const sendExamplePerson: Prepare = async (world) => {
  const { token, addUser } = await addExampleDirectory(world)
  const { body } = await addUser({ userName: 'ada@example.com', externalId: '00ujl29u0le5T6Aj10h7' })
  return { bearer: token, path: { resource_key: body.id } }
}
const assignExamplePerson: Prepare = async (world) => {
  const { person, user } = await sendUnassigned(world.service, await addExampleDirectory(world))
  return { path: { person }, body: { user } }
}
const assignInOrganization: Prepare = async (world) => {
  const { table } = world.service.services
  const connectionId = await bringConnection(world)
  const connection = await findConnectionOf(table, oidcKind, connectionId)
  if (!connection) throw new Error('the connection was not found')
  // A directory sends people to a connection that works.
  await editConnectionOf(table, oidcKind, connection, { setup: null }, [])
  const directory = await addDirectory(world.service, connectionId, {}, world.admin)
  const { person, user } = await sendUnassigned(world.service, directory)
  return { path: { id: 12, connection_id: connectionId, person }, body: { user } }
}
const bringToOrganization: Prepare = async (world) => ({
  path: { id: 12, connection_id: await bringConnection(world) },
})

/** The same, in the browser that opened the link. */
const openSetup = async (
  world: ExampleWorld,
  domains: readonly ConnectionDomainRecord[] = [],
  fields: object = {},
) => {
  const { id, token } = await addSetup(world, domains, fields)
  const { body, cookies } = await world.service.client('POST', '/api/2/auth/saml-setup', { body: { token } })
  return { id, token, shown: body.shown, headers: { cookie: cookies[0]?.split(';', 1)[0] ?? '' } }
}

/** The same with a link that includes the directory. */
const openSetupWithDirectory = async (world: ExampleWorld) => {
  const { token, headers } = await openSetup(world, [], { allows_directory: true })
  return { body: { token }, headers }
}

const storeTest = async ({ service }: ExampleWorld, providerId: number): Promise<void> => {
  const diagnosis = JSON.stringify({ accepted: true, steps: [], subject: null })
  const result = { receivedAt: Date.now(), diagnosis }
  await storeTestResult(service.services.table, providerId, 'test', result, Date.now() + 60_000)
}

const usePendingSetup: Prepare = async (world) => {
  const { token, headers } = await openSetup(world, exampleSetupDomain('pending'))
  return { body: { token }, headers }
}

const exampleSetupDomain = (state: ConnectionDomainRecord['state']): readonly ConnectionDomainRecord[] => [
  { ...createDomain('example.com'), state },
]

const startAsOwnPage: Prepare = async ({ admin }) => ({
  headers: { cookie: `latchkey=${admin.bearer}`, 'sec-fetch-site': 'same-origin' },
})

/** Somebody else's account at an identity provider arrives in the browser of ada. */
const askAboutSignIn = async ({ service, connection, upstream, ada }: ExampleWorld) => {
  const { browser, location } = await connection.start()
  browser.keep({ cookies: buildSessionCookies(service.services.config, ada.bearer) })
  const answer = await openCallback(browser, upstream.authorize(location, { sub: 'heidi', email: undefined }))
  const question = await openQuestion(browser, answer)
  const cookie = browser.cookieHeader(question.path, 'same-origin', 'GET')
  return {
    path: { id: connection.id, question: question.path.split('/').at(-1) },
    headers: { cookie, 'sec-fetch-site': 'same-origin' },
    question,
  }
}

const answerSignIn = async ({ service, provider }: ExampleWorld) => {
  const started = await startSignIn(service, provider)
  const { form } = await provider.idp.answer(started.target, { nameId: 'ada@example.com' })
  return { ...started, form }
}

const allowEmailCodes: Prepare = async ({ service, admin }) => {
  const body = { allow_email_codes: true }
  await service.client('PUT', '/api/2/system/sign-in-policy', { bearer: admin.bearer, body })
  return {}
}

const allowDeletion: Prepare = async ({ service, admin }) => {
  const body = { account_deletion: 'after_grace', account_deletion_grace_days: 14 }
  await service.client('PUT', '/api/2/system/sign-in-policy', { bearer: admin.bearer, body })
  return {}
}

/** The attributes of the examples: one that users may change, and a searchable one. */
const defineAttribute: Prepare = async ({ service, admin }) => {
  const attributes = [
    { name: 'nickname', type: 'text', user_access: 'write' },
    { name: 'staff_number', type: 'text', is_searchable: true },
  ]
  await service.client('PUT', '/api/2/system/user-attributes', { bearer: admin.bearer, body: { attributes } })
  return {}
}

const exampleTerms = { terms_version: '2026-01', terms_url: 'https://www.example.com/terms' }

const allowSignUp = async ({ service, admin }: ExampleWorld, body: object): Promise<void> => {
  await service.client('PUT', '/api/2/system/sign-up-policy', { bearer: admin.bearer, body })
}

/** Someone with a verified address who waits for approval. */
const addSignUpRequest: Prepare = async (world) => {
  const email = `${randomUUID()}@example.com`
  await allowSignUp(world, { mode: 'approval' })
  await post(world, 'auth/sign-up', undefined, { email })
  const token = await readMailed(world.service, email, 'token')
  await post(world, 'auth/sign-up/complete', undefined, { token, full_name: 'Grace Hopper' })
  return { path: { key: getSignUpRequestId(email) } }
}

const requireTotp: Prepare = async ({ service, ada }) => {
  await enableSecondFactor(service, ada)
  return {}
}

const shareEasily =
  (objects: object): Prepare =>
  async (world) => {
    await post(world, 'auth/access-tokens', world.admin.bearer, { ...objects, is_easy_sharing: true })
    return {}
  }

const shareBundle = shareEasily({ bundles: [exampleBundle] })
const shareDirectory = shareEasily({ directories: [exampleDirectory] })

const authenticateClient: Prepare = async (world) => {
  const { client_id, client_secret } = world.oidcClient
  return { body: { client_id, client_secret, token: await issueAccessToken(world) } }
}

const findTomorrow = ({ services }: TestService): string => new Date(services.now() + day).toISOString()

/** By operation. */
export const preparations: Readonly<Record<string, Prepare>> = {
  // A document manages the client of the example.
  unlock_managed: async ({ service }) => {
    const web = { kind: 'client', key: 'web', id: exampleIds.client, owner: 'film-library' } as const
    await service.services.table.transact(buildManageSteps({ ...web, given: '', result: '' }, undefined))
    return {}
  },
  // The client may ask for the API.
  try_oidc_client_sign_in: async (world, { audience }) => {
    if (audience === undefined) return {}
    const { service, admin } = world
    await post(world, 'protected-apis', admin.bearer, { name: 'Films', audience })
    const body = { apis: [{ audience, scopes: [] }] }
    await service.client('PATCH', `/api/2/oidc-clients/${exampleIds.client}`, { bearer: admin.bearer, body })
    return {}
  },
  // A test is sent to the own address.
  send_email_text_test: async ({ service }) => ({
    bearer: (
      await addSignedIn(service, {
        email: `${randomUUID()}@example.com`,
        permissions: ['system:admin-access'],
      })
    ).bearer,
  }),
  // A ticket is checked with its audience.
  check_auth_ticket: async (world, { audience }) => ({
    body: await post(world, 'auth/ticket', world.ada.bearer, audience === undefined ? {} : { audience }),
  }),
  // The claim names the client and an API of the examples.
  update_user_attributes: async ({ oidcClient }, { claims = [] }) => {
    const readers = { clients: [oidcClient.client_id], apis: ['https://music.example.com'] }
    return { body: { claims: claims.map((claim: object) => ({ ...claim, ...readers })) } }
  },
  get_current_organization: async ({ organizationToken }) => ({ bearer: organizationToken }),
  get_userinfo: async (world) => ({ bearer: await issueAccessToken(world) }),
  get_userinfo_by_form: async (world) => ({ body: { access_token: await issueAccessToken(world) } }),
  introspect_token: authenticateClient,
  revoke_token: authenticateClient,
  request_email_code: allowEmailCodes,
  request_sign_up: async (world) => {
    await allowSignUp(world, { mode: 'open' })
    return {}
  },
  approve_sign_up: addSignUpRequest,
  refuse_sign_up: addSignUpRequest,
  // A code of an email works once, with its request.
  login_with_email_code: async (world, example) => {
    await allowEmailCodes(world, example)
    const { request_id } = await post(world, 'auth/email-code', undefined, { username: 'ada' })
    return { body: { request_id, code: await readMailed(world.service, 'ada@example.com', 'code') } }
  },
  // Only a session of the caller can be ended.
  end_own_session: async ({ service, ada }) => {
    await signIn(service, ada)
    const { body } = await service.client('GET', '/api/2/auth/sessions', { bearer: ada.bearer })
    return { path: { id: body.find((session: JsonValue) => !session.is_current).id } }
  },
  end_user_session: async ({ service, admin }) => {
    const path = `/api/2/users/${exampleIds.user}/sessions`
    const { body } = await service.client('GET', path, { bearer: admin.bearer })
    return { path: { session_id: body[0].id } }
  },
  end_remembered_device: async ({ service, admin }) => {
    const { id } = await addRememberedDevice(service, exampleIds.user)
    return { bearer: admin.bearer, path: { device_id: id } }
  },
  // There has to be an impersonation to stop.
  stop_impersonation: async (world) => {
    await post(world, 'auth/impersonation', world.admin.bearer, { user: exampleIds.user })
    return { bearer: world.admin.bearer }
  },
  try_hook: async ({ oidcClient }) => ({ body: { client_id: oidcClient.client_id } }),
  // Only administrators see the deep check.
  get_health: async ({ admin }) => ({ bearer: admin.bearer }),
  // Easy sharing creates its link when it is first asked for.
  get_easy_sharing_token_for_bundle: shareBundle,
  delete_easy_sharing_token_for_bundle: shareBundle,
  get_easy_sharing_token_for_directory: shareDirectory,
  delete_easy_sharing_token_for_directory: shareDirectory,
  // The link is for an account, which has to be signed in.
  redeem_access_token: async ({ ada }) => ({ bearer: ada.bearer }),
  // Passkeys sign fresh challenges.
  create_passkey: async (world) => {
    const options = await post(world, 'users/me/passkeys/options', world.ada.bearer)
    return { body: { credential: new SoftwarePasskey().create(options, { origin: world.service.url }) } }
  },
  accept_invitation_with_passkey: async (world, { token }) => {
    const options = await post(world, 'auth/invitation/passkey/options', undefined, { token })
    return { body: { credential: new SoftwarePasskey().create(options, { origin: world.service.url }) } }
  },
  // Only a user who cannot sign in yet can be invited.
  invite_user: async ({ service }) => ({ path: { id: (await addInvited(service)).id } }),
  // Only a former slug can be released.
  release_organization_slug: async ({ service, admin }) => {
    for (const slug of ['former-example', 'example-studios'])
      await service.client('PATCH', `/api/2/organizations/${exampleIds.organization}`, {
        bearer: admin.bearer,
        body: { slug },
      })
    return { path: { slug: 'former-example' } }
  },
  decline_organization_invitation: async (world) => ({
    path: { id: await inviteToOrganization(world, 'ada@example.com') },
  }),
  accept_organization_invitation: async (world) => {
    const { service } = world
    const { user, bearer } = await addSignedIn(service, { email: `${randomUUID()}@example.com` })
    const token = await readInvited(world, user.email ?? '')
    return { bearer, body: { token, shown: (await findOffer(service, token)).body.shown } }
  },
  request_organization_join_code: inviteSignedIn,
  // A code of an email works once, with its request.
  join_organization_with_code: async (world, example) => {
    const { bearer, path, email } = await inviteSignedIn(world, example)
    const { request_id, shown } = await post(
      world,
      `users/me/organization-invitations/${path.id}/code`,
      bearer,
    )
    return { bearer, path, body: { request_id, shown, code: await readMailed(world.service, email, 'code') } }
  },
  revoke_invitation: async ({ service }) => ({ path: { id: (await addInvited(service)).id } }),
  login_with_passkey: async (world, { second_factor_token: given }) => {
    const token = given === undefined ? {} : { second_factor_token: given }
    return { body: usePasskey(world, await post(world, 'auth/passkeys/options', undefined, token)) }
  },
  reauthenticate_with_passkey: async (world) => ({
    body: usePasskey(world, await post(world, 'auth/passkeys/reauthenticate/options', world.ada.bearer)),
  }),
  patch_passkey: namePasskey,
  delete_passkey: namePasskey,
  delete_user_passkey: async ({ passkeyId }) => ({ path: { passkey_id: passkeyId } }),
  request_account_deletion: allowDeletion,
  update_own_attributes: defineAttribute,
  get_all_users: defineAttribute,
  // Nothing has access before its user signs in at it.
  get_own_apps: connectApp,
  end_own_app: connectApp,
  get_user_apps: connectApp,
  end_user_app: connectApp,
  hand_over_access_tokens: async ({ service, ada }) => {
    const { user } = await addPerson(service, { permissions: ['media:access'] })
    const { id } = await addLink(service, ada.bearer)
    return { body: { to: user.id, access_links: [id], new_addresses: true } }
  },
  shorten_api_token: async ({ service }) => ({ body: { expires: findTomorrow(service) } }),
  // Only a token that ends soon can be kept.
  end_user_holdings: async (world) => {
    await post(world, 'api-tokens/9/shorten', world.ada.bearer, { expires: findTomorrow(world.service) })
    return {}
  },
  merge_user: async ({ service }) => ({ body: { user: (await addPerson(service)).user.id } }),
  // The IDs of connected accounts are derived from names.
  answer_own_directory: async (world) => {
    await adoptUser(world.service, world.ada.user, await addExampleDirectory(world))
    const answer = callAs(world.service, world.ada)
    await answer('PUT', `users/me/directories/${exampleIds.oidcConnection}`, { agrees: false })
    const [{ shown }] = (await answer('GET', 'users/me/directories')).body
    return { path: { id: exampleIds.oidcConnection }, body: { agrees: true, shown } }
  },
  unlink_own_company_account: async (world) => ({ path: { id: (await connectToAda(world))['id'] } }),
  unlink_user_company_account: async (world) => ({ path: { account_id: (await connectToAda(world))['id'] } }),
  // Limits are reached, and addresses suppressed, only while the service runs.
  lift_rate_limit: async (world) => {
    await reachLimit(world.service, 'leakReports', '203.0.113.7')
    const { client } = world.service
    const { body } = await client('GET', '/api/2/rate-limited', { bearer: world.admin.bearer })
    return { path: { key: body[0].key } }
  },
  lift_suppression: async ({ service: { services } }) => {
    const suppression = { reason: 'bounce', since: services.now(), feedbackId: 'example' } as const
    await suppressAddress(services.table, 'grace@example.com', suppression, [])
    return {}
  },
  // A password can require a passkey only beside a spare factor.
  update_passkey_settings: requireTotp,
  renew_recovery_codes: requireTotp,
  // The link counts in a session of its account.
  confirm_email: async ({ ada }) => ({ bearer: ada.bearer }),
  // The address of a user is confirmed once.
  send_email_confirmation: async ({ service: { services }, ada }) => {
    await services.table.update(userKey(ada.user.id), (x) => ({
      set: [`${x.path('emailVerified')} = ${x.value(false)}`],
    }))
    return {}
  },
  // The code has to be one of the key in the example.
  enable_totp: async (_, { key }) => ({ body: { otp: TOTP.generate({ secret: Secret.fromBase32(key) }) } }),
  // Only a generated key can be switched to.
  rotate_saml_sp_key: async (world, { confirm }) => {
    if (confirm) await post(world, `auth/saml/${exampleIds.samlProvider}/rotate-sp-key`, world.admin.bearer)
    return {}
  },
  check_connection_domain: addExampleDomain,
  vouch_for_connection_domain: addExampleDomain,
  delete_connection_domain: addExampleDomain,
  take_saml_provider_live: async (world) => ({ path: { id: (await addSetup(world)).id } }),
  get_organization_links: async (world) => {
    await addOrganizationLink(world)
    return {}
  },
  delete_organization_link: async (world) => ({ path: { link_id: await addOrganizationLink(world) } }),
  get_organization_sign_in: async (world) => {
    await bringConnection(world)
    return {}
  },
  delete_organization_sign_in: bringToOrganization,
  get_organization_scim: bringToOrganization,
  set_organization_scim: bringToOrganization,
  list_organization_scim_users: bringToOrganization,
  list_organization_scim_groups: bringToOrganization,
  list_organization_scim_calls: bringToOrganization,
  preview_organization_scim: bringToOrganization,
  assign_connection_scim_user: assignExamplePerson,
  assign_organization_scim_user: assignInOrganization,
  bring_back_connection_scim_user: async (world) => {
    const { person } = await sendUnassigned(world.service, await addExampleDirectory(world))
    return { path: { person } }
  },
  bring_back_organization_scim_user: async (world, example) => {
    const { body: _, ...prepared } = await assignInOrganization(world, example)
    return prepared
  },
  create_organization_scim_token: bringToOrganization,
  delete_organization_scim_token: async (world) => {
    const connectionId = await bringConnection(world)
    const path = `organizations/12/sign-in/${connectionId}/scim/tokens`
    const { id } = await post(world, path, world.admin.bearer)
    return { path: { id: 12, connection_id: connectionId, token_id: id } }
  },
  delete_connection_scim_token: async (world) => {
    const path = `auth/connections/${exampleIds.oidcConnection}/scim/tokens`
    return { path: { token_id: (await post(world, path, world.admin.bearer)).id } }
  },
  list_scim_resources: async (world) => ({ bearer: (await addExampleDirectory(world)).token }),
  create_scim_resource: async (world) => ({ bearer: (await addExampleDirectory(world)).token }),
  get_scim_resource: sendExamplePerson,
  replace_scim_resource: sendExamplePerson,
  change_scim_resource: sendExamplePerson,
  delete_scim_resource: sendExamplePerson,
  check_organization_domain: bringToOrganization,
  remove_organization_domain: bringToOrganization,
  approve_connection: async (world) => ({
    path: { id: await bringConnection(world) },
    body: { provider: 'https://idp.example.com', domains: [] },
  }),
  // The policy of the world lets organizations bring connections.
  stop_organization_sign_ins: async () => ({ body: { dry_run: true } }),
  create_saml_setup_link: async (world) => ({ path: { id: (await addSetup(world)).id } }),
  revoke_saml_setup_link: async (world) => {
    const { id, link } = await addSetup(world)
    return { path: { id, link } }
  },
  find_saml_setup: async (world) => ({ body: { token: (await addSetup(world)).token } }),
  // The identity provider of the world has its entity ID already, so this one is pasted with another.
  set_saml_setup_metadata: async (world) => {
    const xml = plainMetadata({
      entityId: `https://${randomUUID()}.example/`,
      certificates: [world.provider.idp.signer],
    })
    const { token, headers } = await openSetup(world)
    return { body: { token, url: undefined, xml }, headers }
  },
  check_saml_setup_domain: async (world) => {
    const { token, headers } = await openSetup(world)
    return { body: { token }, headers }
  },
  remove_saml_setup_domain: usePendingSetup,
  start_saml_setup_test: usePendingSetup,
  start_saml_setup_directory: openSetupWithDirectory,
  create_saml_setup_directory_token: async (world) => {
    const prepared = await openSetupWithDirectory(world)
    await world.service.client('POST', '/api/2/auth/saml-setup/directory', prepared)
    return prepared
  },
  find_saml_setup_test: async (world) => {
    const { id, token, headers } = await openSetup(world)
    await storeTest(world, id)
    return { body: { token, test: 'test' }, headers }
  },
  finish_saml_setup: async (world) => {
    const { token, shown, headers } = await openSetup(world, exampleSetupDomain('proven'))
    return { body: { token, shown }, headers }
  },
  // Only a page of this service can link the account of its user, or test a provider.
  start_saml_auth: startAsOwnPage,
  start_oidc_sign_in: startAsOwnPage,
  // Identity providers answer a sign-in that the same browser started.
  receive_oidc_answer: async ({ connection, upstream }) => {
    const { browser, location } = await connection.start()
    const answer = upstream.authorize(location, { email: 'grace@example.org' })
    return {
      query: answer.search.slice(1),
      headers: { cookie: browser.cookieHeader(answer.pathname, 'cross-site', 'GET') },
    }
  },
  receive_oidc_answer_by_form: async ({ service, admin, upstream }) => {
    const apple = describeApple({ issuer: upstream.issuer, pem: await createAppleKey() })
    const fields = { ...apple, first_sign_in: 'create' }
    const created = await service.client('POST', '/api/2/auth/oidc-connections', { ...admin, body: fields })
    const browser = new TestBrowser(service)
    const started = await browser.get(created.body.login_url, 'same-origin')
    const answer = upstream.authorize(started.headers.get('location') ?? '', newAppleAccount())
    return {
      path: { id: created.body.id },
      body: Object.fromEntries(answer.searchParams),
      headers: { cookie: browser.cookieHeader(answer.pathname, 'cross-site', 'POST') },
    }
  },
  show_sign_in_question: askAboutSignIn,
  answer_sign_in_question: async (world) => {
    const { path, headers, question } = await askAboutSignIn(world)
    return { path, headers, body: readHiddenFields(question.page) }
  },
  receive_apple_notification: async ({ service, admin, upstream }) => {
    const apple = describeApple({ issuer: upstream.issuer, pem: await createAppleKey() })
    const created = await service.client('POST', '/api/2/auth/oidc-connections', { ...admin, body: apple })
    const payload = await signNotification(upstream, { type: 'consent-revoked', sub: newAppleAccount().sub })
    return { path: { id: created.body.id }, body: { payload } }
  },
  receive_upstream_logout: async ({ upstream }) => {
    const claims = {
      iss: upstream.issuer,
      aud: clientId,
      jti: randomUUID(),
      sub: 'grace',
      iat: Math.floor(Date.now() / 1000),
      events: { [backchannelLogoutEvent]: {} },
    }
    return { body: { logout_token: await signWith(upstream.key, claims) } }
  },
  // Tests have random IDs.
  get_connection_test_result: async (world) => {
    await storeTest(world, exampleIds.samlProvider)
    return { path: { token: 'test' } }
  },
  // The names contain hashes.
  get_script: async () => ({
    path: { folder: nameScriptFolder('en', messagesVersion), name: pageFiles.account.script },
  }),
  get_stylesheet: async () => ({ path: { name: pageFiles.account.stylesheet } }),
  // Nothing outside of this machine is reachable.
  parse_samlidp_metadata: fetchMetadata,
  refresh_samlidp_metadata: fetchMetadata,
  // Identity providers sign their messages, for one request and for minutes.
  receive_saml_auth_assertion: async (world) => {
    const { browser, target, form } = await answerSignIn(world)
    return {
      body: { ...form },
      headers: { cookie: browser.cookieHeader(target.acsUrl, 'same-site', 'POST') },
    }
  },
  diagnose_saml_response: async (world) => {
    const { form } = await answerSignIn(world)
    return { body: { saml_response: form.SAMLResponse, relay_state: form.RelayState } }
  },
  // Authorizations and codes belong to a client, and work once.
  start_authorization: async (world) => ({ query: await buildAuthorizationQuery(world) }),
  resume_authorization: (world) => startInteraction(world),
  answer_consent: async (world) => {
    const { path, headers } = await startInteraction(world, await addNativeApp(world.service))
    const page = await world.service.client('GET', `/oauth2/interaction/${path.uid}`, { headers })
    return {
      path,
      headers: { ...headers, 'sec-fetch-site': 'same-origin' },
      body: { answer: 'continue', ...readHiddenFields(page) },
    }
  },
  issue_tokens: async ({ service, ada }) => {
    const party = await addRelyingParty(service)
    const { code, verifier } = await getCode(service, party, ada.bearer)
    const redirect_uri = party.client.redirect_uris[0]
    return { body: { code, code_verifier: verifier, redirect_uri, ...proveClient(party) } }
  },
  push_authorization_request: async ({ service }) => {
    const party = await addRelyingParty(service)
    const { client_id, ...proof } = proveClient(party)
    return { body: { client_id, redirect_uri: party.client.redirect_uris[0], ...proof } }
  },
  start_device_authorization: async ({ service }) => {
    const party = await addRelyingParty(service, { device_authorization: true })
    return { body: proveClient(party) }
  },
  confirm_logout_for_client: async ({ service }) => {
    const { client } = await addRelyingParty(service)
    return { body: { client_id: client.clientId, shown: 'x'.repeat(43) } }
  },
  return_from_saml_logout: async ({ provider }) => ({
    query: queryOf(provider.idp.logoutRequest(provider.logoutReturnUrl, { nameId: 'ada@example.com' })),
  }),
}

/** An authorization that waits in the browser of a user. */
const startInteraction = async ({ service, ada }: ExampleWorld, party?: RelyingParty) => {
  const query = buildAuthorization(party ?? (await addRelyingParty(service)), createPkce().challenge)
  const answer = await service.client('GET', `/oauth2/authorize?${query}`)
  const { pathname, search } = new URL(readReturnPath(answer), service.url)
  const cookies = answer.cookies.map((text) => text.split(';')[0])
  return {
    path: { uid: pathname.split('/').at(-1) },
    query: search.slice(1),
    headers: { cookie: [`latchkey=${ada.bearer}`, ...cookies].join('; ') },
  }
}
