import * as z from 'zod/mini'
import {
  exampleClientId,
  exampleCredentials,
  exampleIds,
  exampleProductUrl,
  exampleUrl,
  exampleUserMini,
} from '../../accounts/example-values.models.ts'
import { attributeValue } from '../../accounts/users/attributes.models.ts'
import { describeModel } from '../../kernel/contract/describe.ts'
import { anyText, flag, id, integer, nonEmptyText, texts } from '../../kernel/contract/fields.ts'
import { extensibleModel, field, model, openModel } from '../../kernel/contract/model.ts'
import { clientAssertionFields } from './field-texts.models.ts'

// Requests and responses of OAuth endpoints. Servers ignore fields that they do not know (RFC 6749 3.1).

const maybeText = z.optional(anyText)

export const UserinfoRequest = openModel(
  {
    access_token: field(maybeText, docs && 'The access token. Do not send it in the header as well.'),
  },
  docs && {
    description: 'The access token, if it is not in the header. Other fields are ignored.',
    example: { access_token: exampleCredentials.jwt },
  },
)
export type UserinfoRequest = z.output<typeof UserinfoRequest>

const exampleActor = docs && { sub: String(exampleIds.administrator) }

/** The administrator who impersonates the user (RFC 8693 4.1). */
export const TokenActor = model(
  {
    sub: field(
      nonEmptyText,
      docs && 'The administrator, as the client knows its users: see `sub` of the user.',
    ),
    user_id: field(
      maybeText,
      docs && {
        description: 'The ID of the administrator as a text. Missing if it is `sub`, and at userinfo.',
        example: String(exampleIds.administrator),
      },
    ),
    preferred_username: field(
      maybeText,
      docs && {
        description: 'The username of the administrator. Only tokens of `create_jwt` state it.',
        example: 'admin',
      },
    ),
  },
  docs && { description: 'An administrator who impersonates a user.', example: exampleActor },
)
export type TokenActor = z.output<typeof TokenActor>

const userDescriptions = docs && {
  sub: 'The ID of the user as a text. For a client with a `subject_source`, it is the ID in the other system, or `latchkey:` and the ID. It is the same in all tokens of a client.',
  groups: 'The names of the groups of the user.',
  permissions:
    'The effective permissions of the user: their own and those of their groups. Empty in an organization: see `org_permissions`.',
  act: 'The administrator who impersonates the user (RFC 8693). Missing otherwise.',
}

/** What tokens for an organization state. */
const organizationClaims = {
  org_id: field(
    maybeText,
    docs && {
      description:
        'The ID of the organization that the user acts in. Compare this one: slug and name can change. Missing without one.',
      example: String(exampleIds.organization),
    },
  ),
  org_slug: field(maybeText, docs && { description: 'The slug of the organization.', example: 'acme' }),
  org_name: field(
    maybeText,
    docs && { description: 'The name of the organization.', example: 'Acme Studios' },
  ),
  org_roles: field(
    z.optional(texts),
    docs && { description: 'The roles of the user in the organization, by their keys.', example: ['admin'] },
  ),
  org_permissions: field(
    z.optional(texts),
    docs && {
      description:
        'What these roles allow. They count in this organization alone: a user chooses the organization, and may have made it.',
      example: ['films:edit'],
    },
  ),
}

/** OpenID Connect Core 5.3.2. Which claims are present depends on the scopes. */
export const Userinfo = extensibleModel(
  {
    sub: field(nonEmptyText, docs && userDescriptions.sub),
    preferred_username: field(maybeText, docs && 'The username. It can change. Scope `profile`.'),
    name: field(maybeText, docs && 'The full name. Scope `profile`.'),
    locale: field(maybeText, docs && 'The language that the user chose. Scope `profile`.'),
    email: field(maybeText, docs && 'The email address. Scope `email`.'),
    email_verified: field(
      z.optional(flag),
      docs && 'Whether the user proved that the address is theirs. Scope `email`.',
    ),
    groups: field(z.optional(texts), docs && `${userDescriptions.groups} Scope \`groups\`.`),
    permissions: field(z.optional(texts), docs && `${userDescriptions.permissions} Scope \`permissions\`.`),
    attributes: field(
      z.optional(z.record(z.string(), attributeValue)),
      docs && {
        description:
          'The attributes that the service defines with a `claim`, by its name, and added claims: see `get_user_attributes`. Scope `attributes`.',
        example: { department: 'Sales' },
      },
    ),
    act: field(z.optional(TokenActor), docs && userDescriptions.act),
    ...organizationClaims,
  },
  docs && {
    description:
      'The claims about a user that the scopes of an access token allow. Claims without a value are missing. Those that `update_user_attributes` adds can have other names.',
    example: {
      sub: String(exampleIds.user),
      preferred_username: exampleUserMini.username,
      name: exampleUserMini.full_name,
      email: exampleUserMini.email,
      email_verified: true,
      groups: ['editors'],
      permissions: ['media:access'],
    },
  },
)
export type Userinfo = z.output<typeof Userinfo>

/** RFC 7662 2.1, and RFC 7009 2.1. */
export const OAuthTokenRequest = z.object({
  token: nonEmptyText,
  token_type_hint: maybeText,
  client_id: maybeText,
  client_secret: maybeText,
  client_assertion: maybeText,
  client_assertion_type: maybeText,
})
export type OAuthTokenRequest = z.output<typeof OAuthTokenRequest>

