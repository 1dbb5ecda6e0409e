import { type Adapter, type AdapterPayload, errors } from 'oidc-provider'
import type { SessionPrincipal } from '../../../accounts/callers/principal.ts'
import { consume } from '../../../accounts/callers/throttle.ts'
import { auditStep } from '../../../accounts/events/write-event.ts'
import { omitUndefined } from '../../../kernel/util/object-fields.ts'
import type { Services } from '../../../services.ts'
import { createExpiredError } from '../authorization-refusal.ts'
import { buildCompletionStep } from '../authorization-requests.records.ts'
import { buildClientUseSteps } from '../client-access.records.ts'
import { isRedirectUriOf } from '../client-uris.ts'
import { type ClientRecord, readClientId } from '../clients.records.ts'
import { deleteOAuthGrants, findOAuthGrant, type OAuthGrantRecord } from '../grants.records.ts'
import { describeClientUse } from '../grants.ts'
import { getInteractionEnd } from '../interactions.ts'
import { listScopes } from '../resources.ts'
import { noteSessionClient } from '../session-clients.records.ts'
import {
  findOAuthToken,
  type OAuthPayload,
  type OAuthTokenKind,
  type OAuthTokenRecord,
  storeOAuthCode,
  useOAuthToken,
} from '../tokens.records.ts'
import { getRun, type ProviderRun } from './run.ts'

/** The parts of an adapter that a model uses. */
export type ModelAdapter = Partial<Adapter>

/** The ID of the client of a grant, as audit events name it. */
export const nameClientTarget = ({ clientId }: Pick<OAuthGrantRecord, 'clientId'>): string => {
  const { client } = getRun()
  return String(client?.clientId === clientId ? client.id : (readClientId(clientId) ?? clientId))
}

/**
 * Ends a grant because one of its codes or refresh tokens was presented again: one of the two callers is a thief (RFC 9700
 * 4.14.2). Grants for other organizations of the same authorization end with it. The audit event is written once, however often the token is presented afterwards.
 */
export const endReusedGrant = async (
  { services, context, grant }: ProviderRun,
  id: string,
): Promise<void> => {
  const { table, now } = services
  const ending = grant?.id === id ? grant : await findOAuthGrant(table, id, now())
  if (!ending) return
  const details = { user: ending.userId, target: nameClientTarget(ending) }
  const audit = context ? [auditStep(context, 'oidc_client.token_reused', details)] : []
  await deleteOAuthGrants(table, ending, audit)
}

/** Returns a payload in the form that the table stores. Fields without a value are left out. */
export const toStoredPayload = (payload: AdapterPayload): Record<string, unknown> =>
  JSON.parse(JSON.stringify(payload))

/**
 * Finds a code or refresh token of the client of this request. The library refuses it, and ends its grant, if it was used,
 * unless `isRepetition` excuses that.
 */
export const findOneTimeToken = async (
  kind: OAuthTokenKind,
  value: string,
  isRepetition: (token: OAuthTokenRecord) => Promise<boolean> = async () => false,
): Promise<AdapterPayload | undefined> => {
  const run = getRun()
  const { table, now } = run.services
  const found = await findOAuthToken(table, kind, value)
  const payload = found && run.client && limitToClient(found.payload, run.client)
  if (!found || !payload) return undefined
  if (typeof payload['resource'] === 'string') run.resource = payload['resource']
  const isFresh = found.usedAt === undefined || (await isRepetition(found))
  return { ...payload, jti: value, ...(isFresh ? {} : describeUse(found, now())) }
}

/**
 * A client gets no more than it may have now, even if it had more when the token was issued. Undefined if it no longer has the
 * address that a code was sent to. The library compares audiences, and who the client is.
 */
const limitToClient = (payload: OAuthPayload, client: ClientRecord): OAuthPayload | undefined => {
  const { redirectUri, resource, scope } = payload
  if (typeof redirectUri === 'string' && !isRedirectUriOf(client, redirectUri)) return undefined
  if (typeof scope !== 'string') return payload
  const allowed = listScopes(client, typeof resource === 'string' ? resource : undefined)
  return {
    ...payload,
    scope: scope
      .split(' ')
      .filter((name) => allowed.includes(name))
      .join(' '),
  }
}

const reusableSeconds = 60

/** The library refuses an expired token before it finds out that it was used. So a used one never expires for it. */
export const describeUse = ({ usedAt = 0 }: { readonly usedAt?: number }, nowMs: number) => ({
  consumed: Math.floor(usedAt / 1000),
  exp: Math.floor(nowMs / 1000) + reusableSeconds,
})

/** Ends the grant of a token that another request used between the read and the write of this one. */
export const refuseUsedToken = async (run: ProviderRun, kind: OAuthTokenKind): Promise<never> => {
  // The new grant of a refresh for another organization is not stored yet.
  const grant = run.formerGrant ?? run.grant
  if (grant) await endReusedGrant({ ...run, grant }, grant.id)
  throw new errors.InvalidGrant(`${kind} already used`)
}

/** Codes. Each is used once, and a second use ends the grant with all its tokens. */
export const codes: ModelAdapter = {
  find: (value) => findOneTimeToken('code', value),
  consume: async (value) => {
    const run = getRun()
    const { table, now } = run.services
    if (!(await useOAuthToken(table, 'code', value, { usedAt: now() }))) await refuseUsedToken(run, 'code')
  },
  upsert: async (value, payload, expiresIn = 0) => {
    const { services, client, grant, principal, context, interaction } = getRun()
    if (!client || !grant || !principal || !context) throw new Error('A code without a grant was issued.')
    await consume(services, 'authorizationsPerSession', `${principal.session.userId} ${grant.sid}`)
    await noteClient(services, principal, grant.clientId)
    const { jti: _, ...stored } = toStoredPayload({ ...payload, sid: grant.sid })
    const expiresAt = services.now() + expiresIn * 1000
    const token = { grantId: grant.id, payload: stored, expiresAt }
    const target = nameClientTarget(grant)
    const details = { user: grant.userId, target, ...omitUndefined({ organization: grant.organizationId }) }
    const audit = auditStep(context, 'oidc_client.authorized', details)
    const completion =
      interaction &&
      buildCompletionStep(
        { id: interaction.id, expiresAt: getInteractionEnd(interaction) },
        createExpiredError,
      )
    const orElse = () => new errors.LoginRequired('the session has ended')
    await storeOAuthCode(services.table, value, token, grant, [
      audit,
      ...(completion ? [completion] : []),
      ...buildClientUseSteps(principal.session, { ...describeClientUse(services, grant, client), orElse }),
    ])
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
