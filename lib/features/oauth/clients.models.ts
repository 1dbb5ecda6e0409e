import * as z from 'zod/mini'
import { describeModel } from '../../kernel/contract/describe.ts'
import { nameRules } from '../../kernel/contract/descriptions/common-texts.ts'
import {
  clientPermissions,
  dateTime,
  flag,
  id,
  nonEmptyText,
  nullableDateTime,
  readOnlyText,
  text,
  text255,
} from '../../kernel/contract/fields.ts'
import { externalSourceForm, externalSourceRule } from '../../kernel/contract/text-rules.ts'
import { oidcClientKeysMax } from '../../kernel/limits/limits.ts'
import {
  exampleClientId,
  exampleCredentials,
  exampleIds,
  exampleProductUrl,
  exampleTimes,
} from '../example-values.models.ts'
import { APITexts } from './protected-apis.models.ts'

/** The scopes of OpenID Connect that clients can request. */
export const oidcScopes = [
  'openid',
  'profile',
  'email',
  'groups',
  'permissions',
  'attributes',
  'offline_access',
] as const
export type OidcScope = (typeof oidcScopes)[number]

/** A client is read with each request of its product, so it stays small. */
const uris = z.array(text(500)).check(z.maxLength(20))
const scopes = z.array(z.enum(oidcScopes)).check(z.maxLength(oidcScopes.length))
const backchannelLogoutUri = z.nullable(text(500))
const clientType = z.enum(['confidential', 'public'])
const seconds = (minimum: number, maximum: number) => z.int().check(z.minimum(minimum), z.maximum(maximum))
/** Signed tokens live an hour at most. */
const tokenLifetime = seconds(60, 3600)
/** A refresh token ends with its session, and no session lives longer. */
const refreshTokenLifetime = seconds(60, 30 * 86_400)

/** An API that a client may ask for. */
export const OIDCClientAPI = z.strictObject({
  audience: text255,
  scopes: z.array(text(100)).check(z.maxLength(30)),
})
export type OIDCClientAPI = z.output<typeof OIDCClientAPI>

const exampleApi = { audience: `${exampleProductUrl}/api`, scopes: ['films.read'] }

describeModel(OIDCClientAPI, () => ({
  description: 'An API that a client can request access tokens for.',
  fields: {
    audience: {
      description: 'The audience of a registered API: see `get_all_protected_apis`.',
      example: exampleApi.audience,
    },
    scopes: {
      description: 'The scopes of the API that the client can request.',
      example: exampleApi.scopes,
    },
  },
  example: exampleApi,
}))

const keyPart = z.optional(text(1000))

/** A public key of a client (RFC 7517). It has no private parts, which are unknown fields. */
export const OIDCClientKey = z.strictObject({
  kty: z.enum(['RSA', 'EC', 'OKP']),
  kid: z.optional(text(100)),
  alg: z.optional(text(20)),
  use: z.optional(text(20)),
  n: keyPart,
  e: keyPart,
  crv: keyPart,
  x: keyPart,
  y: keyPart,
})
export type OIDCClientKey = z.output<typeof OIDCClientKey>

const exampleKey = {
  kty: 'EC' as const,
  kid: '2026-01',
  alg: 'ES256',
  crv: 'P-256',
  x: 'MKBCTNIcKUSDii11ySs3526iDZ8AiTo7Tu6KPAqv7D4',
  y: '4Etl6SRW2YiLUrN5vfvVHuhp7x8PxltmWWlbbM4IFyM',
}

describeModel(OIDCClientKey, () => ({
  description: 'A public key of a client as a JWK (RFC 7517): RSA of 2,048 to 4,096 bits, P-256 or Ed25519.',
  fields: {
    kty: 'The kind of the key.',
    kid: 'The name of the key, which assertions can state.',
    alg: 'The only algorithm of the key: `RS256`, `PS256`, `ES256` or `EdDSA`.',
    use: { description: 'What the key is for.', example: 'sig' },
    n: { description: 'The modulus of an RSA key.', example: 'sXchDaQebHnPiGvyDOAT4saGEUetSyo9…' },
    e: { description: 'The exponent of an RSA key.', example: 'AQAB' },
    crv: 'The curve of another key.',
    x: 'A coordinate of another key.',
    y: 'The other coordinate of an EC key.',
  },
  example: exampleKey,
}))

const publicKeys = z.array(OIDCClientKey).check(z.maxLength(oidcClientKeysMax))

const apis = z.array(OIDCClientAPI).check(z.maxLength(20))

const machineGroups = z.array(id).check(z.maxLength(20))

const subjectSource = z.string().check(z.regex(externalSourceForm, externalSourceRule))

