import { AsyncLocalStorage } from 'node:async_hooks'
import type { SessionPrincipal } from '../../../accounts/callers/principal.ts'
import type { RequestContext } from '../../../accounts/callers/request-context.ts'
import type { AttributeValue } from '../../../kernel/contract/stored-attributes.ts'
import type { AppError } from '../../../kernel/errors/errors.ts'
import type { Services } from '../../../services.ts'
import type { Connection } from '../../connections/records.ts'
import type { ActingSession } from '../../organizations/acting-principal.ts'
import type { AuthorizationError } from '../authorization-refusal.ts'
import type { OrganizationChoice } from '../choose-organization.ts'
import type { ClientRecord } from '../clients.records.ts'
import type { OAuthDeviceRecord } from '../devices.records.ts'
import type { TokenRequest } from '../flow.models.ts'
import type { OAuthGrantRecord } from '../grants.records.ts'
import type { Interaction } from '../interactions.ts'
import type { ApiRights } from '../protected-apis.records.ts'
import type { UserClaims } from '../tokens/claims.ts'

/** An interaction that a request began, as the browser keeps it. */
export interface StartedInteraction {
  readonly uid: string
  readonly sealed: string
  readonly interaction: Interaction
}

/**
 * One request that the library handles. The library knows only identifiers and its own models, so the functions that it
 * calls find the rest here.
 */
export interface ProviderRun {
  readonly services: Services
  /** For audit events. Discovery has none. */
  readonly context?: RequestContext
  /** The client that proved who it is by an assertion, before the library got the request. */
  readonly provenClient?: ClientRecord | undefined
  /** Who is signed in, for the endpoints that browsers visit. */
  readonly principal?: SessionPrincipal | undefined
  /** The connection whose directory the proven client is, if the request asks for a token for it. */
  readonly directory?: Connection | undefined
  /** The cookie that binds interactions to the browser. */
  readonly browser?: string
  /** The parameters of an authorization. */
  readonly parameters?: Readonly<Record<string, string>>
  /** Whether the client sent the parameters itself (RFC 9126). */
  readonly wasPushed?: boolean
  /** The interaction that the request completes. */
  readonly interaction?: Interaction
  /** What the user answered on the page that asks for their agreement to this authorization. */
  readonly consent?: 'given' | 'refused' | undefined
  /** Whether an administrator tries the client out. Nobody gets the code and the tokens, so that they need no key of the client. */
  readonly isTrial?: boolean
  /** Why the document of the client was not read, if no user is signed in. Users have limits of their own for it. */
  unread?: AppError
  /** The interaction that the request began, because the user has to sign in. */
  started?: StartedInteraction
  client?: ClientRecord
  /** The organization that an authorization is for. */
  choice?: Promise<OrganizationChoice>
  /** The organization that a request for tokens names. */
  readonly named?: Pick<TokenRequest, 'organization' | 'organization_id'>
  /** The grant that is being made, or the one behind a code or refresh token. */
  grant?: OAuthGrantRecord
  /** The user of the tokens. */
  subject?: ActingSession
  claims?: UserClaims
  /** The user of a grant, if a hook was asked about them before the code was used. */
  found?: { readonly grant: OAuthGrantRecord; readonly subject: ActingSession | undefined }
  /** Whether the client has the scope of a claim of the hook `beforeToken`, which no administrator turned off. */
  asksHook?: boolean
  /** What the hook `beforeToken` adds to the tokens. */
  hookClaims?: ReadonlyMap<string, AttributeValue>
  /** The resource that a code or refresh token was issued for. */
  resource?: string
  /** What tokens for that resource may state, if it is an API. */
  api?: ApiRights
  /** The device of a device code, with its user code. */
  device?: { readonly userCode: string; readonly device: OAuthDeviceRecord }
  accessToken?: string
  /** All that the ID token states about its user. */
  idTokenClaims?: Readonly<Record<string, unknown>>
  /** The refresh token that takes the place of the used one. */
  nextRefreshToken?: string
  /** The grant whose refresh token led to the present one, for another organization. */
  formerGrant?: OAuthGrantRecord
  /** The refresh token of that grant that takes the place of the used one. */
  formerRefreshToken?: string
  /** An error that the library would only show as a server error. */
  failure?: unknown
  /** Why an authorization was refused, whether the client learns it or not. */
  authorizationError?: AuthorizationError
  /** Why a request for tokens was refused. Only the log gets the detail. */
  tokenError?: { readonly error: string; readonly detail: string | undefined }
  /** An error that cannot be sent to the client. */
  refusal?: AuthorizationError
}

const runs = new AsyncLocalStorage<ProviderRun>()

export const startRun = <Result>(run: ProviderRun, handle: () => Promise<Result>): Promise<Result> =>
  runs.run(run, handle)

/** The present request. @throws Error outside of one */
export const getRun = (): ProviderRun => {
  const run = runs.getStore()
  if (!run) throw new Error('No request of the OpenID provider is being handled.')
  return run
}
