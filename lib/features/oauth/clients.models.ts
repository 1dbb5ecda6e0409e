import * as z from 'zod/mini'
import { exampleNetwork, UsedNetwork } from '../../accounts/callers/credential-use.models.ts'
import {
  exampleClientId,
  exampleCredentials,
  exampleIds,
  exampleProductUrl,
  exampleTimes,
} from '../../accounts/example-values.models.ts'
import { nameRules } from '../../kernel/contract/descriptions/common-texts.ts'
import {
  anyText,
  clientPermissions,
  dateTime,
  flag,
  id,
  nonEmptyText,
  nullableDateTime,
  text,
  text255,
} from '../../kernel/contract/fields.ts'
import { changes, field, listInitials, model, settable } from '../../kernel/contract/model.ts'
import { externalSourceForm, externalSourceRule } from '../../kernel/contract/text-rules.ts'
import {
  clientKeysMax,
  secretsPerHolder,
  tokenNetworkDays,
  tokenNetworksPerDay,
} from '../../kernel/limits/limits.ts'
import { defaultScopes } from './default-scopes.models.ts'
import { APITexts } from './protected-apis.models.ts'

/** The scopes of OpenID Connect that clients can request. */
export const openidScopes = [
  'openid',
  'profile',
  'email',
  'phone',
  'address',
  'groups',
  'permissions',
  'attributes',
  'organization',
  'offline_access',
] as const
export type OpenidScope = (typeof openidScopes)[number]

/** A client is read with each request of its product, so it stays small. */
const uris = z.array(text(500)).check(z.maxLength(20))
const scopes = z.array(z.enum(openidScopes)).check(z.maxLength(openidScopes.length))
const seconds = (minimum: number, maximum: number) => z.int().check(z.minimum(minimum), z.maximum(maximum))
/** Signed tokens live an hour at most. */
const tokenLifetime = seconds(60, 3600)
/** A refresh token ends with its session, and no session lives longer. */
const refreshTokenLifetime = seconds(60, 30 * 86_400)
/** Longer than access tokens live, so that a client which refreshes when they end is never idle. */
const refreshTokenIdleLifetime = seconds(7200, 30 * 86_400)

const exampleApi = docs && { audience: `${exampleProductUrl}/api`, scopes: ['films.read'] }

/** An API that a client may ask for. */
export const OIDCClientAPI = model(
  {
    audience: field(
      text255,
      docs && {
        description: 'The audience of a registered API: see `get_all_protected_apis`.',
        example: exampleApi.audience,
      },
    ),
    scopes: field(
      z.array(text(100)).check(z.maxLength(30)),
      docs && {
        description: 'The scopes of the API that the client can request.',
        example: exampleApi.scopes,
      },
    ),
  },
  docs && { description: 'An API that a client can request access tokens for.', example: exampleApi },
)
export type OIDCClientAPI = z.output<typeof OIDCClientAPI>

const keyPart = z.optional(text(1000))

/** A public key of a client (RFC 7517). It has no private parts, which are unknown fields. */
export const OIDCClientKey = model(
  {
    kty: field(z.enum(['RSA', 'EC', 'OKP']), docs && 'The kind of the key.'),
    kid: field(z.optional(text(100)), docs && 'The name of the key, which assertions can state.'),
    alg: field(
      z.optional(text(20)),
      docs && 'The only algorithm of the key: `RS256`, `PS256`, `ES256` or `EdDSA`.',
    ),
    use: field(z.optional(text(20)), docs && { description: 'What the key is for.', example: 'sig' }),
    n: field(
      keyPart,
      docs && { description: 'The modulus of an RSA key.', example: 'sXchDaQebHnPiGvyDOAT4saGEUetSyo9…' },
    ),
    e: field(keyPart, docs && { description: 'The exponent of an RSA key.', example: 'AQAB' }),
    crv: field(keyPart, docs && 'The curve of another key.'),
    x: field(keyPart, docs && 'A coordinate of another key.'),
    y: field(keyPart, docs && 'The other coordinate of an EC key.'),
  },
  docs && {
    description:
      'A public key of a client as a JWK (RFC 7517): RSA of 2,048 to 4,096 bits, P-256 or Ed25519.',
    example: {
      kty: 'EC',
      kid: '2026-01',
      alg: 'ES256',
      crv: 'P-256',
      x: 'MKBCTNIcKUSDii11ySs3526iDZ8AiTo7Tu6KPAqv7D4',
      y: '4Etl6SRW2YiLUrN5vfvVHuhp7x8PxltmWWlbbM4IFyM',
    },
  },
)
export type OIDCClientKey = z.output<typeof OIDCClientKey>