const settable = {
  name: text255,
  redirect_uris: uris,
  post_logout_redirect_uris: uris,
  scopes,
  apis,
  permissions: clientPermissions,
  machine_permissions: z.nullable(clientPermissions),
  machine_groups: machineGroups,
  public_keys: publicKeys,
  requires_pkce: flag,
  requires_par: flag,
  requires_dpop: flag,
  subject_source: z.nullable(subjectSource),
  device_authorization: flag,
  backchannel_logout_uri: backchannelLogoutUri,
  access_token_lifetime: tokenLifetime,
  id_token_lifetime: tokenLifetime,
  refresh_token_lifetime: refreshTokenLifetime,
}

/** A secret as its client lists it. */
export const OIDCClientSecretState = z.strictObject({
  id,
  created_at: dateTime,
  expires: nullableDateTime,
  last_used: nullableDateTime,
})
export type OIDCClientSecretState = z.output<typeof OIDCClientSecretState>

const exampleSecretState = { id: 1, created_at: exampleTimes.created, expires: null, last_used: null }

describeModel(OIDCClientSecretState, () => ({
  description: 'A secret of an OpenID Connect client, without its value.',
  fields: {
    id: 'The ID of the secret. It is unique among the secrets of one client.',
    created_at: 'When the secret was created: ISO 8601, UTC.',
    expires: 'When the secret stops working: ISO 8601, UTC. Null for the newest one, which does not end.',
    last_used:
      'The start of the latest day in UTC on which the client used the secret: ISO 8601. Null if it was not used after the day it was created.',
  },
  example: exampleSecretState,
}))

const fields = {
  id,
  client_id: readOnlyText,
  type: clientType,
  ...settable,
  has_client_secret: z.readonly(flag),
  client_secrets: z.readonly(z.array(OIDCClientSecretState)),
  created_at: z.readonly(dateTime),
}

export const OIDCClient = z.strictObject(fields)
export type OIDCClient = z.output<typeof OIDCClient>

const uriRulesDescription =
  'Each has at most 500 characters, no fragment and no wildcard. It must be `https`, or `http` to a loopback address. Public clients can also use a scheme of a native app, such as `com.example.app:/callback`.'

const settableDescriptions = {
  name: `The name of the client. ${nameRules}`,
  type: {
    description:
      'Whether the client can keep a secret. `confidential`: a server. `public`: a page or a native app. It cannot be changed. Default: `confidential`.',
    example: 'confidential',
  },
  redirect_uris: {
    description: `Where a sign-in can return to: 1 to 20 addresses, or none if the client only gets tokens for itself or for devices. A request must name one of them exactly. Only the port of 127.0.0.1 and [::1] is free for public clients. ${uriRulesDescription}`,
    example: [`${exampleProductUrl}/callback`],
  },
  post_logout_redirect_uris: {
    description: `Where a sign-out can return to: up to 20 addresses. A request must name one of them exactly. ${uriRulesDescription} Default: empty.`,
    example: [`${exampleProductUrl}/`],
  },
  scopes:
    'The scopes that the client can request. `openid` is required. Default: `openid`, `profile` and `email`.',
  apis: {
    description:
      'The APIs that the client can request access tokens for, with the scopes of each: up to 20. Access tokens for them can also be introspected by the client. Default: empty, so that access tokens only open userinfo.',
    example: [exampleApi],
  },
  permissions: {
    description:
      'The permissions that the client may see of its users: up to 100, of the form `word:word` or `word:word:word`. ID tokens and userinfo state them for the scope `permissions` alone, and access tokens only those of their API. Default: empty.',
    example: ['films:view'],
  },
  machine_permissions: {
    description:
      'The permissions of the access tokens that the client gets for itself, without a user (`client_credentials`, RFC 6749 4.4): up to 100, or null if it gets none. A token states those of its API. Only for confidential clients with an API. `system:admin-access` is refused. Default: null.',
    example: null,
  },
  machine_groups: {
    description:
      'The IDs of groups whose permissions these tokens have too: up to 20. A change of a group takes effect at once. Empty for a client that gets no tokens for itself. Default: empty.',
    example: [],
  },
  public_keys: {
    description:
      'The keys by which a confidential client proves who it is (`private_key_jwt`, RFC 7523): up to 5. A new client with keys gets no secret. Default: empty.',
    example: [],
  },
  requires_pkce: {
    description:
      'Whether authorizations need PKCE (RFC 7636). Only a confidential client can do without it, such as one of a load balancer that does not know it. Its authorizations then need a `nonce`. Default: true.',
    example: true,
  },
  requires_par: {
    description:
      'Whether the client has to send the parameters of its authorizations itself, by `push_authorization_request` (RFC 9126). An authorization whose parameters come through the browser is then refused. Default: false.',
    example: false,
  },
  requires_dpop: {
    description:
      'Whether the tokens of the client have to be bound to a key (DPoP, RFC 9449). A stolen one is then worth nothing. Default: false.',
    example: false,
  },
  subject_source: {
    description:
      'The source of an import. Users whom it brought have their `external_id` as `sub` in all tokens, at userinfo and at introspection, and others `latchkey:` and their ID. Access tokens and introspection also have the ID of this service, as `user_id`. Logout tokens only name the session. Null for the IDs of this service. Default: null.',
    example: null,
  },
  device_authorization: {
    description:
      'Whether the client signs users in on devices without a browser, such as televisions and command lines (RFC 8628). Default: false.',
    example: false,
  },
  backchannel_logout_uri: {
    description:
      'Where the client is informed of ended sessions: an `https` address, or null. Local mode also accepts `http` to a loopback address. Default: null.',
    example: `${exampleProductUrl}/backchannel-logout`,
  },
  access_token_lifetime: 'Seconds that access tokens are valid: 60 to 3,600. Default: 600.',
  id_token_lifetime: 'Seconds that ID tokens are valid: 60 to 3,600. Default: 600.',
  refresh_token_lifetime:
    'Seconds after the sign-in that refresh tokens are valid: 60 to 2,592,000. They end with the session in any case. Default: 1,209,600.',
}

