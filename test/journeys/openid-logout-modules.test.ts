import { generateKeyPair, SignJWT } from 'jose'
import { expect, it } from 'vitest'
import type { Answer, JsonValue } from '../support/client.ts'
import { closeAfterTests } from '../support/close-after-tests.ts'
import { startLogoutReceiver, verifyLogoutToken } from '../support/logout-receiver.ts'
import { addRelyingParty, getTokens } from '../support/oidc.ts'
import { addSignedIn, type SignedInPerson } from '../support/people.ts'
import { useService } from '../support/use-service.ts'

/*
 * The modules of the OpenID Foundation's plans for logout at providers, by their names. `docs/security/openid-modules.md` has the
 * results.
 */

const page = 'https://app.example/signed-out'
const service = await useService()
const party = await addRelyingParty(service, { post_logout_redirect_uris: [page] })
const receiver = closeAfterTests(await startLogoutReceiver(service))

interface Login {
  readonly person: SignedInPerson
  readonly hint: string
}
const signIn = async (): Promise<Login> => {
  const person = await addSignedIn(service)
  return { person, hint: (await getTokens(service, party, person.bearer)).id_token }
}
const logOut = ({ person }: Login, parameters: Readonly<Record<string, string>>): Promise<Answer> =>
  service.client('GET', `/oauth2/logout?${new URLSearchParams(parameters)}`, {
    headers: { accept: 'text/html', cookie: `latchkey=${person.bearer}`, 'sec-fetch-site': 'cross-site' },
  })
const isSignedIn = async ({ person }: Login): Promise<boolean> =>
  (await service.client('GET', '/api/2/users/me', { bearer: person.bearer })).status === 200

const leadsBack = async (login: Login, answer: Answer, address: string): Promise<void> => {
  expect([answer.status, answer.headers.get('location')]).toEqual([303, address])
  expect(await isSignedIn(login)).toBe(false)
}
/** The browser stays, and so does the session. */
const isRefused = async (login: Login, answer: Answer): Promise<void> => {
  expect([answer.status, answer.headers.get('location')]).toEqual([400, null])
  expect(await isSignedIn(login)).toBe(true)
}
/** A page of the service asks the person, because any site can send a browser here. */
const asksFirst = async (login: Login, answer: Answer): Promise<void> => {
  expect([answer.status, answer.headers.get('location')]).toEqual([200, null])
  expect(answer.text).toContain('Sign out?')
  expect(await isSignedIn(login)).toBe(true)
}

const modify = (token: string): string => {
  const [head, body = '', signature] = token.split('.')
  const claims = { ...JSON.parse(Buffer.from(body, 'base64url').toString()), modified: true }
  return [head, Buffer.from(JSON.stringify(claims)).toString('base64url'), signature].join('.')
}
const forge = async (): Promise<string> => {
  const { privateKey } = await generateKeyPair('RS256')
  const claims = { iss: service.url, aud: party.client.clientId, sub: '1' }
  return new SignJWT(claims).setProtectedHeader({ alg: 'RS256' }).setExpirationTime('5m').sign(privateKey)
}

type Parameters = Readonly<Record<string, string>>
type Check = (login: Login, answer: Answer) => Promise<void>

const target = { post_logout_redirect_uri: page }
const modules: readonly (readonly [
  name: string,
  expected: string,
  parameters: (login: Login) => Promise<Parameters> | Parameters,
  check: Check,
])[] = [
  [
    'oidcc-rp-initiated-logout',
    'the session ends, and the client gets its state',
    ({ hint }) => ({ id_token_hint: hint, ...target, state: 'a b' }),
    (login, answer) => leadsBack(login, answer, `${page}?state=a+b`),
  ],
  [
    'oidcc-rp-initiated-logout-bad-post-logout-redirect-uri',
    'an error page',
    ({ hint }) => ({ id_token_hint: hint, post_logout_redirect_uri: `${page}/bad` }),
    isRefused,
  ],
  [
    'oidcc-rp-initiated-logout-query-added-to-post-logout-redirect-uri',
    'an error page',
    ({ hint }) => ({ id_token_hint: hint, post_logout_redirect_uri: `${page}?added=1` }),
    isRefused,
  ],
  [
    'oidcc-rp-initiated-logout-modified-id-token-hint',
    'an error page',
    ({ hint }) => ({ id_token_hint: modify(hint), ...target }),
    isRefused,
  ],
  [
    'oidcc-rp-initiated-logout-bad-id-token-hint',
    'an error page',
    async () => ({ id_token_hint: await forge(), ...target }),
    isRefused,
  ],
  ['oidcc-rp-initiated-logout-no-id-token-hint', 'an error page', () => target, isRefused],
  ['oidcc-rp-initiated-logout-no-params', 'a page that asks first', () => ({}), asksFirst],
  ['oidcc-rp-initiated-logout-only-state', 'a page that asks first', () => ({ state: 'x' }), asksFirst],
  [
    'oidcc-rp-initiated-logout-no-post-logout-redirect-uri',
    'the session ends, and the browser is at the service',
    ({ hint }) => ({ id_token_hint: hint, state: 'x' }),
    (login, answer) => leadsBack(login, answer, `${service.url}/`),
  ],
  [
    'oidcc-rp-initiated-logout-no-state',
    'the session ends, and the client gets no state',
    ({ hint }) => ({ id_token_hint: hint, ...target }),
    (login, answer) => leadsBack(login, answer, page),
  ],
]

it.each(modules)('%s: %s', async (_name, _expected, parameters, check) => {
  const login = await signIn()
  await check(login, await logOut(login, await parameters(login)))
})

it.each([
  'oidcc-rp-initiated-logout-discovery-endpoint-verification',
  'oidcc-backchannel-logout-discovery-endpoint-verification',
])('%s: the metadata names the endpoint, and both kinds of logout', async () => {
  const { body } = await service.client('GET', '/.well-known/openid-configuration')
  expect(body).toMatchObject({
    end_session_endpoint: `${service.url}/oauth2/logout`,
    backchannel_logout_supported: true,
    backchannel_logout_session_supported: true,
  })
})

it('oidcc-backchannel-rp-initiated-logout: the client gets a logout token of the session', async () => {
  const receiving = await receiver.addClient()
  const person = await addSignedIn(service)
  const tokens: JsonValue = await getTokens(service, receiving, person.bearer)
  await logOut({ person, hint: tokens.id_token }, { id_token_hint: tokens.id_token })
  await service.informClients()
  const [token = ''] = receiving.tokens
  const { payload, protectedHeader } = await verifyLogoutToken(service, token, receiving.client)
  expect(protectedHeader).toMatchObject({ alg: 'RS256', typ: 'logout+jwt' })
  expect(payload).toMatchObject({ iss: service.url, sub: String(person.user.id), sid: expect.any(String) })
  expect(payload['events']).toEqual({ 'http://schemas.openid.net/event/backchannel-logout': {} })
  expect(payload).not.toHaveProperty('nonce')
})
