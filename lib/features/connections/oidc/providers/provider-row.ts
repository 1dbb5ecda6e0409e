import type { CustomFetch, ServerMetadata } from 'openid-client'
import type { FieldError } from '../../../../kernel/errors/errors.ts'
import type { Config } from '../../../../kernel/settings/config.ts'
import type { Claims } from '../get-claim.ts'
import type { OIDCConnectionCreate } from '../models.ts'
import type { OidcConnection } from '../records.ts'
import type { Authority } from './authority.ts'

/** The fields of a connection that a request can leave out. */
export type OptionalField = Exclude<
  keyof OIDCConnectionCreate,
  'name' | 'issuer' | 'client_id' | 'client_secret'
>

/** `settable`, or why a connection cannot set the field, which then has its default. */
export type FieldRule = 'settable' | { readonly refusal: string }

/** Where the service finds the endpoints of a provider. */
type Metadata =
  /** In the discovery document, whose issuer is exactly that of the connection. */
  | { readonly from: 'discovery' }
  /** In the discovery document of many tenants, whose issuer is a template. Each ID token has the issuer of its tenant. */
  | {
      readonly from: 'template'
      /** The address at which the library knows of the template. */
      readonly origin: string
      readonly isTemplateIssuer: (connection: OidcConnection, issuer: string) => boolean
      /** Whether an issuer is that of a tenant whose accounts may sign in. */
      readonly isTenantIssuer: (connection: OidcConnection, issuer: unknown) => boolean
    }
  /** In its row, for a provider without a discovery document. */
  | { readonly from: 'row'; readonly build: (connection: OidcConnection) => ServerMetadata }

/** How the service learns who signs in. */
type UserSource =
  /**
   * From an ID token, which must have the nonce of the sign-in. `userinfo` is asked for what lacks when the ID token has no address. It is not
   * signed.
   */
  | { readonly from: 'id_token'; readonly userinfo: 'without_address' | 'never' }
  /** From an API that the access token opens. There is no ID token, and no nonce. Undefined if its answer names no account. */
  | {
      readonly from: 'api'
      readonly fetchClaims: (
        library: typeof import('openid-client'),
        provider: import('openid-client').Configuration,
        connection: OidcConnection,
        accessToken: string,
      ) => Promise<Claims | undefined>
    }

/** How the browser brings the answer. */
type AnswerMode =
  | { readonly mode: 'query' }
  /** `readUser` reads the field `user` of the form, which is not signed. Undefined if it is not valid. */
  | { readonly mode: 'form_post'; readonly readUser: (text: string) => Claims | undefined }

/** How the service makes a client secret for each request from what is stored. It is sent in the body of the request. */
interface MadeSecret {
  /** Says what is wrong with what a request sets as the client secret. */
  readonly validate: (stored: string) => Promise<string | undefined>
  readonly make: (connection: OidcConnection, stored: string, nowMs: number) => Promise<string>
}

/**
 * The rules of one provider. Nothing has a default: a row without one of these does not compile. The names, issuers, methods and accounts of a
 * provider stand in `declaredProviders`.
 *
 * All providers have in common that a sign-in uses PKCE with S256 and a `state`, and that the signature of an ID token is verified.
 */
export interface ProviderRow {
  /** The addresses that the provider vouches for. Without any, each waits for a confirmation by a link. */
  readonly authorities: readonly Authority[]
  readonly fields: Readonly<Record<OptionalField, FieldRule>>
  /** Returns all that is wrong with the fields that only this provider has. */
  readonly validateFields: (connection: OidcConnection) => readonly FieldError[]
  /** What the connections of other rows must respect about the issuers of this provider. */
  readonly others: {
    /** Why they cannot have an issuer of this provider. */
    readonly refuseIssuer: (issuer: URL) => string | undefined
    /**
     * Whether a company can have an issuer of this provider, and then must name the domain of its people there, because everybody can have an
     * account at the same issuer. Other issuers of the provider are refused.
     */
    readonly needsHostedDomain: boolean
  }
  /** Whether a stand-in can play the provider at an issuer on loopback. It is asked only where the service may fetch from there. */
  readonly isStandIn: (issuer: string) => boolean
  readonly requiredScopes: readonly ['openid', ...string[]]
  /** What the provider calls the scopes of OpenID Connect. */
  readonly toScopes: (scopes: readonly string[]) => readonly string[]
  /** Says why the provider cannot return to this service. Undefined if it can. */
  readonly explainReturn: (
    config: Pick<Config, 'publicUrl'>,
    connection: OidcConnection,
  ) => string | undefined
  /** The parameters that ask for a new sign-in there. With `max_age`, the answer must have the time of the sign-in. */
  readonly newSignIn: Readonly<Partial<Record<'prompt' | 'max_age', string>>>
  readonly answer: AnswerMode
  readonly metadata: Metadata
  readonly user: UserSource
  /** The name of the account among those of the provider. Undefined if the claims name none. */
  readonly nameAccount: (connection: OidcConnection, claims: Claims) => unknown
  /** Corrects what answers of the provider lack. Null if they need nothing. */
  readonly adaptFetch:
    | ((send: CustomFetch, connection: OidcConnection, metadata: ServerMetadata) => Promise<CustomFetch>)
    | null
  /** Null if the stored secret is the client secret itself. */
  readonly madeSecret: MadeSecret | null
  /** Whether the refresh token of a sign-in is kept, so that it is revoked when the account is no longer used here. */
  readonly keepsRefreshToken: boolean
  /** Whether the provider reports changes of accounts as Apple does. */
  readonly sendsAppleNotifications: boolean
}
