import { randomUUID } from 'node:crypto'
import { storeTestResult } from '../lib/features/connections/flows.records.ts'
import { editConnectionOf } from '../lib/features/connections/records.ts'
import { findSamlConnection, samlKind } from '../lib/features/connections/saml/records.ts'
import {
  describeApple,
  newAppleAccount,
  postAnswer,
  signNotification,
  startApple,
} from '../test/support/apple-upstream.ts'
import { TestBrowser } from '../test/support/browser.ts'
import { decide, openQuestion } from '../test/support/company-sign-in.ts'
import { connectAccount } from '../test/support/connected-accounts.ts'
import { queryOf } from '../test/support/idp/redirect.ts'
import { type AnswerFacts, makeIdp, type TestIdp } from '../test/support/idp.ts'
import { storeInvitation } from '../test/support/invitations.ts'
import { newAddress } from '../test/support/mailed-links.ts'
import { startMetadataServer } from '../test/support/metadata-server.ts'
import {
  addConnection,
  backchannelLogoutEvent,
  clientId,
  openCallback,
  signWith,
  startUpstream,
} from '../test/support/oidc-upstream.ts'
import { addPerson, addSignedIn } from '../test/support/people.ts'
import { addProvider, startSignIn, type TestProvider, vouchForDomains } from '../test/support/saml.ts'
import { plainMetadata } from '../test/support/saml-metadata.ts'
import type { TestService } from '../test/support/service.ts'
import type { Send } from './send-operation.ts'

/**
 * Sends the requests of identity providers, their users and administrators. The client of `measured` measures each
 * request, so that a browser and an identity provider can send it.
 */
export const sendSamlOperations = async (
  service: TestService,
  measured: TestService,
  send: Send,
  bearer: string,
): Promise<void> => {
  const provider = await addProvider(service, await makeIdp())
  await sendProviderOperations(provider, send, bearer)
  await sendSetupOperations(service, send, bearer)
  await sendAccountOperations(service, provider, send, bearer)
  await sendConnectionOperations(service, measured, send, bearer)
  await sendAppleAnswer(service, measured, send, bearer)
  await send('get_saml_service_provider_metadata', [provider.id])
  // The first sign-in also creates the user.
  const nameId = newAddress()
  await signIn(service, provider, { nameId })
  await signInAndOut(measured, provider, nameId)
  await startForInvitation(service, provider, send)
  const { target } = await startSignIn(service, provider)
  const { form } = await provider.idp.answer(target, { nameId })
  const body = { saml_response: form.SAMLResponse, relay_state: form.RelayState }
  await send('diagnose_saml_response', [provider.id], { bearer, body })
  const result = {
    receivedAt: Date.now(),
    diagnosis: JSON.stringify({ accepted: true, steps: [], subject: null }),
  }
  await storeTestResult(service.services.table, provider.id, 'request', result, Date.now() + 60_000)
  await send('get_connection_test_result', [provider.id, 'request'], { bearer })
}

/** Signs a user in who has an account at Apple. */
const sendAppleAnswer = async (
  service: TestService,
  measured: TestService,
  send: Send,
  bearer: string,
): Promise<void> => {
  const upstream = await startApple()
  upstream.behave({ keepsCodes: true })
  try {
    const body = { ...describeApple(upstream), first_sign_in: 'create' }
    const created = await service.client('POST', '/api/2/auth/oidc-connections', { bearer, body })
    const { pathname } = new URL(created.body.login_url)
    const account = newAppleAccount()
    // The first sign-in also creates the user.
    for (const by of [service, measured]) {
      const browser = new TestBrowser(by)
      const started = await browser.get(pathname, 'same-origin')
      const location = started.headers.get('location') ?? ''
      await postAnswer(browser, upstream.authorize(location, account))
    }
    const payload = await signNotification(upstream, { type: 'consent-revoked', sub: account.sub })
    await send('receive_apple_notification', [created.body.id], { body: { payload } })
  } finally {
    await upstream.close()
  }
}

