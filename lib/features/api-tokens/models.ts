import * as z from 'zod/mini'
import { describeModel } from '../../kernel/contract/describe.ts'
import {
  dateTime,
  displayText,
  givenDateTime,
  id,
  nonEmptyText,
  nullableDateTime,
  text,
  texts,
} from '../../kernel/contract/fields.ts'
import { field, model } from '../../kernel/contract/model.ts'
import { customTokenCharacters, hasCustomTokenLength } from '../../kernel/contract/text-rules.ts'
import { apiTokensPerUser, customTokenEntropyBits } from '../../kernel/limits/limits.ts'
import { ServiceUserMini } from '../directory/user-fields.models.ts'
import { exampleCredentials, exampleIds, exampleTimes, exampleUserMini } from '../example-values.models.ts'

const name = text(1023)
const givenName = displayText(1023)

// Scopes and expiry are set once, at creation. A token that could widen its own scopes would have none.
const readOnly = {
  /** Null for a token that may do all that its owner may. */
  scopes: z.readonly(z.nullable(texts)),
  expires: z.readonly(nullableDateTime),
  created_at: z.readonly(dateTime),
  /** With a precision of one hour. */
  last_used_at: z.readonly(nullableDateTime),
}

export const APIToken = z.strictObject({ id, name, ...readOnly })
export type APIToken = z.output<typeof APIToken>

const nameDescription =
  docs && 'A name that reminds the owner what uses the token. It need not be unique, and it can be changed.'

const fieldDescriptions = docs && {
  id: 'The ID of the API token. It is not secret.',
  name: nameDescription,
  scopes:
    'The operations and permissions that the token is limited to, sorted. Null for a token that may do what its owner may, except what needs a session. Set at creation and never changed.',
  expires:
    'When the token stops working: ISO 8601, UTC. Null for never. An expired token stays in the list until it is deleted. Set at creation and never changed.',
  created_at: 'When the token was created: ISO 8601, UTC.',
  last_used_at:
    'When the token was last used: ISO 8601, UTC, with a precision of one hour. Null if it was never used. Delete tokens that are not used.',
}

const exampleToken = docs && {
  id: exampleIds.apiToken,
  name: 'nightly export',
  scopes: ['links:view', 'users:view'],
  expires: exampleTimes.end,
  created_at: exampleTimes.created,
  last_used_at: exampleTimes.signedIn,
}

if (docs)
  describeModel(APIToken, () => ({
    description:
      'An API token without its value. A script or server uses an API token as a bearer credential to act for its owner.',
    fields: fieldDescriptions,
    example: exampleToken,
  }))

/** An API token with its owner. */
export const OwnedAPIToken = z.strictObject({ id, name, ...readOnly, user: ServiceUserMini })
export type OwnedAPIToken = z.output<typeof OwnedAPIToken>

if (docs)
  describeModel(OwnedAPIToken, () => ({
    description: 'An API token of any user with its owner, without its value. Only administrators see it.',
    fields: { ...fieldDescriptions, user: 'The owner. The token acts for them.' },
    example: { ...exampleToken, user: exampleUserMini },
  }))

export const APITokenWithSecret = z.strictObject({ id, token: nonEmptyText, name, ...readOnly })
export type APITokenWithSecret = z.output<typeof APITokenWithSecret>

if (docs)
  describeModel(APITokenWithSecret, () => ({
    description:
      'A new API token with its value. No other response contains the value, and the service stores only a hash of it.',
    fields: {
      ...fieldDescriptions,
      token:
        'The value of the API token, with the prefix `lkp_` unless the caller chose another one. Shown once: store it in a secret store now. Send it as `Authorization: Bearer`.',
    },
    example: { ...exampleToken, token: exampleCredentials.apiToken, last_used_at: null },
  }))

const scopeList = texts.check(
  z.refine(({ length }) => length >= 1 && length <= 100, 'must be 1 to 100 scopes long'),
)

export const APITokenWithSecretUpdate = model(
  {
    name: field(givenName, docs && nameDescription),
    token: field(
      z.optional(
        nonEmptyText.check(
          z.refine(hasCustomTokenLength, 'must be 32 to 1023 characters long'),
          z.regex(
            customTokenCharacters,
            'must contain only letters, digits, and - . _ ~ + /, with = at the end',
          ),
        ),
      ),
      docs &&
        `A value that the caller chooses: 32 to 1,023 letters, digits and \`- . _ ~ + /\`, with \`=\` only at the end. Base64 is fine. It must have at least ${customTokenEntropyBits} bits of randomness, and no prefix of this service such as \`lkp_\`. Omit it to get a random value, which is safer.`,
    ),
    scopes: field(
      z.optional(z.nullable(scopeList)),
      docs &&
        'The operations and permissions that the token is limited to: 1 to 100 scopes. Null or omitted: all that the owner may do. Choose the fewest that the script needs. A scope never adds a permission that the owner lacks.',
    ),
    expires: field(
      z.optional(z.nullable(givenDateTime)),
      docs &&
        'When the token stops working: ISO 8601 in the future, with a time zone. Null or omitted for never.',
    ),
  },
  docs && {
    description: `A new API token of the caller. A user can have ${apiTokensPerUser} tokens.`,
    example: {
      name: 'nightly export',
      scopes: ['links:view', 'users:view'],
      expires: '2026-12-31T23:00:00Z',
    },
  },
)
export type APITokenWithSecretUpdate = z.output<typeof APITokenWithSecretUpdate>

export const APITokenUpdate = model(
  {
    name: field(givenName, docs && nameDescription),
  },
  docs && {
    description: 'A new name for an API token. Nothing else of a token can be changed.',
    example: { name: 'weekly export' },
  },
)
export type APITokenUpdate = z.output<typeof APITokenUpdate>

export const APITokenPartialUpdate = model(
  {
    name: field(z.optional(givenName), docs && nameDescription),
  },
  docs && {
    description: 'A new name for an API token. Without a name, nothing changes.',
    example: { name: 'weekly export' },
  },
)
export type APITokenPartialUpdate = z.output<typeof APITokenPartialUpdate>
