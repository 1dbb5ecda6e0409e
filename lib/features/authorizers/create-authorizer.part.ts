import { grants } from '../../accounts/callers/permissions.ts'
import { isLimitedToSetup } from '../../accounts/sessions/session-rules.ts'
import { BusyError } from '../../kernel/errors/errors.ts'
import { buildMetricFields } from '../../kernel/log/log.ts'
import { getCurrentCost, measureCost } from '../../kernel/table/table-calls.ts'
import { omitUndefined } from '../../kernel/util/object-fields.ts'
import { createServices, type Services } from '../../services.ts'
import { isMembershipProven, isProvenFor } from '../sign-in/organization-sessions.ts'
import {
  type Caller,
  identifyCaller,
  readNamedOrganization,
  type UserCaller,
} from './identify-caller.part.ts'
import { type AuthorizerEvent, type AuthorizerRequest, readEvent } from './read-event.ts'
import { type AuthorizerSettings, readAuthorizerSettings } from './settings.ts'

/**
 * Creates the handler that lets callers of this service into the APIs of products: a Lambda authorizer of API Gateway and
 * AppSync. The handler throws the error `Unauthorized` if a REST API should answer with 401, and another error if the caller
 * could not be identified. The API then refuses the request with 500.
 */
export const createAuthorizer = (
  environment: Readonly<Record<string, string | undefined>>,
): ((event: AuthorizerEvent) => Promise<AuthorizerAnswer>) => {
  const services = createServices(environment)
  const settings = readAuthorizerSettings(environment)
  return (event) =>
    measureCost(async () => {
      const startedAt = performance.now()
      const { request, decision } = await decideOnEvent(services, settings, event)
      const cost = getCurrentCost()
      services.log.info('authorization', {
        request_id: request.requestId,
        platform: request.platform,
        outcome: decision.outcome,
        user: decision.caller?.principal?.user.id,
        kind: decision.caller && (decision.caller.principal?.kind ?? 'machine'),
        client: decision.caller?.principal ? undefined : decision.caller?.clientId,
        duration_ms: Math.round(performance.now() - startedAt),
        table_calls: cost?.calls,
        table_round_trips: cost?.roundTrips,
        table_units: cost?.units,
      })
      return buildAnswer(settings, request, decision, services.now())
    })
}

const decideOnEvent = async (
  services: Services,
  settings: AuthorizerSettings,
  event: AuthorizerEvent,
): Promise<{ readonly request: AuthorizerRequest; readonly decision: Decision }> => {
  try {
    const request = readEvent(event)
    return { request, decision: await decide(services, settings, request) }
  } catch (error) {
    if (error instanceof BusyError) services.log.warn('table.busy', { error })
    else
      services.log.error('authorizer.failed', { error, ...buildMetricFields('AuthorizerFailed', services) })
    // The message must never be the one that API Gateway takes for a refusal.
    throw new Error('The caller could not be identified.', { cause: error })
  }
}

interface SimpleAnswer {
  readonly isAuthorized: boolean
  readonly context?: AuthorizerContext
}

interface GraphqlAnswer {
  readonly isAuthorized: boolean
  readonly resolverContext?: AuthorizerContext
  /** Seconds. Without it, AppSync would keep the answer for its own default of five minutes. */
  readonly ttlOverride: number
}

interface PolicyAnswer {
  readonly principalId: string
  readonly policyDocument: {
    readonly Version: '2012-10-17'
    readonly Statement: readonly [
      {
        readonly Action: 'execute-api:Invoke'
        readonly Effect: 'Allow' | 'Deny'
        readonly Resource: string
      },
    ]
  }
  readonly context?: AuthorizerContext
}

type AuthorizerAnswer = SimpleAnswer | GraphqlAnswer | PolicyAnswer

/** REST APIs answer with 401 to an error with exactly this message. */
const unauthorized = 'Unauthorized'

/**
 * Builds the answer in the form that the platform documents. REST APIs distinguish 401 and 403. HTTP APIs answer with 403 to
 * every refusal, AppSync with 401.
 *
 * @throws Error `Unauthorized` if a REST API should answer with 401
 */
const buildAnswer = (
  settings: AuthorizerSettings,
  { platform, stageArn }: AuthorizerRequest,
  decision: Decision,
  nowMs: number,
): AuthorizerAnswer => {
  const isAuthorized = decision.outcome === 'authorized'
  if (platform === 'graphql')
    return isAuthorized
      ? {
          isAuthorized,
          resolverContext: buildContext(settings, decision.caller),
          ttlOverride: getCacheSeconds(settings, decision.caller, nowMs),
        }
      : { isAuthorized, ttlOverride: 0 }
  if (platform === 'http-2' && !settings.answersWithPolicy)
    return isAuthorized
      ? { isAuthorized, context: buildContext(settings, decision.caller) }
      : { isAuthorized }
  if (platform === 'rest' && decision.outcome === 'unauthenticated') throw new Error(unauthorized)
  return buildPolicy(settings, stageArn, decision)
}

const buildPolicy = (settings: AuthorizerSettings, stageArn: string, decision: Decision): PolicyAnswer => {
  const { outcome, caller } = decision
  return {
    principalId: caller ? nameCaller(caller) : 'unknown',
    policyDocument: {
      Version: '2012-10-17',
      Statement: [
        {
          Action: 'execute-api:Invoke',
          Effect: outcome === 'authorized' ? 'Allow' : 'Deny',
          Resource: stageArn,
        },
      ],
    },
    ...(outcome === 'authorized' ? { context: buildContext(settings, decision.caller) } : {}),
  }
}