const exampleSecretState = docs && { id: 1, created_at: exampleTimes.created, expires: null, last_used: null }

/** A secret as its client lists it. */
export const OIDCClientSecretState = model(
  {
    id: field(id, docs && 'The ID of the secret. It is unique among the secrets of one client.'),
    created_at: field(dateTime, docs && 'When the secret was created: ISO 8601, UTC.'),
    expires: field(
      nullableDateTime,
      docs && 'When the secret stops working: ISO 8601, UTC. Null for the newest one, which does not end.',
    ),
    last_used: field(
      nullableDateTime,
      docs &&
        'The start of the latest day in UTC on which the client used the secret: ISO 8601. Null if it was not used after the day it was created.',
    ),
  },
  docs && {
    description: 'A secret of an OpenID Connect client, without its value.',
    example: exampleSecretState,
  },
)
export type OIDCClientSecretState = z.output<typeof OIDCClientSecretState>

const uriRulesDescription =
  docs &&
  'Each has at most 500 characters, no fragment and no wildcard. It must be `https`, or `http` to a loopback address. Public clients can also use a scheme of a native app, such as `com.example.app:/callback`, and `cursor:`, `vscode:` and `vscode-insiders:`. Any program of the machine can claim a scheme, so users are asked each time.'

export const clientFields = {
  id: field(id, docs && 'The ID of the client in this API.'),
  client_id: settable(
    anyText,
    docs && {
      description:
        'The identifier of the client in the protocol. It is not secret, and never changes. A new client can choose one, to have the same in every stage: a lower-case letter, and up to 49 more lower-case letters, digits and hyphens. No other client ever has it, also after a deletion. Default: the ID and a random part.',
      example: exampleClientId,
    },
    { given: text(500), inEvents: 'value' },
  ),
  type: settable(
    z.enum(['confidential', 'public']),
    docs && {
      description:
        'Whether the client can keep a secret. `confidential`: a server. `public`: a page or a native app. It cannot be changed. Default: `confidential`.',
      example: 'confidential',
    },
    { initial: 'confidential', inEvents: 'value' },
  ),
  name: settable(text255, docs && `The name of the client. ${nameRules}`, { inEvents: 'value' }),
  redirect_uris: settable(
    uris,
    docs && {
      description: `Where a sign-in can return to: 1 to 20 addresses. There can be none if the client only gets tokens for itself or for devices, or has keys. A request must name one of them exactly. Only the port of 127.0.0.1 and [::1] is free for public clients. ${uriRulesDescription}`,
      example: [`${exampleProductUrl}/callback`],
    },
    { inEvents: 'value' },
  ),
  post_logout_redirect_uris: settable(
    uris,
    docs && {
      description: `Where a sign-out can return to: up to 20 addresses. A request must name one of them exactly. ${uriRulesDescription} Default: empty.`,
      example: [`${exampleProductUrl}/`],
    },
    { initial: [], inEvents: 'value' },
  ),
  scopes: settable(
    scopes,
    docs &&
      'The scopes that the client can request. `openid` is required. Default: `openid`, `profile` and `email`.',
    { initial: defaultScopes, inEvents: 'value' },
  ),
  apis: settable(
    z.array(OIDCClientAPI).check(z.maxLength(20)),
    docs && {
      description:
        'The APIs that the client can request access tokens for, with the scopes of each: up to 20. Access tokens for them can also be introspected by the client. Default: empty, so that access tokens only open userinfo.',
      example: [exampleApi],
    },
    { initial: [], inEvents: 'value' },
  ),
  permissions: settable(
    clientPermissions,
    docs && {
      description:
        'The permissions that the client may see of its users: up to 100, of the form `word:word` or `word:word:word`. ID tokens and userinfo state them for the scope `permissions` alone, and access tokens only those of their API. Default: empty.',
      example: ['films:view'],
    },
    { initial: [], inEvents: 'value' },
  ),
  machine_permissions: settable(
    z.nullable(clientPermissions),
    docs && {
      description:
        'The permissions of the access tokens that the client gets for itself, without a user (`client_credentials`, RFC 6749 4.4): up to 100, or null if it gets none. A token states those of its API. Only for confidential clients with an API. `system:admin-access` is refused. Default: null.',
      example: null,
    },
    { initial: null, inEvents: 'value' },
  ),
  machine_groups: settable(
    z.array(id).check(z.maxLength(20)),
    docs && {
      description:
        'The IDs of groups whose permissions these tokens have too: up to 20. A change of a group takes effect at once. Empty for a client that gets no tokens for itself. Default: empty.',
      example: [],
    },
    { initial: [], inEvents: 'value' },
  ),
  machine_organizations: settable(
    flag,
    docs && {
      description:
        'Whether these tokens can be for an organization, which the client names by `organization`. It can name each one. Only for a client that gets tokens for itself. Default: false.',
      example: false,
    },
    { initial: false, inEvents: 'value' },
  ),
  organizations: settable(
    z.enum(['optional', 'required', 'none']),
    docs && {
      description:
        'Whether the tokens of users are for an organization. `optional`: as an authorization asks for it. `required`: always, so a user of several chooses one, and a user without one gets `access_denied`. `none`: never, and an authorization that names one is refused. Default: `optional`.',
      example: 'optional',
    },
    { initial: 'optional', inEvents: 'value' },
  ),
  public_keys: settable(
    z.array(OIDCClientKey).check(z.maxLength(clientKeysMax)),
    docs && {
      description:
        'The keys by which a confidential client proves who it is (`private_key_jwt`, RFC 7523): up to 5. A new client with keys gets no secret. Default: empty.',
      example: [],
    },
    { initial: [] },
  ),
  requires_pkce: settable(
    flag,
    docs && {
      description:
        'Whether authorizations need PKCE (RFC 7636). Only a confidential client can do without it, such as one of a load balancer that does not know it. Its authorizations then need a `nonce`. Default: true.',
      example: true,
    },
    { initial: true, inEvents: 'value' },
  ),
  requires_par: settable(
    flag,
    docs && {
      description:
        'Whether the client has to send the parameters of its authorizations itself, by `push_authorization_request` (RFC 9126). An authorization whose parameters come through the browser is then refused. Default: false.',
      example: false,
    },
    { initial: false, inEvents: 'value' },
  ),
  requires_dpop: settable(
    flag,
    docs && {
      description:
        'Whether the tokens of the client have to be bound to a key (DPoP, RFC 9449). A stolen one is then worth nothing. Default: false.',
      example: false,
    },
    { initial: false, inEvents: 'value' },
  ),
  subject_source: settable(
    z.nullable(z.string().check(z.regex(externalSourceForm, externalSourceRule))),
    docs && {
      description:
        'The source of an import. Users whom it brought have their `external_id` as `sub` in all tokens, at userinfo and at introspection, and others `latchkey:` and their ID. Access tokens and introspection also have the ID of this service, as `user_id`. Logout tokens only name the session. Null for the IDs of this service. Default: null.',
      example: null,
    },
    { initial: null, inEvents: 'value' },
  ),
  device_authorization: settable(
    flag,
    docs && {
      description:
        'Whether the client signs users in on devices without a browser, such as televisions and command lines (RFC 8628). Default: false.',
      example: false,
    },
    { initial: false, inEvents: 'value' },
  ),
  backchannel_logout_uri: settable(
    z.nullable(text(500)),
    docs && {
      description:
        'Where the client is informed of ended sessions: an `https` address, or null. Local mode also accepts `http` to a loopback address. Default: null.',
      example: `${exampleProductUrl}/backchannel-logout`,
    },
    { initial: null, inEvents: 'value' },
  ),
  access_token_lifetime: settable(
    tokenLifetime,
    docs && 'Seconds that access tokens are valid: 60 to 3,600. Default: 600.',
    { initial: 600, inEvents: 'value' },
  ),
  id_token_lifetime: settable(
    tokenLifetime,
    docs && 'Seconds that ID tokens are valid: 60 to 3,600. Default: 600.',
    { initial: 600, inEvents: 'value' },
  ),
  refresh_token_lifetime: settable(
    refreshTokenLifetime,
    docs &&
      'Seconds after the sign-in that refresh tokens are valid, however often they are used: 60 to 2,592,000. They end with the session in any case, so also after the lifetime of sessions (`sessionLifetimes`). Default: 1,209,600.',
    { initial: 1_209_600, inEvents: 'value' },
  ),
  refresh_token_idle_lifetime: settable(
    refreshTokenIdleLifetime,
    docs &&
      'Seconds that refresh tokens are valid without a use: 7,200 to 2,592,000. Each use starts this time anew, with a precision of a 24th of it, and none lengthens `refresh_token_lifetime`. Default: 604,800.',
    { initial: 604_800, inEvents: 'value' },
  ),
  has_client_secret: field(
    z.readonly(flag),
    docs &&
      'Whether the client has a secret. A confidential client without a secret and without keys lost it, such as by a report as leaked: renew its secret.',
  ),
  client_secrets: field(
    z.readonly(z.array(OIDCClientSecretState)),
    docs && `The secrets that work now: at most ${secretsPerHolder}, the newest first.`,
  ),
  used_networks: field(
    z.readonly(z.array(UsedNetwork)),
    docs &&
      `The networks from which a confidential client proved itself, newest day first: up to ${tokenNetworksPerDay} of a day, and those of the last ${tokenNetworkDays} days. A client that runs in many networks has fewer days.`,
  ),
  created_at: field(z.readonly(dateTime), docs && 'When the client was registered: ISO 8601, UTC.'),
}

