import { createHash, randomBytes } from 'node:crypto'
import type { ClientRecord } from '../../lib/features/oauth/clients.records.ts'
import type { Answer } from './client.ts'
import { addStoredClient, type ClientOverrides } from './oidc-clients.ts'
import type { TestService } from './service.ts'

/** A client as a relying party knows it. */
export interface RelyingParty {
  readonly client: ClientRecord
  readonly secret: string
}

/** What a relying party needs to send requests. */
export interface KnownClient {
  readonly client: Pick<ClientRecord, 'clientId' | 'redirect_uris' | 'type'>
  readonly secret: string
}

export const addRelyingParty = (
  service: TestService,
  overrides: ClientOverrides = {},
): Promise<RelyingParty> => addStoredClient(service.services.table, overrides)

/** An app on the machine of its users, who agree to each authorization. */
export const addNativeApp = (service: TestService, overrides: ClientOverrides = {}): Promise<RelyingParty> =>
  addRelyingParty(service, { type: 'public', redirect_uris: ['http://127.0.0.1/callback'], ...overrides })

export const createPkce = () => {
  const verifier = randomBytes(32).toString('base64url')
  return { verifier, challenge: createHash('sha256').update(verifier).digest('base64url') }
}

/** The parameters of an authorization of a client, with `overrides`. Undefined leaves a parameter out. */
export const buildAuthorization = (
  { client }: KnownClient,
  challenge: string,
  overrides: Readonly<Record<string, string | undefined>> = {},
): URLSearchParams => {
  const parameters = {
    client_id: client.clientId,
    redirect_uri: client.redirect_uris[0],
    response_type: 'code',
    scope: 'openid profile',
    state: 'the state',
    nonce: 'the nonce',
    code_challenge: challenge,
    code_challenge_method: 'S256',
    ...overrides,
  }
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries(parameters)) if (value !== undefined) query.set(name, value)
  return query
}

/** The parameters that the browser brings to the client. */
export const readRedirect = ({ headers }: Pick<Answer, 'headers'>): Readonly<Record<string, string>> =>
  Object.fromEntries(new URL(headers.get('location') ?? 'about:blank').searchParams)

/** The path and query to which the sign-in page at a redirect returns. */
export const readReturnPath = ({ headers }: Pick<Answer, 'headers'>): string => {
  const page = new URL(headers.get('location') ?? '')
  const { pathname, search } = new URL(page.searchParams.get('return_to') ?? '')
  return pathname + search
}

export interface IssuedCode {
  readonly code: string
  readonly verifier: string
}

/** Gets a code for a user who is signed in. */
export const getCode = async (
  service: Pick<TestService, 'client'>,
  party: KnownClient,
  bearer: string,
  overrides: Readonly<Record<string, string | undefined>> = {},
): Promise<IssuedCode> => {
  const { verifier, challenge } = createPkce()
  const query = buildAuthorization(party, challenge, overrides)
  const answer = await service.client('GET', `/oauth2/authorize?${query}`, { bearer })
  const { code } = readRedirect(answer)
  if (code === undefined) throw new Error(`no code: ${answer.status} ${answer.headers.get('location')}`)
  return { code, verifier }
}

export interface TokenAnswer {
  readonly status: number
  readonly headers: Headers
  readonly body: Answer['body']
}

/** Sends a form to the token endpoint as it is. */
export const postToken = async (
  service: Pick<TestService, 'url'>,
  form: Readonly<Record<string, string>> | string,
  headers: Readonly<Record<string, string>> = {},
): Promise<TokenAnswer> => {
  const answer = await fetch(`${service.url}/oauth2/token`, {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
    body: String(new URLSearchParams(form)),
  })
  return { status: answer.status, headers: answer.headers, body: await answer.json() }
}

/** How a client of its type names itself in a form. */
export const proveClient = ({ client, secret }: KnownClient): Record<string, string> => ({
  client_id: client.clientId,
  ...(client.type === 'confidential' ? { client_secret: secret } : {}),
})

export const exchangeCode = (
  service: Pick<TestService, 'url'>,
  party: KnownClient,
  { code, verifier }: IssuedCode,
  overrides: Readonly<Record<string, string>> = {},
): Promise<TokenAnswer> =>
  postToken(service, {
    grant_type: 'authorization_code',
    code,
    redirect_uri: party.client.redirect_uris[0] ?? '',
    code_verifier: verifier,
    ...proveClient(party),
    ...overrides,
  })

export const refresh = (
  service: Pick<TestService, 'url'>,
  party: KnownClient,
  token: string,
  overrides: Readonly<Record<string, string>> = {},
): Promise<TokenAnswer> =>
  postToken(service, {
    grant_type: 'refresh_token',
    refresh_token: token,
    ...proveClient(party),
    ...overrides,
  })

/** Signs a user in at a client with a refresh token, and returns the tokens. */
export const getTokens = async (
  service: TestService,
  party: RelyingParty,
  bearer: string,
  overrides: Readonly<Record<string, string | undefined>> = {},
): Promise<Answer['body']> => {
  const scope = 'openid profile email groups permissions offline_access'
  const answer = await exchangeCode(
    service,
    party,
    await getCode(service, party, bearer, { scope, ...overrides }),
  )
  if (answer.status !== 200) throw new Error(`no tokens: ${JSON.stringify(answer.body)}`)
  return answer.body
}