/** Manages an OpenID Connect connection, and signs a user in through it. */
const sendConnectionOperations = async (
  service: TestService,
  measured: TestService,
  send: Send,
  bearer: string,
): Promise<void> => {
  const upstream = await startUpstream()
  upstream.behave({ keepsCodes: true })
  try {
    const { id, start } = await addConnection(service, bearer, upstream.issuer, { auto_create_users: true })
    const body = { name: 'Example', issuer: upstream.issuer, client_id: 'id', client_secret: 'secret' }
    const created = (await send('create_oidc_connection', [], { bearer, body })).body
    await send('list_oidc_connections', [], { bearer })
    await send('get_oidc_connection', [id], { bearer })
    await send('patch_oidc_connection', [id], { bearer, body: { name: 'Another example' } })
    await send('delete_oidc_connection', [created.id], { bearer })
    const claims = { email: newAddress() }
    // The first sign-in also creates the user.
    const first = await start()
    await openCallback(first.browser, upstream.authorize(first.location, claims))
    const { browser, location } = await start(new TestBrowser(measured))
    const answer = await openCallback(browser, upstream.authorize(location, claims))
    await browser.get(answer.headers.get('location') ?? '', 'same-site')
    const token = await signWith(upstream.key, {
      iss: upstream.issuer,
      aud: clientId,
      jti: randomUUID(),
      sub: 'ada',
      iat: Math.floor(Date.now() / 1000),
      events: { [backchannelLogoutEvent]: {} },
    })
    await send('receive_upstream_logout', [id], {
      raw: String(new URLSearchParams({ logout_token: token })),
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    })
    // In the browser of another person, a page asks first.
    const other = new TestBrowser(measured)
    const { user, password } = await addPerson(service)
    const signedIn = {
      body: { username: user.username, password },
      headers: { 'sec-fetch-site': 'same-origin' },
    }
    other.keep(await service.client('POST', '/api/2/auth/login', signedIn))
    const asked = await start(other)
    const held = await openCallback(other, upstream.authorize(asked.location, claims))
    await decide(other, await openQuestion(other, held), 'yes')
  } finally {
    await upstream.close()
  }
}

/** An invited user goes to the identity provider. */
const startForInvitation = async (
  service: TestService,
  provider: TestProvider,
  send: Send,
): Promise<void> => {
  const domain = `${randomUUID()}.example`
  await vouchForDomains(service, provider, [domain])
  await send('find_sign_in_route', [], { body: { username: `ada@${domain}` } })
  const { user } = await addPerson(service, { email: `ada@${domain}` })
  const token = await storeInvitation(service, user.id)
  await send('start_invitation_saml', [provider.id], { body: { token } })
}

const sendAccountOperations = async (
  service: TestService,
  { id: providerId }: TestProvider,
  send: Send,
  bearer: string,
): Promise<void> => {
  const person = await addSignedIn(service)
  await service.client('GET', '/api/2/users/me', { bearer: person.bearer })
  const { id } = await connectAccount(service, person.user, { providerId, manager: bearer })
  await send('get_own_company_accounts', [], { bearer: person.bearer })
  await send('unlink_own_company_account', [id], { bearer: person.bearer })
  const other = await connectAccount(service, person.user, { providerId, manager: bearer })
  await send('link_user_company_account', [person.user.id], {
    bearer,
    body: { provider: providerId, name: randomUUID() },
  })
  await send('get_user_company_accounts', [person.user.id], { bearer })
  const { user } = await addPerson(service)
  await send('merge_user', [person.user.id], { bearer, body: { user: user.id } })
  await send('unlink_user_company_account', [person.user.id, other['id']], { bearer })
}

const sendProviderOperations = async (
  { idp, own }: TestProvider,
  send: Send,
  bearer: string,
): Promise<void> => {
  const other = await makeIdp(idp.signer)
  const body = other.providerBody({ sp_certificate: own.pem, sp_certificate_key: own.keyPem })
  const { id } = (await send('create_saml_provider', [], { bearer, body })).body
  await send('get_all_saml_providers', [], { bearer })
  await send('get_saml_provider', [id], { bearer })
  await send('update_saml_provider', [id], { bearer, body: { ...body, name: 'Example' } })
  await send('patch_saml_provider', [id], { bearer, body: { name: 'Another example' } })
  await sendMetadataOperations(other, id, send, bearer)
  await send('rotate_saml_sp_key', [id], { bearer, body: {} })
  await send('create_connection_domain', [id], { bearer, body: { domain: 'example.org' } })
  await send('get_connection_domains', [id], { bearer })
  await send('check_connection_domain', [id, 'example.org'], { bearer })
  await send('vouch_for_connection_domain', [id, 'example.org'], { bearer })
  await send('delete_connection_domain', [id, 'example.org'], { bearer })
  await send('delete_saml_provider', [id], { bearer })
}

