import { createHash, randomBytes } from 'node:crypto'
import { createBrowserSecret } from '../../http/cookies.ts'
import type { UseCase } from '../../http/use-case.ts'
import { conflict, invalidRequest, requireFound } from '../../kernel/errors/errors.ts'
import type { Services } from '../../services.ts'
import type { ActingSession } from '../organizations/acting-principal.ts'
import { addClaims } from './added-claims.ts'
import { buildScopeClaims } from './claims.ts'
import type { OIDCSignInTrial } from './clients.models.ts'
import { type ClientRecord, findClientById } from './clients.records.ts'
import { OAuthError, TokenResponse } from './flow.models.ts'
import { deleteOAuthGrant } from './grants.records.ts'
import type { oidc } from './operations.ts'
import { providerPaths } from './provider/provider-paths.ts'
import type { ProviderRun } from './provider/run.ts'
import { toResource } from './resources.ts'
import { buildUserClaims } from './tokens/claims.ts'

type Parameters = Readonly<Record<string, string>>
type Outcome = Pick<OIDCSignInTrial, 'outcome'> & Partial<OIDCSignInTrial>

/**
 * Signs the caller in to a client as its product would, with every check, and returns what the product would get. The code and the tokens
 * never leave this process, and their grant ends with it.
 */
export const tryOidcClientSignIn: UseCase<typeof oidc.tryOidcClientSignIn> = async (
  { params, body, principal, context },
  services,
) => {
  const client = requireFound(await findClientById(services.table, params.id), 'client')
  const [redirectUri] = client.redirect_uris
  if (redirectUri === undefined) throw conflict('The client has no redirect URI, so nobody signs in to it.')
  const verifier = randomBytes(32).toString('base64url')
  const parameters = {
    client_id: client.clientId,
    redirect_uri: redirectUri,
    response_type: 'code',
    state: createBrowserSecret(),
    nonce: createBrowserSecret(),
    code_challenge: createHash('sha256').update(verifier).digest('base64url'),
    code_challenge_method: 'S256',
    ...readScope(client, body.audience ?? null),
  }
  const run: ProviderRun = {
    ...{ services, context, principal, parameters },
    // What the library asks to keep for a page is not kept.
    browser: createBrowserSecret(),
    // The caller asks for their own account, and no program gets the code.
    ...{ wasPushed: true, consent: 'given', isTrial: true },
  }
  try {
    return { status: 200, body: { ...nothing, ...(await runTrial(run, client, { parameters, verifier })) } }
  } finally {
    if (run.grant) await deleteOAuthGrant(services.table, run.grant.id)
  }
}

const nothing = {
  ...{ error: null, error_description: null },
  ...{ id_token: [], access_token: [], userinfo: [], introspection: [] },
}

/** All that the client may ask for, for one API or none. @throws AppError `invalid_request` */
const readScope = ({ scopes, apis }: ClientRecord, audience: string | null): Parameters => {
  const own = scopes.filter((name) => name !== 'offline_access')
  if (audience === null) return { scope: own.join(' ') }
  const api = apis.find((one) => one.audience === audience)
  if (!api)
    throw invalidRequest([
      { field: 'audience', message: 'must be that of an API that the client can ask for' },
    ])
  return { scope: [...own, ...api.scopes].join(' '), resource: toResource(audience) }
}

interface Trial {
  readonly parameters: Parameters & { readonly redirect_uri: string }
  readonly verifier: string
}

const runTrial = async (run: ProviderRun, client: ClientRecord, trial: Trial): Promise<Outcome> => {
  const { runProvider } = await import('./provider/run-provider.ts')
  const answer = await runProvider(run, {
    method: 'GET',
    path: providerPaths.authorization,
    query: trial.parameters,
    cookies: { session: 'present' },
  })
  const { started, authorizationError } = run
  if (authorizationError) return describeError(authorizationError.error, authorizationError.description)
  // Such as a user who ended the access of the client: they have to sign in again.
  if (started) return { outcome: 'sign_in' }
  const code = URL.parse(answer.headers['location'] ?? '')?.searchParams.get('code') ?? ''
  const { services, context } = run
  const exchange: ProviderRun = {
    services,
    ...(context ? { context } : {}),
    provenClient: client,
    isTrial: true,
  }
  const { status, body } = await runProvider(exchange, {
    method: 'POST',
    path: providerPaths.token,
    form: {
      grant_type: 'authorization_code',
      code,
      redirect_uri: trial.parameters.redirect_uri,
      code_verifier: trial.verifier,
      client_id: client.clientId,
      client_secret: 'proven by the administrator',
    },
  })
  const content: unknown = JSON.parse(body)
  if (status !== 200) {
    const { error, error_description: description } = OAuthError.parse(content)
    return describeError(error, description)
  }
  const tokens = TokenResponse.parse(content)
  return {
    outcome: 'tokens',
    id_token: listClaims(readPayload(tokens.id_token ?? '')),
    access_token: listClaims(readPayload(tokens.access_token)),
    introspection: listClaims(describeIntrospection(exchange, client, readPayload(tokens.access_token))),
    userinfo: listClaims(await readUserinfo(services, exchange.subject, client)),
  }
}

/** What introspection adds for the client. Anyone can name a public client, so it may not ask. */
const describeIntrospection = (
  { services, subject, api }: ProviderRun,
  client: ClientRecord,
  { scope }: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> => {
  if (!subject || client.type !== 'confidential') return {}
  const reader = { client, scopes: String(scope ?? '').split(' '), api }
  return addClaims(services, 'introspection', reader, subject, {})
}

const describeError = (error: string, description: string | undefined): Outcome => ({
  outcome: 'refused',
  error,
  error_description: description ?? null,
})

/** The claims of a token of this process, whose signature needs no check. */
const readPayload = (token: string): Readonly<Record<string, unknown>> => {
  const [, payload = ''] = token.split('.')
  return JSON.parse(Buffer.from(payload, 'base64url').toString('utf8') || '{}')
}

const readUserinfo = async (
  services: Services,
  principal: ActingSession | undefined,
  client: ClientRecord,
): Promise<Readonly<Record<string, unknown>>> => {
  if (!principal) return {}
  const claims = await buildUserClaims(services, principal)
  const rights = { client, scopes: client.scopes }
  return { ...(await buildScopeClaims(services, { principal, claims, place: 'userinfo' }, rights)) }
}

/** What tells tokens, sessions and requests apart, and nothing about the user. */
const identifiers = ['sid', 'jti', 'nonce', 'at_hash']

const listClaims = (claims: Readonly<Record<string, unknown>>): OIDCSignInTrial['id_token'] =>
  Object.entries(claims)
    .filter(([name]) => !identifiers.includes(name))
    .map(([name, value]) => ({ name, value: JSON.stringify(value) }))
