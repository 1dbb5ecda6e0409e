import {
  OIDCClient,
  OIDCClientPartialUpdate,
  OIDCClientSecret,
  OIDCClientUpdate,
  OIDCClientWithSecret,
} from '../../models/oidc-clients.ts'
import { nameRules } from '../common-texts.ts'
import { describeModel } from '../describe.ts'
import {
  exampleClientId,
  exampleCredentials,
  exampleIds,
  exampleProductUrl,
  exampleTimes,
} from '../example-values.ts'

const uriRules =
  'Each has at most 500 characters, no fragment and no wildcard. It must be `https`, or `http` to a loopback address. Public clients can also use a scheme of an app, such as `com.example.app:/callback`.'

const settable = {
  name: `The name of the client. ${nameRules}`,
  type: {
    description:
      'Whether the client can keep a secret. `confidential`: a server. `public`: a page or an app. It cannot be changed. Default: `confidential`.',
    example: 'confidential',
  },
  redirect_uris: {
    description: `Where a sign-in can return to: 1 to 20 addresses. A request must name one of them exactly. ${uriRules}`,
    example: [`${exampleProductUrl}/callback`],
  },
  post_logout_redirect_uris: {
    description: `Where a sign-out can return to: up to 20 addresses. A request must name one of them exactly. ${uriRules} Default: empty.`,
    example: [`${exampleProductUrl}/`],
  },
  scopes: 'The scopes that the client can request. `openid` is required. Default: all scopes.',
  audiences: {
    description:
      'The servers that the client can request access tokens for: up to 20 texts of at most 255 printable ASCII characters, such as URLs. This service is none of them. Access tokens for them can also be introspected by the client. Default: empty, so that access tokens only open userinfo.',
    example: [`${exampleProductUrl}/api`],
  },
  permissions: {
    description:
      'The permissions that tokens of the client may state, if their user has them: up to 100, of the form `word:word` or `word:word:word`. Tokens state them for the scope `permissions` alone. Default: empty.',
    example: ['films:view'],
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

const fields = {
  ...settable,
  id: 'The ID of the client in this API.',
  client_id: {
    description: 'The identifier of the client in the protocol. It is not secret, and never changes.',
    example: exampleClientId,
  },
  has_client_secret:
    'Whether the client has a secret. A confidential client without one was reported as leaked: renew its secret.',
  created_at: 'When the client was registered: ISO 8601, UTC.',
}

const given = {
  name: 'Shop',
  redirect_uris: [`${exampleProductUrl}/callback`],
}

const example = {
  id: exampleIds.oidcClient,
  client_id: exampleClientId,
  type: 'confidential' as const,
  ...given,
  post_logout_redirect_uris: [`${exampleProductUrl}/`],
  scopes: ['openid' as const, 'profile' as const, 'email' as const],
  audiences: [`${exampleProductUrl}/api`],
  permissions: ['films:view'],
  backchannel_logout_uri: null,
  access_token_lifetime: 600,
  id_token_lifetime: 600,
  refresh_token_lifetime: 1_209_600,
  has_client_secret: true,
  created_at: exampleTimes.created,
}

const client_secret =
  'The secret of the client, with the prefix `lko_`. Shown once: store it in a secret store now. The service stores only a hash of it.'

export const oidcClientsTexts = [
  describeModel(OIDCClient, {
    description: 'A product that signs its users in by OpenID Connect. Its secret is never part of it.',
    fields,
    example,
  }),
  describeModel(OIDCClientWithSecret, {
    description: 'A new client with its secret. No other response contains the secret.',
    fields: { ...fields, client_secret: `${client_secret} Null for public clients, which have none.` },
    example: { ...example, client_secret: exampleCredentials.oidcClientSecret },
  }),
  describeModel(OIDCClientUpdate, {
    description: 'A new client. Omitted fields get their defaults.',
    fields: settable,
    example: given,
  }),
  describeModel(OIDCClientPartialUpdate, {
    description: 'Changes of a client. Omitted fields keep their values.',
    fields: settable,
    example: { access_token_lifetime: 900 },
  }),
  describeModel(OIDCClientSecret, {
    description: 'The new secret of a client.',
    fields: { client_secret },
    example: { client_secret: exampleCredentials.oidcClientSecret },
  }),
]
