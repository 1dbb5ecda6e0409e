import * as z from 'zod/mini'
import { exampleIds, exampleUrl } from '../../../accounts/example-values.models.ts'
import { assignedId } from '../../../kernel/contract/descriptions/common-texts.ts'
import {
  anyText,
  flag,
  id,
  nonEmptyText,
  readOnlyText,
  readOnlyTexts,
  text,
  text255,
} from '../../../kernel/contract/fields.ts'
import { changes, field, model, openModel, settable, sharedFields } from '../../../kernel/contract/model.ts'
import { authMethods, firstSignIns, publicProviders } from '../public-providers.models.ts'
import { connectionRules, connectionSettings } from '../rules.models.ts'

const appleId = z.nullable(text(10))

// Only administrators see these connections.
const seenBy = ['service'] as const
const rights = { by: ['service', 'configuration'], seenBy } as const
const shown = { ...rights, inEvents: 'value' } as const

export const oidcFields = sharedFields({
  id: field(
    id,
    docs && `The ID of the connection. ${assignedId} SAML providers have IDs of the same sequence.`,
    { seenBy },
  ),
  name: settable(
    connectionSettings.name.schema,
    docs &&
      'The name of the connection, such as that of the organization. It has no control or invisible characters.',
    { ...connectionSettings.name, seenBy },
  ),
  disabled_in_client: settable(
    connectionSettings.disabled_in_client.schema,
    docs &&
      'Whether the sign-in page hides the connection. It is only a hint: signing in through it still works. Default: `false`.',
    { ...connectionSettings.disabled_in_client, seenBy },
  ),
  login_url: field(
    readOnlyText,
    docs && 'The URL that starts a sign-in. Open it in a browser, with the page to return to as `return_to`.',
    { seenBy },
  ),
  redirect_uri: field(
    readOnlyText,
    docs && 'The redirect URI of this service. Register it at the identity provider.',
    { seenBy },
  ),
  backchannel_logout_uri: field(
    readOnlyText,
    docs &&
      'Where the identity provider reports sign-outs (back-channel logout). Register it there, if it has a field for it.',
    { seenBy },
  ),
  apple_notifications_uri: field(
    z.readonly(z.nullable(anyText)),
    docs &&
      'Where Apple reports that a person withdrew their consent or deleted their account there. Register it there as the server-to-server notification endpoint of the identifier that "Sign in with Apple" is turned on for. Null for any other provider.',
    { seenBy },
  ),
  issuer: settable(
    nonEmptyText,
    docs &&
      'The issuer of the identity provider: an https URL on port 443 of a public address. Its discovery document must have exactly the same text. At Entra ID, it names one tenant by its ID. For `microsoft`, it is `https://login.microsoftonline.com/common/v2.0`, or that with `organizations` or `consumers` instead of `common`. For `github`, it is `https://github.com/login/oauth`, and for `apple`, `https://appleid.apple.com`.',
    { given: text(1023), ...shown },
  ),
  client_id: settable(nonEmptyText, docs && 'The ID of this service at the identity provider.', {
    given: text255,
    ...shown,
  }),
  client_secret: settable(
    nonEmptyText,
    docs &&
      'The secret of this service at the identity provider. Stored encrypted and never returned: responses contain `********`. Sending that, or omitting the field in a change, keeps the secret. A new connection needs it, except with `private_key_jwt`. For `apple`, it is the content of the .p8 file of the key: the service makes a new secret from it for each sign-in.',
    { given: text(1023), ...rights },
  ),
  token_endpoint_auth_method: settable(
    z.enum(authMethods),
    docs &&
      'How the service authenticates at the token endpoint. With `private_key_jwt`, it makes a key of its own, and `public_jwk` is what the identity provider needs. To change from it to a secret, send the secret. For `github` and `apple`, it is `client_secret_post`. Default: `client_secret_basic`.',
    shown,
  ),
  public_jwk: field(
    z.readonly(z.nullable(anyText)),
    docs &&
      'The public key of the service for this connection, as the JSON text of a JWK (RFC 7517). Register it at the identity provider. Null unless the method is `private_key_jwt`.',
    { seenBy },
  ),
  scopes: settable(
    z.array(text(100)).check(z.minLength(1), z.maxLength(20)),
    docs &&
      'The scopes that the service asks for. `openid` must be one of them. GitHub is asked for `read:user` instead of `profile`, and for `user:email` instead of `email`. Apple is asked for `name` instead of `profile`. Default: `openid`, `email` and `profile`.',
    shown,
  ),
  hosted_domain: settable(
    z.nullable(text255),
    docs &&
      'The only Google Workspace domain whose accounts may sign in (claim `hd`), or null. Google requires it unless it is a public provider, because everyone can have an account there. Default: null.',
    shown,
  ),
  public_provider: settable(
    z.nullable(z.enum(publicProviders)),
    docs &&
      'The provider that everybody can have an account at, or null for the identity provider of a company. `google` is for all accounts of Google. `microsoft` is for personal accounts of Microsoft and those of work and school. `apple` is for all accounts of Apple. `github` is for all accounts of GitHub. `oidc` is any other provider of OpenID Connect. An account at such a provider is found by its identity, never by its address. One connection of a provider is possible. If it is deleted and created again, people keep their accounts. Only a new connection can set it. Default: null.',
    shown,
  ),
  first_sign_in: settable(
    z.nullable(z.enum(firstSignIns)),
    docs &&
      'What happens at the first sign-in of an account at a public provider. `ask`: the person decides whether to create an account here, or to connect the one that they have. `create`: an account is created. `refuse`: nobody gets a new account, and people can connect theirs. `invited`: like `refuse`, but someone with an open invitation accepts it, if the provider is the authority for the invited address. New accounts need the terms of the sign-up policy. Null for a company. Default: `ask`.',
    shown,
  ),
  apple_team_id: settable(
    appleId,
    docs &&
      'The ID of your developer team at Apple: 10 capital letters and digits. `apple` requires it. Apple names the same person in another way for another team, so people keep their accounts only with the same team. Null for any other provider. Default: null.',
    shown,
  ),
  apple_key_id: settable(
    appleId,
    docs &&
      'The ID of the key at Apple whose .p8 file is `client_secret`: 10 capital letters and digits. `apple` requires it. Null for any other provider. Default: null.',
    shown,
  ),
  apple_app_id: settable(
    z.nullable(text255),
    docs &&
      'The identifier of the type `App ID` at Apple that the Services ID of `client_id` is grouped with, such as `com.example.app`. Apple can name it instead of `client_id` in its notifications, which are refused without it. Null for any other provider. Default: null.',
    shown,
  ),
  auto_create_users: settable(
    connectionSettings.auto_create_users.schema,
    docs &&
      'Whether the first sign-in of an unknown account creates a user. Otherwise it is refused. Default: `false`.',
    { ...connectionSettings.auto_create_users, seenBy },
  ),
  auto_create_groups: settable(
    connectionSettings.auto_create_groups.schema,
    docs &&
      'Whether groups that `allowed_groups` allows and that do not exist are created, without permissions. Default: `false`.',
    { ...connectionSettings.auto_create_groups, seenBy },
  ),
  auto_sync_groups: settable(
    connectionSettings.auto_sync_groups.schema,
    docs &&
      'Whether each sign-in makes the group memberships that came from this connection equal to the claim, within `allowed_groups`. Default: `false`.',
    { ...connectionSettings.auto_sync_groups, seenBy },
  ),
  ...connectionRules,
  allowed_groups: settable(
    connectionSettings.allowed_groups.schema,
    docs &&
      'The groups that the connection may add users to: names, or prefixes that end with `*`. A group with permissions needs its exact name. Null or an empty list allows none. Default: null.',
    { ...connectionSettings.allowed_groups, seenBy },
  ),
  user_template: settable(
    connectionSettings.user_template.schema,
    docs &&
      'The ID of the user template for users that this connection creates. Null to create them without permissions and groups. Default: null.',
    { ...connectionSettings.user_template, seenBy },
  ),
  domains: field(readOnlyTexts, docs && 'Its email domains, proven or not: see `get_connection_domains`.', {
    seenBy,
  }),
  awaits_approval: field(
    z.readonly(flag),
    docs &&
      'Whether an organization brought it and finished it, and nobody can sign in with it before `approve_connection`.',
    { seenBy },
  ),
})