const sendSetupOperations = async (service: TestService, send: Send, bearer: string): Promise<void> => {
  const body = { name: 'Example', allows_directory: true }
  const created = (await send('create_saml_setup', [], { bearer, body })).body
  const token = new URL(created.url).hash.slice('#token='.length)
  const path = [created.saml_provider]
  await send('get_saml_setup_links', path, { bearer })
  const [cookie = ''] = (await send('find_saml_setup', [], { body: { token } })).cookies
  const headers = { cookie: cookie.split(';', 1)[0] ?? '' }
  const domain = `${randomUUID()}.example.org`
  await send('check_saml_setup_domain', [], { body: { token, domain }, headers })
  await send('remove_saml_setup_domain', [], { body: { token, domain }, headers })
  const { signer } = await makeIdp()
  const xml = plainMetadata({ entityId: `https://${randomUUID()}.example/`, certificates: [signer] })
  await send('set_saml_setup_metadata', [], { body: { token, xml }, headers })
  const started = await send('start_saml_setup_test', [], { body: { token }, headers })
  const test = new URL(started.body.url).searchParams.get('RelayState') ?? ''
  const diagnosis = JSON.stringify({ accepted: true, steps: [], subject: null })
  const result = { receivedAt: Date.now(), diagnosis }
  const { table } = service.services
  await storeTestResult(table, created.saml_provider, test, result, Date.now() + 60_000)
  await send('find_saml_setup_test', [], { body: { token, test }, headers })
  await service.client('POST', '/api/2/auth/saml-setup/domains', { body: { token, domain }, headers })
  const provider = await findSamlConnection(service.services.table, created.saml_provider)
  if (!provider) throw new Error('the provider was not found')
  const domains = provider.domains.map((one) => ({ ...one, state: 'proven' as const }))
  await editConnectionOf(service.services.table, samlKind, provider, { domains }, [])
  await send('start_saml_setup_directory', [], { body: { token }, headers })
  await send('create_saml_setup_directory_token', [], { body: { token }, headers })
  const { shown } = (await service.client('POST', '/api/2/auth/saml-setup', { body: { token }, headers }))
    .body
  await send('finish_saml_setup', [], { body: { token, shown }, headers })
  const draft = (await send('create_saml_setup', [], { bearer, body: { name: 'Example' } })).body
  const idp = await makeIdp()
  await send('take_saml_provider_live', [draft.saml_provider], { bearer, body: idp.providerBody() })
  const again = (await send('create_saml_setup', [], { bearer, body: { name: 'Example' } })).body
    .saml_provider
  const other = (await send('create_saml_setup_link', [again], { bearer })).body
  await send('revoke_saml_setup_link', [again, other.id], { bearer })
}

const sendMetadataOperations = async (
  { entityId, signer }: TestIdp,
  id: number,
  send: Send,
  bearer: string,
): Promise<void> => {
  const { url, serve, close } = await startMetadataServer()
  try {
    serve(plainMetadata({ entityId, certificates: [signer] }))
    await send('parse_samlidp_metadata', [], { bearer, body: { url } })
    await send('refresh_samlidp_metadata', [id], { bearer, body: { url } })
  } finally {
    await close()
  }
}

/** Signs a user in. Returns their browser on its way to the page where the sign-in started. */
const signIn = async (service: TestService, provider: TestProvider, facts: AnswerFacts) => {
  const { browser, target } = await startSignIn(service, provider)
  const { form } = await provider.idp.answer(target, facts)
  // Without TLS, a form of another site comes without the cookie of the sign-in.
  const { headers, text } = await browser.post(target.acsUrl, form, 'same-site')
  const location = headers.get('location')
  if (location === null) throw new Error(`the sign-in was rejected: ${text}`)
  return { browser, location }
}

/** Signs a user in twice. They sign out at the identity provider, and then at the service. */
const signInAndOut = async (service: TestService, provider: TestProvider, nameId: string): Promise<void> => {
  const { logoutUrl, logoutReturnUrl, idp } = provider
  const there = await signIn(service, provider, { nameId, sessionIndex: 'there' })
  await there.browser.get(there.location, 'same-site')
  const request = idp.logoutRequest(logoutReturnUrl, { nameId, sessionIndexes: ['there'] })
  await there.browser.get(`${logoutReturnUrl}?${queryOf(request)}`, 'cross-site')
  const here = await signIn(service, provider, { nameId, sessionIndex: 'here' })
  await here.browser.get(logoutUrl, 'same-origin')
}