export const longestChosenId = 50
export const chosenIdForm = new RegExp(`^[a-z][a-z0-9-]{0,${longestChosenId - 1}}$`)
export const chosenIdRule = `must begin with a letter, and have up to ${longestChosenId} lower-case letters, digits and hyphens`

/** Whether an identifier has the form of those that people choose: of clients, and keys of configuration documents. */
export const isChosenId = (id: string): boolean => chosenIdForm.test(id)

/** The values of a new client. */
export const newClient = listInitials(clientFields)

const exampleGiven = docs && {
  name: 'Shop',
  redirect_uris: [`${exampleProductUrl}/callback`],
}

const exampleClient = docs && {
  id: exampleIds.client,
  client_id: exampleClientId,
  ...newClient,
  type: 'confidential' as const,
  machine_permissions: null,
  machine_groups: [],
  public_keys: [],
  ...exampleGiven,
  post_logout_redirect_uris: [`${exampleProductUrl}/`],
  scopes: ['openid' as const, 'profile' as const, 'email' as const],
  apis: [exampleApi],
  permissions: ['films:view'],
  has_client_secret: true,
  client_secrets: [exampleSecretState],
  used_networks: [exampleNetwork],
  created_at: exampleTimes.created,
}

export const OIDCClient = model(
  clientFields,
  docs && {
    description: 'A product that signs its users in by OpenID Connect. Its secret is never part of it.',
    example: exampleClient,
  },
)
export type OIDCClient = z.output<typeof OIDCClient>

