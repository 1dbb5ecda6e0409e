import { randomBytes, randomUUID } from 'node:crypto'
import { SignJWT } from 'jose'
import { findSessionAndUser } from '../../lib/accounts/sessions/find-sessions.records.ts'
import { buildClientUseSteps } from '../../lib/features/oauth/client-access.records.ts'
import type { ClientRecord } from '../../lib/features/oauth/clients.records.ts'
import {
  createGrantId,
  type OAuthGrantRecord,
  putOAuthGrant,
} from '../../lib/features/oauth/grants.records.ts'
import { describeClientUse } from '../../lib/features/oauth/grants.ts'
import { noteSessionClient } from '../../lib/features/oauth/session-clients.records.ts'
import { getSigningKey } from '../../lib/features/oauth/signing-keys/signing-key.ts'
import { buildSessionId } from '../../lib/features/oauth/tokens/claims.ts'
import { storeOAuthRefreshToken } from '../../lib/features/oauth/tokens.records.ts'
import { parseCredential } from '../../lib/kernel/secrets/credentials.ts'
import type { SignedInPerson } from './people.ts'
import type { TestService } from './service.ts'

interface GrantOptions {
  readonly client: ClientRecord
  readonly scopes?: readonly string[]
  /** The ID of the impersonated user. */
  readonly userId?: number
  readonly expiresAt?: number
}

/** Stores the grant that an authorization of a signed-in person makes. */
export const addGrant = async (
  { services }: TestService,
  { bearer, user }: Pick<SignedInPerson, 'bearer' | 'user'>,
  { client, scopes = client.scopes, userId = user.id, expiresAt }: GrantOptions,
): Promise<OAuthGrantRecord> => {
  const { hash = '' } = parseCredential(bearer) ?? {}
  const { session, user: owner } = await findSessionAndUser(services.table, user.id, hash)
  const impersonated = userId === user.id ? undefined : userId
  const createdAt = services.now()
  const grant = {
    id: createGrantId(),
    clientId: client.clientId,
    userId,
    scopes,
    origin: 'browser' as const,
    ends: 0,
    createdAt,
    session: { userId: user.id, hash },
    sid: buildSessionId({ hash, switches: session?.switches, impersonated }),
    expiresAt: expiresAt ?? createdAt + 3_600_000,
  }
  await putOAuthGrant(services.table, grant)
  if (session && owner) {
    const app = { clientId: client.clientId, subject: userId }
    await noteSessionClient(services.table, { session, owner }, app)
    const steps = buildClientUseSteps(session, describeClientUse(services, grant, client))
    if (steps.length > 0) await services.table.transact(steps)
  }
  return grant
}

/** Signs an access token of a grant with the key of the service. Overrides make variants that it would not issue. */
export const signToken = async (
  { services }: TestService,
  grant: OAuthGrantRecord,
  overrides: Readonly<Record<string, unknown>> = {},
  header: Readonly<Record<string, unknown>> = {},
): Promise<string> => {
  const { kid, privateKey } = await getSigningKey(services)
  const nowSeconds = Math.floor(services.now() / 1000)
  const claims = {
    iss: services.config.publicUrl,
    aud: 'https://api.example',
    sub: String(grant.userId),
    client_id: grant.clientId,
    jti: `${grant.id}.${randomUUID()}`,
    scope: grant.scopes.join(' '),
    groups: [],
    permissions: ['a:b', 'c:d', 'downloads:view'],
    auth_time: nowSeconds,
    iat: nowSeconds,
    exp: nowSeconds + 600,
    ...overrides,
  }
  return new SignJWT(claims)
    .setProtectedHeader({ alg: 'RS256', typ: 'at+jwt', kid, ...header })
    .sign(privateKey)
}

/** Stores a refresh token of a grant. */
export const addRefreshToken = async (
  { services }: TestService,
  grant: OAuthGrantRecord,
): Promise<string> => {
  const value = randomBytes(32).toString('base64url')
  const token = { grantId: grant.id, payload: {}, expiresAt: grant.expiresAt }
  if (!(await storeOAuthRefreshToken(services.table, value, token, [])))
    throw new Error('the grant has ended')
  return value
}
