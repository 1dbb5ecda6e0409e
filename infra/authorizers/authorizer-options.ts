import type { Duration } from 'aws-cdk-lib'
import { type OptionTypes, readLastArgument } from '../../lib/kernel/options/check-options.ts'
import { readJwtAudiences } from '../../lib/kernel/settings/jwt-audiences.ts'
import { omitUndefined } from '../../lib/kernel/util/object-fields.ts'

/**
 * What an authorizer for your own API accepts and requires. All are optional.
 *
 * @example
 * ```ts
 * import type { AuthorizerOptions } from '@latchkey/construct'
 *
 * export const options: AuthorizerOptions = { permission: 'films:view' }
 * ```
 */
export interface AuthorizerOptions {
  /** The permission that every caller needs, such as `films:view`. Administrators have all permissions. */
  readonly permission?: string
  /**
   * The scope of your API that every caller needs, such as `films.read`. Only access tokens of OpenID Connect clients have
   * scopes, so every other credential is refused.
   */
  readonly scope?: string
  /**
   * Audiences of JWTs that are accepted. The URL of the service always is, in JWTs of `create_jwt`. Access tokens of
   * OpenID Connect clients need one of these.
   */
  readonly audiences?: readonly string[]
  /** The `client_id` of JWTs that are accepted: those of clients, and `latchkey` for `create_jwt`. Without it, each is. */
  readonly clients?: readonly string[]
  /** Accepts guests of access links, who have no permissions. The default is false. */
  readonly acceptsGuests?: boolean
  /** Accepts access tokens that a client got for itself, without a user. The default is false. */
  readonly acceptsMachines?: boolean
  /**
   * Where permissions count. `required` refuses every caller who does not act in an organization, and `optional` admits both. Tokens for
   * an organization state it. Sessions and API tokens of users name it in the header `Latchkey-Organization`, by its ID or slug, and
   * are admitted if the user is a member; authorizers of tokens alone and AppSync read no header. `permission` then is one in the
   * organization, and `permissions_claim` of the context says which list counted. Without this option, the header changes nothing, and
   * tokens for an organization are refused: their users chose it, and may have made it. With `resultsCacheTtl`, each request
   * needs the header, because API Gateway keeps answers by it.
   */
  readonly organization?: 'required' | 'optional'
  /** Accepts API tokens of organizations, which have no user. Requires `organization`. The default is false. */
  readonly acceptsOrganizationTokens?: boolean
  /**
   * How long an answer is used again for the same credential, up to an hour. The default is 0: each request is checked, so a
   * logout or a removed permission counts at once.
   */
  readonly resultsCacheTtl?: Duration
}

/**
 * The options of authorizers that get the whole request.
 *
 * @example
 * ```ts
 * import type { RequestAuthorizerOptions } from '@latchkey/construct'
 *
 * export const options: RequestAuthorizerOptions = { acceptsCookie: true }
 * ```
 */
export interface RequestAuthorizerOptions extends AuthorizerOptions {
  /**
   * Accepts the session cookie, too, for APIs on the host of the service. Changes with it must come from pages of that host.
   * Requires that answers are not cached. The default is false.
   */
  readonly acceptsCookie?: boolean
}

/**
 * The options of a function for authorizers that you create yourself.
 *
 * @example
 * ```ts
 * import type { AuthorizerFunctionOptions } from '@latchkey/construct'
 *
 * export const options: AuthorizerFunctionOptions = { answer: 'policy' }
 * ```
 */
export interface AuthorizerFunctionOptions extends RequestAuthorizerOptions {
  /**
   * The answers to payload 2.0 of HTTP APIs: `simple` (the default), or `policy` without `enableSimpleResponses`. If your authorizer
   * keeps answers and has `organization`, name the headers `Authorization` and `Latchkey-Organization` as its identity sources.
   */
  readonly answer?: 'simple' | 'policy'
}

const authorizerOptionTypes: OptionTypes<AuthorizerOptions> = {
  permission: 'string',
  scope: 'string',
  audiences: 'any',
  clients: 'any',
  acceptsGuests: 'boolean',
  acceptsMachines: 'boolean',
  organization: 'string',
  acceptsOrganizationTokens: 'boolean',
  resultsCacheTtl: 'any',
}
const requestAuthorizerOptionTypes: OptionTypes<RequestAuthorizerOptions> = {
  ...authorizerOptionTypes,
  acceptsCookie: 'boolean',
}
const authorizerFunctionOptionTypes: OptionTypes<AuthorizerFunctionOptions> = {
  ...requestAuthorizerOptionTypes,
  answer: 'string',
}