const clientSecretDescription =
  docs &&
  'The secret of the client, with the prefix `lko_`. Shown once: store it in a secret store now. The service stores only a hash of it.'

/** A new client. The secret is null for public clients, and for those with keys. */
export const OIDCClientWithSecret = model(
  {
    ...clientFields,
    client_secret: field(
      z.nullable(nonEmptyText),
      docs &&
        `${clientSecretDescription} Null for public clients and for clients with keys, which have none.`,
    ),
  },
  docs && {
    description: 'A new client with its secret. No other response contains the secret.',
    example: { ...exampleClient, client_secret: exampleCredentials.clientSecret },
  },
)
export type OIDCClientWithSecret = z.output<typeof OIDCClientWithSecret>

export const OIDCClientUpdate = changes(
  clientFields,
  docs && { description: 'A new client. Omitted fields get their defaults.', example: exampleGiven },
  ['name', 'redirect_uris'],
)
export type OIDCClientUpdate = z.output<typeof OIDCClientUpdate>

export const OIDCClientPartialUpdate = changes(
  clientFields,
  docs && {
    description: 'Changes of a client. Omitted fields keep their values.',
    example: { access_token_lifetime: 900 },
  },
)
export type OIDCClientPartialUpdate = z.output<typeof OIDCClientPartialUpdate>

export const OIDCClientSecret = model(
  { client_secret: field(nonEmptyText, docs && clientSecretDescription) },
  docs && {
    description: 'The new secret of a client.',
    example: { client_secret: exampleCredentials.clientSecret },
  },
)
export type OIDCClientSecret = z.output<typeof OIDCClientSecret>

/** A secret of a client lives on for as long as its product may take to use the new one. */
const longestOverlap = 30 * 86_400

export const OIDCClientSecretRenewal = model(
  {
    keep_previous_for: field(
      z.optional(seconds(0, longestOverlap)),
      docs &&
        'Seconds that the newest secret before keeps working next to the new one: 0 to 2,592,000. Older ones keep the time that they have. Default: 0, so that all others stop at once.',
    ),
  },
  docs && {
    description: 'How a secret is replaced. The body can be empty.',
    example: { keep_previous_for: 86_400 },
  },
)
export type OIDCClientSecretRenewal = z.output<typeof OIDCClientSecretRenewal>

const exampleClaim = docs && { name: 'email', value: '"ada@example.com"' }

