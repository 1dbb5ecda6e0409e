import { readHiddenFields } from '../test/support/decisions.ts'
import {
  addNativeApp,
  addRelyingParty,
  buildAuthorization,
  createPkce,
  getTokens,
  proveClient,
  type RelyingParty,
  readRedirect,
  readReturnPath,
} from '../test/support/oidc.ts'
import { addSignedIn } from '../test/support/people.ts'
import type { TestService } from '../test/support/service.ts'
import type { Send } from './send-operation.ts'

const form = (fields: Readonly<Record<string, string>> | URLSearchParams) => ({
  raw: String(new URLSearchParams(fields)),
  headers: { 'content-type': 'application/x-www-form-urlencoded' },
})

/** Sends what a client and its user send, from the sign-in to the logout. */
export const sendOAuthOperations = async (service: TestService, send: Send): Promise<void> => {
  const party = await addRelyingParty(service)
  const { bearer } = await addSignedIn(service)
  await service.client('GET', '/api/2/users/me', { bearer })
  // The first authorization of a session at a client marks the session and its user.
  await getTokens(service, party, bearer)
  await send('get_openid_configuration', [])
  await send('get_authorization_server_metadata', [])
  await sendSignIn(send, party, bearer)
  await sendInteraction(service, send, party, bearer)
  await send('get_own_apps', [], { bearer })
  await send('end_own_app', [party.client.id], { bearer })
  const other = await addSignedIn(service)
  await getTokens(service, party, other.bearer)
  const manager = (await addSignedIn(service, { permissions: ['system:admin-access'] })).bearer
  await send('get_user_apps', [other.user.id], { bearer: manager })
  await send('end_user_app', [other.user.id, party.client.id], { bearer: manager })
  const client = { client_id: party.client.clientId }
  await send('logout_for_client_by_form', [], form(client))
  const page = await send('logout_for_client', [], { bearer, query: `?${new URLSearchParams(client)}` })
  const { raw, headers } = form(readHiddenFields(page))
  const ownPage = { cookie: `latchkey=${bearer}`, 'sec-fetch-site': 'same-origin' }
  await send('confirm_logout_for_client', [], { raw, headers: { ...headers, ...ownPage } })
  await sendDevice(service, send)
}

const sendDevice = async (service: TestService, send: Send): Promise<void> => {
  const { bearer } = await addSignedIn(service)
  await service.client('GET', '/api/2/users/me', { bearer })
  const party = await addRelyingParty(service, { type: 'public', device_authorization: true })
  const { user_code } = (await send('start_device_authorization', [], form(proveClient(party)))).body
  const headers = { cookie: `latchkey=${bearer}`, 'sec-fetch-site': 'same-origin' }
  const withCookie = (fields: Readonly<Record<string, string>>) => {
    const { raw, headers: own } = form(fields)
    return { raw, headers: { ...own, ...headers } }
  }
  await send('show_device_page', [], { headers })
  const page = await send('enter_device_code', [], withCookie({ user_code }))
  await send('answer_device', [], withCookie({ answer: 'continue', ...readHiddenFields(page) }))
}

const sendSignIn = async (send: Send, party: RelyingParty, bearer: string): Promise<void> => {
  const { verifier, challenge } = createPkce()
  const pushed = Object.fromEntries(buildAuthorization(party, challenge, proveClient(party)))
  await send('push_authorization_request', [], form(pushed))
  const parameters = buildAuthorization(party, challenge, { scope: 'openid offline_access' })
  await send('start_authorization_by_form', [], form(parameters))
  const { code = '' } = readRedirect(
    await send('start_authorization', [], { bearer, query: `?${parameters}` }),
  )
  const proof = proveClient(party)
  const redirect_uri = party.client.redirect_uris[0] ?? ''
  const exchange = { grant_type: 'authorization_code', code, code_verifier: verifier, redirect_uri, ...proof }
  const { access_token } = (await send('issue_tokens', [], form(exchange))).body
  await send('get_userinfo', [], { bearer: access_token })
  await send('get_userinfo_by_form', [], form({ access_token }))
  await send('introspect_token', [], form({ token: access_token, ...proof }))
  await send('revoke_token', [], form({ token: access_token, ...proof }))
}

const sendInteraction = async (
  service: TestService,
  send: Send,
  party: RelyingParty,
  bearer: string,
): Promise<void> => {
  const { client } = service
  const start = async (starting: RelyingParty) => {
    const query = buildAuthorization(starting, createPkce().challenge)
    const answer = await client('GET', `/oauth2/authorize?${query}`)
    const cookie = [`latchkey=${bearer}`, ...answer.cookies.map((text) => text.split(';')[0])].join('; ')
    const { pathname, search } = new URL(readReturnPath(answer), service.url)
    return { path: pathname, uid: pathname.split('/').at(-1) ?? '', query: search, cookie }
  }
  const resumed = await start(party)
  await send('resume_authorization', [resumed.uid], {
    query: resumed.query,
    headers: { cookie: resumed.cookie },
  })
  const asked = await start(await addNativeApp(service))
  const page = await client('GET', asked.path, { headers: { cookie: asked.cookie } })
  const { raw, headers } = form({ answer: 'continue', ...readHiddenFields(page) })
  const ownPage = { cookie: asked.cookie, 'sec-fetch-site': 'same-origin' }
  await send('answer_consent', [asked.uid], { raw, headers: { ...headers, ...ownPage } })
}