const clientDescriptions = {
  ...settableDescriptions,
  id: 'The ID of the client in this API.',
  client_id: {
    description: 'The identifier of the client in the protocol. It is not secret, and never changes.',
    example: exampleClientId,
  },
  has_client_secret:
    'Whether the client has a secret. A confidential client without a secret and without keys lost it, such as by a report as leaked: renew its secret.',
  client_secrets: 'The secrets that work now: at most two, the newest first.',
  created_at: 'When the client was registered: ISO 8601, UTC.',
}

const exampleGiven = {
  name: 'Shop',
  redirect_uris: [`${exampleProductUrl}/callback`],
}

const exampleClient = {
  id: exampleIds.oidcClient,
  client_id: exampleClientId,
  type: 'confidential' as const,
  ...exampleGiven,
  post_logout_redirect_uris: [`${exampleProductUrl}/`],
  scopes: ['openid' as const, 'profile' as const, 'email' as const],
  apis: [exampleApi],
  permissions: ['films:view'],
  machine_permissions: null,
  machine_groups: [],
  public_keys: [],
  requires_pkce: true,
  requires_par: false,
  requires_dpop: false,
  subject_source: null,
  device_authorization: false,
  backchannel_logout_uri: null,
  access_token_lifetime: 600,
  id_token_lifetime: 600,
  refresh_token_lifetime: 1_209_600,
  has_client_secret: true,
  client_secrets: [exampleSecretState],
  created_at: exampleTimes.created,
}

describeModel(OIDCClient, () => ({
  description: 'A product that signs its users in by OpenID Connect. Its secret is never part of it.',
  fields: clientDescriptions,
  example: exampleClient,
}))

/** A new client. The secret is null for public clients, and for those with keys. */
export const OIDCClientWithSecret = z.strictObject({ ...fields, client_secret: z.nullable(nonEmptyText) })
export type OIDCClientWithSecret = z.output<typeof OIDCClientWithSecret>

const clientSecretDescription =
  'The secret of the client, with the prefix `lko_`. Shown once: store it in a secret store now. The service stores only a hash of it.'

describeModel(OIDCClientWithSecret, () => ({
  description: 'A new client with its secret. No other response contains the secret.',
  fields: {
    ...clientDescriptions,
    client_secret: `${clientSecretDescription} Null for public clients and for clients with keys, which have none.`,
  },
  example: { ...exampleClient, client_secret: exampleCredentials.oidcClientSecret },
}))

const changes = {
  type: z.optional(clientType),
  post_logout_redirect_uris: z.optional(uris),
  scopes: z.optional(scopes),
  apis: z.optional(apis),
  permissions: z.optional(clientPermissions),
  machine_permissions: z.optional(z.nullable(clientPermissions)),
  machine_groups: z.optional(machineGroups),
  public_keys: z.optional(publicKeys),
  requires_pkce: z.optional(flag),
  requires_par: z.optional(flag),
  requires_dpop: z.optional(flag),
  subject_source: z.optional(z.nullable(subjectSource)),
  device_authorization: z.optional(flag),
  backchannel_logout_uri: z.optional(backchannelLogoutUri),
  access_token_lifetime: z.optional(tokenLifetime),
  id_token_lifetime: z.optional(tokenLifetime),
  refresh_token_lifetime: z.optional(refreshTokenLifetime),
}