if (docs)
  describeModel(OAuthTokenRequest, () => ({
    description: 'A token, and the client that sends it. Other fields are ignored.',
    fields: {
      token: 'An access token or a refresh token.',
      token_type_hint: 'Not needed, and ignored: the token shows what it is.',
      client_id: 'The identifier of the client, unless the header `Authorization` has it.',
      client_secret: 'The secret of the client, unless the header `Authorization` has it.',
      ...clientAssertionFields,
    },
    example: {
      token: exampleCredentials.jwt,
      client_id: exampleClientId,
      client_secret: exampleCredentials.clientSecret,
    },
  }))

/** Revocation has no result. */
export const RevocationResult = model(
  {},
  docs && { description: 'The response to a revocation. It has no fields.', example: {} },
)
export type RevocationResult = z.output<typeof RevocationResult>

const exampleThumbprint = docs && '0ZcOCORZNYy-DWpqq30jZyJGHTN0d2HglBV3uiguA4I'

/** RFC 9449 6.1. */
export const TokenKey = model(
  {
    jkt: field(nonEmptyText, docs && 'The SHA-256 thumbprint of the public key (RFC 7638).'),
  },
  docs && {
    description: 'The key that a token is bound to (RFC 9449 6.1).',
    example: { jkt: exampleThumbprint },
  },
)
export type TokenKey = z.output<typeof TokenKey>

const exampleSid = docs && 'ThisIsAnExampleSid0000'
const exampleJti = docs && 'ThisIsAnExampleGrantIdOf32Chars0.ThisIsAnExampleTokenId'

/** RFC 7662 2.2. */
export const Introspection = extensibleModel(
  {
    active: field(flag, docs && 'Whether the token works now.'),
    scope: field(
      maybeText,
      docs && 'The scopes of the token, separated by spaces. Missing for tokens of `create_jwt`.',
    ),
    client_id: field(
      maybeText,
      docs && 'The client that the token was issued to. `latchkey` for tokens of `create_jwt`.',
    ),
    username: field(maybeText, docs && 'The username of the user, for the scope `profile`. It can change.'),
    token_type: field(
      z.optional(z.enum(['Bearer', 'DPoP'])),
      docs &&
        'How to send an access token: `Bearer`, or `DPoP` with a proof of its key. Missing for refresh tokens.',
    ),
    exp: field(
      z.optional(integer),
      docs && { description: 'When the token expires, in seconds since 1970.', example: 1_795_081_200 },
    ),
    iat: field(
      z.optional(integer),
      docs && { description: 'When the token was issued, in seconds since 1970.', example: 1_795_080_600 },
    ),
    sub: field(maybeText, docs && userDescriptions.sub),
    aud: field(
      maybeText,
      docs && {
        description: 'The server that the access token is for.',
        example: `${exampleProductUrl}/api`,
      },
    ),
    user_id: field(
      maybeText,
      docs && {
        description:
          'The ID of the user as a text, if `sub` is the one of another system. Missing otherwise.',
        example: String(exampleIds.user),
      },
    ),
    iss: field(maybeText, docs && { description: 'The URL of this service.', example: exampleUrl }),
    jti: field(
      maybeText,
      docs && { description: 'The identifier of the access token.', example: exampleJti },
    ),
    sid: field(
      maybeText,
      docs && {
        description: 'The identifier of the session or API token. Only for tokens of `create_jwt`.',
        example: exampleSid,
      },
    ),
    amr: field(
      z.optional(texts),
      docs && {
        description:
          'How the user proved who they are (RFC 8176), such as `pwd` and `otp`. Only for tokens of `create_jwt`.',
        example: ['pwd'],
      },
    ),
    acr: field(
      maybeText,
      docs && {
        description:
          'How strong the sign-in of the user was. Missing for API tokens, and for tokens that are for no API.',
        example: 'urn:latchkey:acr:single-factor',
      },
    ),
    auth_time: field(
      z.optional(integer),
      docs && {
        description: 'When the user last proved who they are, in seconds since 1970. Missing like `acr`.',
        example: 1_795_080_000,
      },
    ),
    groups: field(z.optional(texts), docs && userDescriptions.groups),
    permissions: field(z.optional(texts), docs && userDescriptions.permissions),
    act: field(z.optional(TokenActor), docs && userDescriptions.act),
    ...organizationClaims,
    attributes: field(
      z.optional(z.record(z.string(), attributeValue)),
      docs && {
        description: 'The claims that the service adds: see `get_user_attributes`. Scope `attributes`.',
        example: { department: 'Sales' },
      },
    ),
    access_link: field(
      z.optional(id),
      docs && 'The ID of the access link that opened the session. Missing for other sessions.',
    ),
    cnf: field(z.optional(TokenKey), docs && 'The key that the token is bound to. Missing for other tokens.'),
  },
  docs && {
    description:
      'Whether a token works, and what it states. A token that does not work has no field but `active`. Claims that `update_user_attributes` adds can have other names.',
    example: {
      active: true,
      sub: String(exampleIds.user),
      aud: `${exampleProductUrl}/api`,
      client_id: exampleClientId,
      jti: exampleJti,
      iat: 1_795_080_600,
      exp: 1_795_081_200,
      iss: exampleUrl,
      token_type: 'Bearer' as const,
      username: exampleUserMini.username,
      scope: 'openid profile',
      acr: 'urn:latchkey:acr:single-factor',
      auth_time: 1_795_080_000,
      groups: ['editors'],
      permissions: ['media:access'],
    },
  },
)
export type Introspection = z.output<typeof Introspection>
