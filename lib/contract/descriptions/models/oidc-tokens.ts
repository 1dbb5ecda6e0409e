import {
  Introspection,
  OAuthTokenRequest,
  RevocationResult,
  TokenActor,
  Userinfo,
  UserinfoRequest,
} from '../../models/oidc-tokens.ts'
import { describeModel } from '../describe.ts'
import {
  exampleClientId,
  exampleCredentials,
  exampleIds,
  exampleProductUrl,
  exampleUrl,
  exampleUserMini,
} from '../example-values.ts'

const exampleActor = { sub: String(exampleIds.administrator), preferred_username: 'admin' }
const exampleSid = 'ThisIsAnExampleSid0000'
const exampleJti = 'ThisIsAnExampleGrantIdOf32Chars0.ThisIsAnExampleTokenId'
const { username, email } = exampleUserMini

const userFields = {
  sub: 'The ID of the user as a text. It never changes.',
  groups: 'The names of the groups of the user.',
  permissions: 'The effective permissions of the user: their own and those of their groups.',
  act: 'The administrator who impersonates the user (RFC 8693). Missing otherwise.',
}

export const oidcTokensTexts = [
  describeModel(TokenActor, {
    description: 'An administrator who impersonates a user.',
    fields: {
      sub: 'The ID of the administrator as a text.',
      preferred_username: 'The username of the administrator.',
    },
    example: exampleActor,
  }),
  describeModel(UserinfoRequest, {
    description: 'The access token, if it is not in the header. Other fields are ignored.',
    fields: { access_token: 'The access token. Do not send it in the header as well.' },
    example: { access_token: exampleCredentials.jwt },
  }),
  describeModel(Userinfo, {
    description:
      'The claims about a user that the scopes of an access token allow. Claims without a value are missing.',
    fields: {
      ...userFields,
      preferred_username: 'The username. It can change. Scope `profile`.',
      name: 'The full name. Scope `profile`.',
      locale: 'The language that the user chose. Scope `profile`.',
      email: 'The email address. Scope `email`.',
      email_verified: 'Whether the user proved that the address is theirs. Scope `email`.',
      groups: `${userFields.groups} Scope \`groups\`.`,
      permissions: `${userFields.permissions} Scope \`permissions\`.`,
    },
    example: {
      sub: String(exampleIds.user),
      preferred_username: username,
      name: exampleUserMini.full_name,
      email,
      email_verified: true,
      groups: ['editors'],
      permissions: ['media:access'],
    },
  }),
  describeModel(OAuthTokenRequest, {
    description: 'A token, and the client that sends it. Other fields are ignored.',
    fields: {
      token: 'An access token or a refresh token.',
      token_type_hint: 'Not needed, and ignored: the token shows what it is.',
      client_id: 'The identifier of the client, unless the header `Authorization` has it.',
      client_secret: 'The secret of the client, unless the header `Authorization` has it.',
    },
    example: {
      token: exampleCredentials.jwt,
      client_id: exampleClientId,
      client_secret: exampleCredentials.oidcClientSecret,
    },
  }),
  describeModel(RevocationResult, {
    description: 'The response to a revocation. It has no fields.',
    fields: {},
    example: {},
  }),
  describeModel(Introspection, {
    description:
      'Whether a token works, and what it states. A token that does not work has no field but `active`.',
    fields: {
      ...userFields,
      active: 'Whether the token works now.',
      scope: 'The scopes of the token, separated by spaces. Missing for tokens of `create_jwt`.',
      client_id: 'The client that the token was issued to. `latchkey` for tokens of `create_jwt`.',
      username: 'The username of the user. It can change.',
      token_type: 'How to send an access token: always `Bearer`. Missing for refresh tokens.',
      exp: { description: 'When the token expires, in seconds since 1970.', example: 1_795_081_200 },
      iat: { description: 'When the token was issued, in seconds since 1970.', example: 1_795_080_600 },
      aud: { description: 'The server that the access token is for.', example: `${exampleProductUrl}/api` },
      iss: { description: 'The URL of this service.', example: exampleUrl },
      jti: { description: 'The identifier of the access token.', example: exampleJti },
      sid: { description: 'The identifier of the session or API token.', example: exampleSid },
      amr: 'How the user proved who they are (RFC 8176), such as `pwd` and `otp`.',
      auth_time: {
        description: 'When the user last proved who they are, in seconds since 1970.',
        example: 1_795_080_000,
      },
      access_link: 'The ID of the access link that opened the session. Missing for other sessions.',
    },
    example: {
      active: true,
      sub: String(exampleIds.user),
      aud: `${exampleProductUrl}/api`,
      client_id: exampleClientId,
      jti: exampleJti,
      iat: 1_795_080_600,
      exp: 1_795_081_200,
      iss: exampleUrl,
      sid: exampleSid,
      token_type: 'Bearer' as const,
      username,
      scope: 'openid profile',
      amr: ['pwd'],
      auth_time: 1_795_080_000,
      groups: ['editors'],
      permissions: ['media:access'],
    },
  }),
]