const exampleServiceUrl = docs && `${exampleUrl}/api/2/auth/oidc-connections/${exampleIds.oidcConnection}`

const exampleSettings = docs && {
  name: 'Example Org',
  issuer: 'https://login.microsoftonline.com/6f2c1a0e-3d5b-4f7a-8e9c-0a1b2c3d4e5f/v2.0',
  client_id: '0b6f7c1d-2e3a-4b5c-9d8e-7f6a5b4c3d2e',
  auto_create_users: true,
  user_template: exampleIds.userTemplate,
}

export const OIDCConnection = model(
  oidcFields,
  docs && {
    description:
      'An identity provider of an organization, which signs its users in over OpenID Connect. Only administrators see it.',
    example: {
      ...exampleSettings,
      id: exampleIds.oidcConnection,
      disabled_in_client: false,
      login_url: `${exampleServiceUrl}/start`,
      redirect_uri: `${exampleServiceUrl}/callback`,
      backchannel_logout_uri: `${exampleServiceUrl}/backchannel-logout`,
      apple_notifications_uri: null,
      client_secret: '********',
      token_endpoint_auth_method: 'client_secret_basic' as const,
      public_jwk: null,
      scopes: ['openid', 'email', 'profile'],
      hosted_domain: null,
      public_provider: null,
      first_sign_in: null,
      apple_team_id: null,
      apple_key_id: null,
      apple_app_id: null,
      auto_create_groups: false,
      auto_sync_groups: false,
      attribute_mapping: {
        username_from: null,
        email_from: null,
        full_name_from: null,
        groups_from: 'roles',
      },
      required_for_domains: false,
      exempt_users: [],
      organization_id: null,
      default_organization_roles: null,
      required_authn_contexts: [],
      multi_factor_authn_contexts: ['mfa'],
      allowed_groups: null,
      domains: ['example.com'],
      awaits_approval: false,
    },
  },
)
export type OIDCConnection = z.output<typeof OIDCConnection>