export const OIDCClientUpdate = z.strictObject({ ...changes, name: text255, redirect_uris: uris })
export type OIDCClientUpdate = z.output<typeof OIDCClientUpdate>

describeModel(OIDCClientUpdate, () => ({
  description: 'A new client. Omitted fields get their defaults.',
  fields: settableDescriptions,
  example: exampleGiven,
}))

export const OIDCClientPartialUpdate = z.strictObject({
  ...changes,
  name: z.optional(text255),
  redirect_uris: z.optional(uris),
})
export type OIDCClientPartialUpdate = z.output<typeof OIDCClientPartialUpdate>

describeModel(OIDCClientPartialUpdate, () => ({
  description: 'Changes of a client. Omitted fields keep their values.',
  fields: settableDescriptions,
  example: { access_token_lifetime: 900 },
}))

export const OIDCClientSecret = z.strictObject({ client_secret: nonEmptyText })
export type OIDCClientSecret = z.output<typeof OIDCClientSecret>

describeModel(OIDCClientSecret, () => ({
  description: 'The new secret of a client.',
  fields: { client_secret: clientSecretDescription },
  example: { client_secret: exampleCredentials.oidcClientSecret },
}))

/** A secret of a client lives on for as long as its product may take to use the new one. */
const longestOverlap = 30 * 86_400

export const OIDCClientSecretRenewal = z.strictObject({
  keep_previous_for: z.optional(seconds(0, longestOverlap)),
})
export type OIDCClientSecretRenewal = z.output<typeof OIDCClientSecretRenewal>

describeModel(OIDCClientSecretRenewal, () => ({
  description: 'How a secret is replaced. The body can be empty.',
  fields: {
    keep_previous_for:
      'Seconds that the newest secret before keeps working beside the new one: 0 to 2,592,000. Default: 0, so that it stops at once.',
  },
  example: { keep_previous_for: 86_400 },
}))

/** A scope as the user of a client sees it. */
export const ConnectedAppScope = z.strictObject({ name: text255, texts: APITexts })
export type ConnectedAppScope = z.output<typeof ConnectedAppScope>

const exampleConnectedScope = { name: 'films.read', texts: { en: 'Read films' } }

describeModel(ConnectedAppScope, () => ({
  description: 'A scope of an API that a client got.',
  fields: { name: 'The name of the scope.', texts: 'What the scope allows.' },
  example: exampleConnectedScope,
}))

/** An API as the user of a client sees it. */
export const ConnectedAppAPI = z.strictObject({
  name: text255,
  audience: text255,
  scopes: z.array(ConnectedAppScope),
})
export type ConnectedAppAPI = z.output<typeof ConnectedAppAPI>

const exampleConnectedApi = {
  name: 'Films',
  audience: exampleApi.audience,
  scopes: [exampleConnectedScope],
}

describeModel(ConnectedAppAPI, () => ({
  description: 'An API that a client can use as a user.',
  fields: {
    name: 'The name of the API.',
    audience: { description: 'The name of the API in tokens.', example: exampleApi.audience },
    scopes: 'What the client got of it, with texts for people.',
  },
  example: exampleConnectedApi,
}))

/** An OpenID Connect client, as a user of it sees it. */
export const ConnectedApp = z.strictObject({
  id,
  name: text255,
  scopes,
  apis: z.array(ConnectedAppAPI),
  connected_at: dateTime,
  last_used_at: dateTime,
})
export type ConnectedApp = z.output<typeof ConnectedApp>

describeModel(ConnectedApp, () => ({
  description: 'An OpenID Connect client that a user signed in at, and that can get tokens about them.',
  fields: {
    id: 'The ID of the client in this API.',
    name: 'The name of the client.',
    scopes: 'What the client may read about the user, and whether it may do so later (`offline_access`).',
    apis: 'The APIs that the client can request access tokens of the user for.',
    connected_at:
      'When the user first signed in at the client, in a session that is still active: ISO 8601, UTC.',
    last_used_at:
      'When the user last signed in at the client, or it renewed its tokens: ISO 8601, UTC, with a precision of a day.',
  },
  example: {
    id: exampleIds.oidcClient,
    name: 'Shop',
    scopes: ['openid' as const, 'profile' as const, 'email' as const],
    apis: [exampleConnectedApi],
    connected_at: exampleTimes.created,
    last_used_at: exampleTimes.signedIn,
  },
}))
