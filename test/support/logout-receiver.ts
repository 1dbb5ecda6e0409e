import { randomUUID } from 'node:crypto'
import { createServer, type ServerResponse } from 'node:http'
import { createLocalJWKSet, type JWTPayload, type JWTVerifyResult, jwtVerify } from 'jose'
import { findSessionAndUser } from '../../lib/accounts/sessions/find-sessions.records.ts'
import type { ClientRecord } from '../../lib/features/oauth/clients.records.ts'
import { noteSessionClient } from '../../lib/features/oauth/session-clients.records.ts'
import { buildSessionId } from '../../lib/features/oauth/tokens/claims.ts'
import { parseCredential } from '../../lib/kernel/secrets/credentials.ts'
import { listenOnLoopback } from './listen-on-loopback.ts'
import { addStoredClient, type ClientOverrides } from './oidc-clients.ts'
import type { TestService } from './service.ts'

/** The client of a product that receives logout tokens. */
export interface ReceivingClient {
  readonly client: ClientRecord
  readonly secret: string
  /** The logout tokens so far. */
  readonly tokens: string[]
  /** Replaces the answers. */
  respond: (response: ServerResponse) => void
}

export interface LogoutReceiver {
  readonly addClient: (overrides?: ClientOverrides) => Promise<ReceivingClient>
  readonly close: () => Promise<void>
}

/** Starts products on this machine. Each client has an address of its own. */
export const startLogoutReceiver = async ({ services }: TestService): Promise<LogoutReceiver> => {
  const clients = new Map<string, ReceivingClient>()
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const found = clients.get(request.url ?? '')
      const body = new URLSearchParams(Buffer.concat(chunks).toString())
      const isForm = request.headers['content-type'] === 'application/x-www-form-urlencoded'
      if (request.method === 'POST' && isForm) found?.tokens.push(body.get('logout_token') ?? '')
      if (found) found.respond(response)
      else response.writeHead(404).end()
    })
  })
  const { url, close } = await listenOnLoopback(server)
  return {
    addClient: async (overrides = {}) => {
      const path = `/logout/${randomUUID()}`
      const { client, secret } = await addStoredClient(services.table, {
        backchannel_logout_uri: `${url}${path}`,
        ...overrides,
      })
      const receiving: ReceivingClient = {
        client,
        secret,
        tokens: [],
        respond: (response) => response.writeHead(200).end(),
      }
      clients.set(path, receiving)
      return receiving
    },
    close,
  }
}

/** Lets the session of a credential give tokens to a client, as an authorization does. Returns the `sid` of the tokens. */
export const useClient = async (
  { services }: TestService,
  credential: string,
  { clientId }: ClientRecord,
  subject?: number,
): Promise<string> => {
  const { subject: userId = 0, hash = '' } = parseCredential(credential) ?? {}
  const { session, user: owner } = await findSessionAndUser(services.table, userId, hash)
  if (!session || !owner) throw new Error('The session or its user is missing.')
  const result = await noteSessionClient(
    services.table,
    { session, owner },
    { clientId, subject: subject ?? userId },
  )
  if (result !== 'noted') throw new Error(`The client was not noted: ${result}`)
  return buildSessionId({ ...session, impersonated: subject === userId ? undefined : subject })
}

/** Verifies a logout token as section 2.6 of OpenID Connect Back-Channel Logout 1.0 demands. */
export const verifyLogoutToken = async (
  { client, url }: TestService,
  token: string,
  { clientId }: ClientRecord,
): Promise<JWTVerifyResult<JWTPayload>> => {
  const keys = createLocalJWKSet((await client('GET', '/.well-known/jwks.json')).body)
  const verified = await jwtVerify(token, keys, {
    issuer: url,
    audience: clientId,
    algorithms: ['RS256'],
    typ: 'logout+jwt',
    requiredClaims: ['iat', 'exp', 'jti', 'events', 'sid', 'sub'],
    currentDate: new Date(),
  })
  if ('nonce' in verified.payload) throw new Error('A logout token must not have a nonce.')
  return verified
}
