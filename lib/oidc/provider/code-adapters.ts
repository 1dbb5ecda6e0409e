import { errors } from 'oidc-provider'
import type { SessionPrincipal } from '../../accounts/common/principal.ts'
import { auditStep } from '../../accounts/common/request-context.ts'
import { consume } from '../../accounts/common/throttle.ts'
import type { Services } from '../../services.ts'
import { buildCompletionStep } from '../../store/oidc/interactions.ts'
import type { OidcClient } from '../../store/oidc/oidc-client-record.ts'
import type { OidcPayload, OidcTokenRecord } from '../../store/oidc/oidc-token-record.ts'
import { noteSessionClient } from '../../store/oidc/session-clients.ts'
import {
  findOidcToken,
  type OidcTokenKind,
  storeOidcCode,
  storeOidcRefreshToken,
  useOidcToken,
} from '../../store/oidc/tokens.ts'
import { getInteractionEnd } from '../interactions.ts'
import { type ModelAdapter, toStoredPayload } from './adapter-types.ts'
import { createExpiredError } from './expired-error.ts'
import { endReusedGrant, nameClientTarget } from './reuse.ts'
import { getRun } from './run.ts'

/** What codes and refresh tokens have in common. Each is used once, and a second use ends the grant with all its tokens. */
const oneTime = (kind: OidcTokenKind): ModelAdapter => ({
  find: async (value) => {
    const run = getRun()
    const { table, now } = run.services
    const found = await findOidcToken(table, kind, value)
    const payload = found && run.client && limitToClient(found.payload, run.client)
    if (!found || !payload) return undefined
    if (typeof payload['resource'] === 'string') run.resource = payload['resource']
    return { ...payload, jti: value, ...describeUse(found, now()) }
  },
  consume: async (value) => {
    const run = getRun()
    const { table, now } = run.services
    if (await useOidcToken(table, kind, value, now())) return
    // Another request used it between the read and this write.
    if (run.grant) await endReusedGrant(run, run.grant.id)
    throw new errors.InvalidGrant(`${kind} already used`)
  },
})

/**
 * A client gets no more than it may have now, even if it had more when the token was issued. Undefined if it no longer has the
 * address that a code was sent to. The library compares audiences, and who the client is.
 */
const limitToClient = (
  payload: OidcPayload,
  { redirectUris, scopes }: OidcClient,
): OidcPayload | undefined => {
  const { redirectUri, scope } = payload
  if (typeof redirectUri === 'string' && !redirectUris.includes(redirectUri)) return undefined
  if (typeof scope !== 'string') return payload
  return {
    ...payload,
    scope: scope
      .split(' ')
      .filter((name) => scopes.includes(name))
      .join(' '),
  }
}

const reusableSeconds = 60

/** The library refuses an expired token before it finds out that it was used. So a used one never expires for it. */
const describeUse = ({ usedAt }: Pick<OidcTokenRecord, 'usedAt'>, nowMs: number) =>
  usedAt === undefined
    ? {}
    : { consumed: Math.floor(usedAt / 1000), exp: Math.floor(nowMs / 1000) + reusableSeconds }

export const codes: ModelAdapter = {
  ...oneTime('code'),
  upsert: async (value, payload, expiresIn = 0) => {
    const { services, grant, principal, context, interaction } = getRun()
    if (!grant || !principal || !context) throw new Error('A code without a grant was issued.')
    await consume(services, 'authorizationsPerSession', `${principal.session.userId} ${grant.sid}`)
    await noteClient(services, principal, grant.clientId)
    const { jti: _, ...stored } = toStoredPayload({ ...payload, sid: grant.sid })
    const expiresAt = services.now() + expiresIn * 1000
    const token = { grantId: grant.id, payload: stored, expiresAt }
    const target = nameClientTarget(grant)
    const audit = auditStep(context, 'oidc_client.authorized', { user: grant.userId, target })
    const completion =
      interaction &&
      buildCompletionStep(
        { id: interaction.id, expiresAt: getInteractionEnd(interaction) },
        createExpiredError,
      )
    await storeOidcCode(services.table, value, token, grant, [audit, ...(completion ? [completion] : [])])
  },
}

export const refreshTokens: ModelAdapter = {
  ...oneTime('refresh_token'),
  upsert: async (value, payload) => {
    const { services, grant } = getRun()
    if (!grant) throw new Error('A refresh token without a grant was issued.')
    const { jti: _, ...stored } = toStoredPayload(payload)
    const token = { grantId: grant.id, payload: stored, expiresAt: grant.expiresAt }
    if (!(await storeOidcRefreshToken(services.table, value, token)))
      throw new errors.InvalidGrant('the grant has ended')
  },
}

/** Lets the client learn when the session ends. */
const noteClient = async (
  { table }: Services,
  { session, user, actor }: SessionPrincipal,
  clientId: string,
): Promise<void> => {
  const client = { clientId, subject: user.id }
  const outcome = await noteSessionClient(table, { session, owner: actor ?? user }, client)
  if (outcome === 'ended') throw new errors.LoginRequired('the session has ended')
  if (outcome === 'full') throw new errors.AccessDenied('the session has too many clients')
}