/** An answer must not be used for longer than its credential works. */
const getCacheSeconds = ({ cacheSeconds }: AuthorizerSettings, { endsAt }: Caller, nowMs: number): number =>
  Math.max(0, Math.min(cacheSeconds, Math.floor((endsAt - nowMs) / 1000)))

/** What the product gets to know about a caller. All values are texts, because REST APIs and AppSync allow no lists. */
type AuthorizerContext = Readonly<Record<string, string>>

/** Builds the context of a caller. Lists are JSON texts, because names of groups can have any character. */
const buildContext = (settings: AuthorizerSettings, caller: Caller): AuthorizerContext => {
  if (!caller.principal) {
    const { claims, clientId, clientScopes } = caller
    return omitUndefined({
      ...statePermissions(settings, claims),
      scopes: clientScopes.length > 0 ? JSON.stringify(clientScopes) : undefined,
      kind: clientId === undefined ? 'organization' : 'machine',
      client_id: clientId,
      org_id: claims.org_id,
      org_slug: claims.org_slug,
      org_name: claims.org_name,
    })
  }
  const { principal, claims } = caller
  const scopes = caller.clientScopes ?? principal.scopes
  return omitUndefined({
    user_id: nameCaller(caller),
    username: claims.preferred_username,
    ...statePermissions(settings, claims),
    groups: JSON.stringify(claims.groups),
    kind: nameKind(caller),
    client_id: caller.clientId,
    session_id: claims.sid,
    scopes: scopes && JSON.stringify(scopes),
    actor_id: principal.actor?.id.toString(),
    actor_username: claims.act?.preferred_username,
    access_link: claims.access_link?.toString(),
    org_id: claims.org_id,
    org_slug: claims.org_slug,
    org_name: claims.org_name,
    org_roles: claims.org_roles && JSON.stringify(claims.org_roles),
  })
}

/**
 * Both lists of permissions. An authorizer for organizations also names the one that counts, because an optional organization makes it
 * look at either.
 */
const statePermissions = (
  { organization }: AuthorizerSettings,
  { permissions, org_permissions: inOrganization, org_id: id }: CallerClaims,
) => ({
  permissions: JSON.stringify(permissions),
  org_permissions: inOrganization && JSON.stringify(inOrganization),
  permissions_claim: organization && (id === undefined ? 'permissions' : 'org_permissions'),
})

type CallerClaims = Pick<Caller['claims'], 'permissions' | 'org_permissions' | 'org_id'>

/** The permissions that count for a caller: in an organization, no other. */
const listCounting = ({
  permissions,
  org_permissions: inOrganization = [],
  org_id: id,
}: CallerClaims): readonly string[] => (id === undefined ? permissions : inOrganization)

/** The ID of a user here, which a client can have another subject for, or the subject of a machine. */
const nameCaller = ({ principal, claims }: Caller): string =>
  principal ? String(principal.user.id) : claims.sub

/** A guest of an access link stays one with a JWT. */
const nameKind = ({ principal, isJwt }: UserCaller): string => {
  if (principal.session?.accessLink) return 'access_link'
  return isJwt ? 'jwt' : principal.kind
}

type Decision =
  | { readonly outcome: 'authorized'; readonly caller: Caller }
  | { readonly outcome: 'forbidden'; readonly caller?: Caller }
  | { readonly outcome: 'unauthenticated'; readonly caller?: undefined }

/** Decides whether a request may go on to the API of the product. */
const decide = async (
  services: Services,
  settings: AuthorizerSettings,
  request: AuthorizerRequest,
): Promise<Decision> => {
  const caller = await identifyCaller(services, settings, request)
  if (typeof caller === 'string') return { outcome: caller }
  return {
    outcome:
      isInOrganization(settings, request, caller) && isAllowed(settings, caller) ? 'authorized' : 'forbidden',
    caller,
  }
}

/**
 * Whether a caller acts where the settings say: in an organization if they require one, and in no other than the request names. Without
 * the setting, a credential that states an organization is refused: its user chose it, and may have made it.
 */
const isInOrganization = (
  settings: AuthorizerSettings,
  request: AuthorizerRequest,
  { claims: { org_id: id, org_slug: slug } }: Caller,
): boolean => {
  if (!settings.organization) return id === undefined
  const named = readNamedOrganization(settings, request)
  if (named !== undefined) return id !== undefined && (named === id || named === slug)
  return id !== undefined || settings.organization === 'optional'
}

const isAllowed = ({ permission, scope, acceptsGuests }: AuthorizerSettings, caller: Caller): boolean => {
  const hasPermission = permission === undefined || grants(listCounting(caller.claims), permission)
  if (scope !== undefined && !caller.clientScopes?.includes(scope)) return false
  if (!caller.principal) return hasPermission
  const { principal, isJwt } = caller
  // An access link proves possession of the link, and not who has it.
  if (principal.session?.accessLink && !acceptsGuests) return false
  // A password alone is not enough for products once a second factor is required.
  if (isLimitedToSetup(principal)) return false
  // A JWT of a client states the organization. A session alone would state the account.
  const { organization } = principal
  if (organization && !isMembershipProven(principal, organization.membership)) return false
  if (!organization && !isProvenFor(principal, undefined)) return false
  // A token for something else must not show who its owner is. A JWT was issued for this purpose.
  if (principal.scopes && !isJwt && !grants(principal.scopes, 'profile:view')) return false
  return hasPermission
}