export const OIDCConnectionCreate = changes(
  oidcFields,
  docs && {
    description: 'A new OpenID Connect connection. Omitted fields get their defaults.',
    example: { ...exampleSettings, client_secret: 'ThisIsAnExampleClientSecret' },
  },
  ['name', 'issuer', 'client_id'],
)
export type OIDCConnectionCreate = z.output<typeof OIDCConnectionCreate>

export const OIDCConnectionPartialUpdate = changes(
  oidcFields,
  docs && {
    description: 'Changes of an OpenID Connect connection. Omitted fields keep their values.',
    example: { disabled_in_client: true },
  },
)
export type OIDCConnectionPartialUpdate = z.output<typeof OIDCConnectionPartialUpdate>

/** RFC 6749 4.1.2 and RFC 9207. Some identity providers add parameters, which are ignored. */
const answerFields = {
  code: field(z.optional(anyText), docs && 'The code that the service exchanges for an ID token.'),
  state: field(
    z.optional(anyText),
    docs && 'The value that the service sent with its request. It names the sign-in.',
  ),
  iss: field(z.optional(anyText), docs && 'The issuer of the answer (RFC 9207).'),
  error: field(z.optional(anyText), docs && 'Why the identity provider did not sign the user in.'),
}

export const OIDCAnswerQuery = openModel(
  answerFields,
  docs && {
    description:
      'The parameters by which a browser brings the answer of an identity provider (RFC 6749 4.1.2). Other parameters are ignored.',
    example: { code: 'ThisIsAnExampleCode', state: 'ThisIsAnExampleState' },
  },
)
export type OIDCAnswerQuery = z.output<typeof OIDCAnswerQuery>

/** OAuth 2.0 Form Post Response Mode, with what Apple adds. */
export const OIDCAnswerForm = openModel(
  {
    ...answerFields,
    user: field(
      z.optional(text(4096)),
      docs &&
        'What Apple says about a person at their first sign-in, as JSON. Only the name counts, and only for a new account.',
    ),
  },
  docs && {
    description:
      'The form by which a browser brings the answer of an identity provider (OAuth 2.0 Form Post Response Mode). Other fields are ignored.',
    example: {
      code: 'ThisIsAnExampleCode',
      state: 'ThisIsAnExampleState',
      user: '{"name":{"firstName":"Grace","lastName":"Hopper"},"email":"grace@example.com"}',
    },
  },
)
export type OIDCAnswerForm = z.output<typeof OIDCAnswerForm>

/** "Processing changes for Sign in with Apple accounts" at developer.apple.com */
export const AppleNotification = openModel(
  {
    payload: field(
      text(8192),
      docs && 'A JWT, signed with a key of Apple. Its claim `events` is a text with JSON.',
    ),
  },
  docs && {
    description: 'What Apple sends when something changes about an account there. Other fields are ignored.',
    example: { payload: 'ThisIsAnExampleNotification' },
  },
)
export type AppleNotification = z.output<typeof AppleNotification>

/** OpenID Connect Back-Channel Logout 2.5 */
export const UpstreamLogoutRequest = openModel(
  {
    logout_token: field(text(8192), docs && 'A JWT, signed with a key of the identity provider.'),
  },
  docs && {
    description:
      'The form by which an identity provider signs out users (OpenID Connect Back-Channel Logout 2.5). Other fields are ignored.',
    example: { logout_token: 'ThisIsAnExampleLogoutToken' },
  },
)
export type UpstreamLogoutRequest = z.output<typeof UpstreamLogoutRequest>
