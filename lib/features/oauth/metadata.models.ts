import type * as z from 'zod/mini'
import { flag, nonEmptyText, texts } from '../../kernel/contract/fields.ts'
import { field, model } from '../../kernel/contract/model.ts'

/** OpenID Connect Discovery 3 and RFC 8414 2. */
export const ProviderMetadata = model(
  {
    issuer: field(
      nonEmptyText,
      docs && { description: 'The address of this service.', example: 'https://auth.example.com' },
    ),
    jwks_uri: field(
      nonEmptyText,
      docs && {
        description: 'Where the public keys are.',
        example: 'https://auth.example.com/.well-known/jwks.json',
      },
    ),
    authorization_endpoint: field(
      nonEmptyText,
      docs && {
        description: 'Where clients send browsers to sign in.',
        example: 'https://auth.example.com/oauth2/authorize',
      },
    ),
    pushed_authorization_request_endpoint: field(
      nonEmptyText,
      docs && {
        description: 'Where clients send the parameters of an authorization ahead.',
        example: 'https://auth.example.com/oauth2/par',
      },
    ),
    device_authorization_endpoint: field(
      nonEmptyText,
      docs && {
        description: 'Where devices get a code for their user.',
        example: 'https://auth.example.com/oauth2/device',
      },
    ),
    token_endpoint: field(
      nonEmptyText,
      docs && {
        description: 'Where clients get tokens.',
        example: 'https://auth.example.com/oauth2/token',
      },
    ),
    userinfo_endpoint: field(
      nonEmptyText,
      docs && {
        description: 'Where clients read the claims of a user.',
        example: 'https://auth.example.com/oauth2/userinfo',
      },
    ),
    introspection_endpoint: field(
      nonEmptyText,
      docs && {
        description: 'Where servers ask whether a token is valid.',
        example: 'https://auth.example.com/oauth2/introspect',
      },
    ),
    revocation_endpoint: field(
      nonEmptyText,
      docs && {
        description: 'Where clients end tokens.',
        example: 'https://auth.example.com/oauth2/revoke',
      },
    ),
    end_session_endpoint: field(
      nonEmptyText,
      docs && {
        description: 'Where clients send browsers to sign out.',
        example: 'https://auth.example.com/oauth2/logout',
      },
    ),
    response_types_supported: field(texts, docs && 'The values of `response_type`.'),
    response_modes_supported: field(texts, docs && 'The values of `response_mode`.'),
    grant_types_supported: field(texts, docs && 'The values of `grant_type`.'),
    code_challenge_methods_supported: field(texts, docs && 'The values of `code_challenge_method`.'),
    token_endpoint_auth_methods_supported: field(texts, docs && 'How clients prove who they are.'),
    token_endpoint_auth_signing_alg_values_supported: field(
      texts,
      docs && 'The algorithms of their assertions.',
    ),
    introspection_endpoint_auth_methods_supported: field(
      texts,
      docs && 'How clients prove who they are at introspection.',
    ),
    introspection_endpoint_auth_signing_alg_values_supported: field(
      texts,
      docs && 'The algorithms of assertions at introspection.',
    ),
    revocation_endpoint_auth_methods_supported: field(
      texts,
      docs && 'How clients prove who they are at revocation.',
    ),
    revocation_endpoint_auth_signing_alg_values_supported: field(
      texts,
      docs && 'The algorithms of assertions at revocation.',
    ),
    dpop_signing_alg_values_supported: field(texts, docs && 'The algorithms of proofs of keys (RFC 9449).'),
    scopes_supported: field(texts, docs && 'The scopes that clients can ask for.'),
    claims_supported: field(texts, docs && 'The claims of ID tokens and user info.'),
    claim_types_supported: field(texts, docs && 'How claims are sent.'),
    acr_values_supported: field(texts, docs && 'The values of the claim `acr`.'),
    ui_locales_supported: field(texts, docs && 'The languages of the pages.'),
    prompt_values_supported: field(texts, docs && 'The values of `prompt`.'),
    subject_types_supported: field(
      texts,
      docs &&
        'Which kinds of `sub` there are: one for all clients, and one for a client that came from another system.',
    ),
    id_token_signing_alg_values_supported: field(texts, docs && 'The algorithms that sign ID tokens.'),
    authorization_response_iss_parameter_supported: field(
      flag,
      docs && 'Whether authorizations are answered with `iss` (RFC 9207).',
    ),
    claims_parameter_supported: field(flag, docs && 'Whether the parameter `claims` has an effect.'),
    request_uri_parameter_supported: field(flag, docs && 'Whether the parameter `request_uri` is accepted.'),
    client_id_metadata_document_supported: field(
      flag,
      docs &&
        'Whether the identifier of a client can be the address of its document. The agent policy names the hosts.',
    ),
    backchannel_logout_supported: field(flag, docs && 'Whether clients are informed of ended sessions.'),
    backchannel_logout_session_supported: field(flag, docs && 'Whether that message contains `sid`.'),
  },
  docs && {
    description: 'The endpoints and abilities of the provider (OpenID Connect Discovery 3, RFC 8414 2).',
    example: {
      issuer: 'https://auth.example.com',
      jwks_uri: 'https://auth.example.com/.well-known/jwks.json',
      authorization_endpoint: 'https://auth.example.com/oauth2/authorize',
      device_authorization_endpoint: 'https://auth.example.com/oauth2/device',
      pushed_authorization_request_endpoint: 'https://auth.example.com/oauth2/par',
      token_endpoint: 'https://auth.example.com/oauth2/token',
      userinfo_endpoint: 'https://auth.example.com/oauth2/userinfo',
      introspection_endpoint: 'https://auth.example.com/oauth2/introspect',
      revocation_endpoint: 'https://auth.example.com/oauth2/revoke',
      end_session_endpoint: 'https://auth.example.com/oauth2/logout',
      response_types_supported: ['code'],
      response_modes_supported: ['query', 'form_post'],
      grant_types_supported: [
        'authorization_code',
        'refresh_token',
        'client_credentials',
        'urn:ietf:params:oauth:grant-type:device_code',
      ],
      code_challenge_methods_supported: ['S256'],
      token_endpoint_auth_methods_supported: [
        'client_secret_basic',
        'client_secret_post',
        'private_key_jwt',
        'none',
      ],
      token_endpoint_auth_signing_alg_values_supported: ['RS256', 'PS256', 'ES256', 'EdDSA'],
      introspection_endpoint_auth_signing_alg_values_supported: ['RS256', 'PS256', 'ES256', 'EdDSA'],
      revocation_endpoint_auth_signing_alg_values_supported: ['RS256', 'PS256', 'ES256', 'EdDSA'],
      introspection_endpoint_auth_methods_supported: [
        'client_secret_basic',
        'client_secret_post',
        'private_key_jwt',
      ],
      revocation_endpoint_auth_methods_supported: [
        'client_secret_basic',
        'client_secret_post',
        'private_key_jwt',
        'none',
      ],
      dpop_signing_alg_values_supported: ['ES256', 'Ed25519', 'EdDSA'],
      scopes_supported: [
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
      ],
      claims_supported: ['sub', 'sid', 'amr', 'acr', 'auth_time', 'name', 'preferred_username', 'email'],
      claim_types_supported: ['normal'],
      acr_values_supported: ['urn:latchkey:acr:single-factor', 'urn:latchkey:acr:multi-factor'],
      ui_locales_supported: ['en', 'fr', 'de'],
      prompt_values_supported: ['none', 'login', 'consent', 'select_account'],
      subject_types_supported: ['public', 'pairwise'],
      id_token_signing_alg_values_supported: ['RS256'],
      authorization_response_iss_parameter_supported: true,
      claims_parameter_supported: false,
      request_uri_parameter_supported: false,
      client_id_metadata_document_supported: true,
      backchannel_logout_supported: true,
      backchannel_logout_session_supported: true,
    },
  },
)
export type ProviderMetadata = z.output<typeof ProviderMetadata>