/** A claim that a product would get about a user. */
export const OIDCClaim = model(
  {
    name: field(nonEmptyText, docs && 'The name of the claim.'),
    value: field(nonEmptyText, docs && 'Its value, as JSON.'),
  },
  docs && { description: 'A claim about the current user.', example: exampleClaim },
)

export const OIDCSignInTrialRequest = model(
  {
    audience: field(
      z.optional(z.nullable(text255)),
      docs &&
        'The audience of an API that the client can ask for. Null or omitted: the access token is for userinfo.',
    ),
  },
  docs && {
    description: 'What a trial of a sign-in asks for.',
    example: { audience: exampleApi.audience },
  },
)

const claimList = z.array(OIDCClaim)

/** What came of a trial. */
export const OIDCSignInTrial = model(
  {
    outcome: field(
      z.enum(['tokens', 'sign_in', 'refused']),
      docs &&
        '`tokens`: the product would get these tokens. `sign_in`: the user would have to sign in again first. `refused`: the product would get the error.',
    ),
    error: field(
      z.nullable(nonEmptyText),
      docs && 'The error (RFC 6749 4.1.2.1 and 5.2), if it was refused.',
    ),
    error_description: field(z.nullable(nonEmptyText), docs && 'The error in words, if it was refused.'),
    id_token: field(claimList, docs && 'The claims of the ID token. Empty without tokens.'),
    access_token: field(claimList, docs && 'The claims of the access token. Empty without tokens.'),
    userinfo: field(claimList, docs && 'What userinfo states. Empty without tokens.'),
    introspection: field(
      claimList,
      docs &&
        'The claims of `update_user_attributes` that introspection adds, if the client asks about the access token. Empty without an API, and for public clients.',
    ),
  },
  docs && {
    description: 'What a product would get if the current user signed in to it now.',
    example: {
      outcome: 'tokens' as const,
      error: null,
      error_description: null,
      id_token: [exampleClaim],
      access_token: [exampleClaim],
      userinfo: [exampleClaim],
      introspection: [],
    },
  },
)
export type OIDCSignInTrial = z.output<typeof OIDCSignInTrial>

const exampleConnectedScope = docs && { name: 'films.read', texts: { en: 'Read films' } }

/** A scope as the user of a client sees it. */
export const ConnectedAppScope = model(
  {
    name: field(text255, docs && 'The name of the scope.'),
    texts: field(APITexts, docs && 'What the scope allows.'),
  },
  docs && { description: 'A scope of an API that a client got.', example: exampleConnectedScope },
)
export type ConnectedAppScope = z.output<typeof ConnectedAppScope>

const exampleConnectedApi = docs && {
  name: 'Films',
  audience: exampleApi.audience,
  scopes: [exampleConnectedScope],
}

/** An API as the user of a client sees it. */
export const ConnectedAppAPI = model(
  {
    name: field(text255, docs && 'The name of the API.'),
    audience: field(
      text255,
      docs && { description: 'The name of the API in tokens.', example: exampleApi.audience },
    ),
    scopes: field(z.array(ConnectedAppScope), docs && 'What the client got of it, with texts for people.'),
  },
  docs && { description: 'An API that a client can use as a user.', example: exampleConnectedApi },
)
export type ConnectedAppAPI = z.output<typeof ConnectedAppAPI>

/** An OpenID Connect client, as a user of it sees it. */
export const ConnectedApp = model(
  {
    id: field(id, docs && 'The ID of the client in this API.'),
    name: field(text255, docs && 'The name of the client.'),
    scopes: field(
      scopes,
      docs && 'What the client may read about the user, and whether it may do so later (`offline_access`).',
    ),
    apis: field(
      z.array(ConnectedAppAPI),
      docs && 'The APIs that the client can request access tokens of the user for.',
    ),
    connected_at: field(
      dateTime,
      docs &&
        'When the user first signed in at the client, in a session that is still active: ISO 8601, UTC.',
    ),
    last_used_at: field(
      dateTime,
      docs &&
        'When the user last signed in at the client, or it renewed its tokens: ISO 8601, UTC, with a precision of a day.',
    ),
  },
  docs && {
    description: 'An OpenID Connect client that a user signed in at, and that can get tokens about them.',
    example: {
      id: exampleIds.client,
      name: 'Shop',
      scopes: ['openid', 'profile', 'email'],
      apis: [exampleConnectedApi],
      connected_at: exampleTimes.created,
      last_used_at: exampleTimes.signedIn,
    },
  },
)
export type ConnectedApp = z.output<typeof ConnectedApp>