/**
 * Returns the options among the arguments of a method. Without them, every signed-in caller may pass.
 *
 * @throws TypeError for a misspelt option, and for what is undefined, such as a missing constant
 */
const readFor =
  <Options extends AuthorizerOptions>(method: string, types: OptionTypes<Options>) =>
  (given: readonly [options?: Options | undefined]): Partial<Options> =>
    readLastArgument(given, types, `an option of ${method}`)

/** Reads the options of each method. */
export const readOptions = {
  authorizer: readFor('authorizer', requestAuthorizerOptionTypes),
  restTokenAuthorizer: readFor('restTokenAuthorizer', authorizerOptionTypes),
  restRequestAuthorizer: readFor('restRequestAuthorizer', requestAuthorizerOptionTypes),
  graphqlAuthorization: readFor('graphqlAuthorization', authorizerOptionTypes),
  authorizerFunction: readFor('authorizerFunction', authorizerFunctionOptionTypes),
}

const maxCacheSeconds = 3600
const permissionForm = /^[a-z][a-z0-9_-]{0,63}(:[a-z0-9_-]{1,64}){1,2}$/

const scopeForm = /^[A-Za-z0-9][\w:./-]{0,99}$/

/** @throws Error that names the wrong option */
export const assertAuthorizerOptions = (options: AuthorizerFunctionOptions): void => {
  const { permission, scope, audiences = [], clients, resultsCacheTtl, acceptsCookie, organization } = options
  const cacheSeconds = resultsCacheTtl?.toSeconds() ?? 0
  if (permission !== undefined && !permissionForm.test(permission))
    throw new Error('permission must be a permission such as films:view.')
  if (scope !== undefined && !scopeForm.test(scope))
    throw new Error('scope must be a scope such as films.read.')
  if (audiences.some((audience) => audience === '' || audience.includes(',')))
    throw new Error('audiences must contain no empty texts and no commas.')
  const problem = readJwtAudiences(audiences.join(','))
  if (typeof problem === 'string') throw new Error(`audiences ${problem}.`)
  if (clients?.length === 0 || clients?.some((client) => client === '' || /[\s,]/.test(client)))
    throw new Error(
      'clients must name at least one client ID, and contain no empty texts, spaces and commas.',
    )
  if (cacheSeconds > maxCacheSeconds) throw new Error('resultsCacheTtl must be at most an hour.')
  if (organization !== undefined && organization !== 'required' && organization !== 'optional')
    throw new Error('organization must be "required" or "optional", or left out.')
  if (organization === 'optional' && cacheSeconds > 0)
    throw new Error(
      'organization: "optional" does not work with resultsCacheTtl: API Gateway keeps answers by the header, so every request would need it.',
    )
  if (options.acceptsOrganizationTokens && organization === undefined)
    throw new Error('acceptsOrganizationTokens requires organization: "required" or "optional".')
  if (organization === 'required' && options.acceptsGuests)
    throw new Error(
      'acceptsGuests does not work with organization: "required": guests of access links are no members.',
    )
  // A kept answer to a harmless request would also admit a change that a page of another site causes.
  if (acceptsCookie && cacheSeconds > 0)
    throw new Error('acceptsCookie requires that answers are not cached: leave out resultsCacheTtl.')
}

/** Builds the variables of the function: see `lib/features/authorizers/settings.ts`. */
export const buildAuthorizerEnvironment = ({
  permission,
  scope,
  audiences = [],
  clients,
  acceptsGuests,
  acceptsMachines,
  acceptsOrganizationTokens,
  acceptsCookie,
  organization,
  answer,
  resultsCacheTtl,
}: AuthorizerFunctionOptions): Readonly<Record<string, string>> =>
  omitUndefined({
    AUTHORIZER_PERMISSION: permission,
    AUTHORIZER_SCOPE: scope,
    AUTHORIZER_AUDIENCES: audiences.length > 0 ? [...audiences].sort().join(',') : undefined,
    AUTHORIZER_CLIENTS: clients && [...clients].sort().join(','),
    AUTHORIZER_GUESTS: acceptsGuests ? 'true' : undefined,
    AUTHORIZER_MACHINES: acceptsMachines ? 'true' : undefined,
    AUTHORIZER_ORGANIZATION: organization,
    AUTHORIZER_ORGANIZATION_TOKENS: acceptsOrganizationTokens ? 'true' : undefined,
    AUTHORIZER_COOKIE: acceptsCookie ? 'true' : undefined,
    AUTHORIZER_ANSWER: answer === 'policy' ? 'policy' : undefined,
    AUTHORIZER_CACHE_SECONDS: resultsCacheTtl?.toSeconds() ? String(resultsCacheTtl.toSeconds()) : undefined,
  })
