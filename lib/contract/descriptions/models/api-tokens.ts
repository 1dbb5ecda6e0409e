import { apiTokensPerUser, customTokenEntropyBits } from '../../../limits/limits.ts'
import {
  APIToken,
  APITokenPartialUpdate,
  APITokenUpdate,
  APITokenWithSecret,
  APITokenWithSecretUpdate,
  OwnedAPIToken,
} from '../../models/api-tokens.ts'
import { describeModel } from '../describe.ts'
import { exampleCredentials, exampleIds, exampleTimes, exampleUserMini } from '../example-values.ts'

const name =
  'A name that reminds the owner what uses the token. It need not be unique, and it can be changed.'

const fields = {
  id: 'The ID of the API token. It is not secret.',
  name,
  scopes:
    'The operations and permissions that the token is limited to, sorted. Null for a token that may do what its owner may, except what needs a session. Set at creation and never changed.',
  expires:
    'When the token stops working: ISO 8601, UTC. Null for never. An expired token stays in the list until it is deleted. Set at creation and never changed.',
  created_at: 'When the token was created: ISO 8601, UTC.',
  last_used_at:
    'When the token was last used: ISO 8601, UTC, with a precision of one hour. Null if it was never used. Delete tokens that are not used.',
}

const example = {
  id: exampleIds.apiToken,
  name: 'nightly export',
  scopes: ['links:view', 'users:view'],
  expires: exampleTimes.end,
  created_at: exampleTimes.created,
  last_used_at: exampleTimes.signedIn,
}

export const apiTokensTexts = [
  describeModel(APIToken, {
    description:
      'An API token without its value. A script or server uses an API token as a bearer credential to act for its owner.',
    fields,
    example,
  }),
  describeModel(OwnedAPIToken, {
    description: 'An API token of any user with its owner, without its value. Only administrators see it.',
    fields: { ...fields, user: 'The owner. The token acts for them.' },
    example: { ...example, user: exampleUserMini },
  }),
  describeModel(APITokenWithSecret, {
    description:
      'A new API token with its value. No other response contains the value, and the service stores only a hash of it.',
    fields: {
      ...fields,
      token:
        'The value of the API token, with the prefix `lkp_` unless the caller chose another one. Shown once: store it in a secret store now. Send it as `Authorization: Bearer`.',
    },
    example: { ...example, token: exampleCredentials.apiToken, last_used_at: null },
  }),
  describeModel(APITokenWithSecretUpdate, {
    description: `A new API token of the caller. A user can have ${apiTokensPerUser} tokens.`,
    fields: {
      name,
      token: `A value that the caller chooses: 32 to 1,023 letters, digits and \`- . _ ~ + /\`, with \`=\` only at the end. Base64 is fine. It must have at least ${customTokenEntropyBits} bits of randomness, and no prefix of this service such as \`lkp_\`. Omit it to get a random value, which is safer.`,
      scopes:
        'The operations and permissions that the token is limited to: 1 to 100 scopes. Null or omitted: all that the owner may do. Choose the fewest that the script needs. A scope never adds a permission that the owner lacks.',
      expires:
        'When the token stops working: ISO 8601 in the future, with a time zone. Null or omitted for never.',
    },
    example: {
      name: 'nightly export',
      scopes: ['links:view', 'users:view'],
      expires: '2026-12-31T23:00:00Z',
    },
  }),
  describeModel(APITokenUpdate, {
    description: 'A new name for an API token. Nothing else of a token can be changed.',
    fields: { name },
    example: { name: 'weekly export' },
  }),
  describeModel(APITokenPartialUpdate, {
    description: 'A new name for an API token. Without a name, nothing changes.',
    fields: { name },
    example: { name: 'weekly export' },
  }),
]
