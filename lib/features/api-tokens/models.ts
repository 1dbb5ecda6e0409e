import * as z from 'zod/mini'
import { UsedNetwork } from '../../accounts/callers/credential-use.models.ts'
import {
  exampleCredentials,
  exampleIds,
  exampleTimes,
  exampleUserMini,
} from '../../accounts/example-values.models.ts'
import { ServiceUserMini } from '../../accounts/users/user-fields.models.ts'
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
import { changes, field, model, settable } from '../../kernel/contract/model.ts'
import { customTokenCharacters, hasCustomTokenLength } from '../../kernel/contract/text-rules.ts'
import {
  apiTokensPerUser,
  customTokenEntropyBits,
  replacedApiTokenMs,
  tokenNetworkDays,
  tokenNetworksPerDay,
} from '../../kernel/limits/limits.ts'
import { day } from '../../kernel/util/time.ts'

const replacedApiTokenDays = replacedApiTokenMs / day

const tokenId = field(id, docs && 'The ID of the API token. It is not secret.')

const named = {
  name: settable(
    text(1023),
    docs &&
      'A name that reminds the owner what uses the token. It need not be unique, and it can be changed.',
    { given: displayText(1023) },
  ),
}

// Scopes and expiry are set at creation. A token that could widen its own scopes would have none.
const fields = {
  ...named,
  scopes: field(
    z.readonly(z.nullable(texts)),
    docs &&
      'The operations and permissions that the token is limited to, sorted. Null for a token that may do what its owner may, except what needs a session. Set at creation and never changed.',
  ),
  expires: field(
    z.readonly(nullableDateTime),
    docs &&
      'When the token stops working: ISO 8601, UTC. Null for never. An expired token stays in the list until it is deleted. Set at creation. Only an earlier end can be set later, by `shorten_api_token`.',
  ),
  created_at: field(z.readonly(dateTime), docs && 'When the token was created: ISO 8601, UTC.'),
  last_used_at: field(
    z.readonly(nullableDateTime),
    docs &&
      'When the token was last used: ISO 8601, UTC, with a precision of one hour. Null if it was never used. Delete tokens that are not used.',
  ),
}

const exampleToken = {
  id: exampleIds.apiToken,
  name: 'nightly export',
  scopes: ['links:view', 'users:view'],
  expires: exampleTimes.end,
  created_at: exampleTimes.created,
  last_used_at: exampleTimes.signedIn,
}

export const APIToken = model(
  {
    id: tokenId,
    ...fields,
  },
  docs && {
    description:
      'An API token without its value. A script or server uses an API token as a bearer credential to act for its owner.',
    example: exampleToken,
  },
)
export type APIToken = z.output<typeof APIToken>

/** An API token with its owner. */
export const OwnedAPIToken = model(
  {
    id: tokenId,
    ...fields,
    user: field(ServiceUserMini, docs && 'The owner. The token acts for them.'),
    used_networks: field(
      z.optional(z.readonly(z.array(UsedNetwork))),
      docs &&
        `The networks that requests to this service came from with the token, newest day first: up to ${tokenNetworksPerDay} of a day, and those of the last ${tokenNetworkDays} days. A token that is used from many networks has fewer days. The address is that of the server, also where it names that of its user. Missing unless the request names the user.`,
    ),
  },
  docs && {
    description: 'An API token of any user with its owner, without its value. Only administrators see it.',
    example: { ...exampleToken, user: exampleUserMini },
  },
)
export type OwnedAPIToken = z.output<typeof OwnedAPIToken>

export const APITokenWithSecret = model(
  {
    id: tokenId,
    token: field(
      nonEmptyText,
      docs &&
        'The value of the API token, with the prefix `lkp_` unless the caller chose another one. Shown once: store it in a secret store now. Send it as `Authorization: Bearer`.',
    ),
    ...fields,
  },
  docs && {
    description:
      'A new API token with its value. No other response contains the value, and the service stores only a hash of it.',
    example: { ...exampleToken, token: exampleCredentials.apiToken, last_used_at: null },
  },
)
export type APITokenWithSecret = z.output<typeof APITokenWithSecret>

const scopeList = texts.check(
  z.refine(({ length }) => length >= 1 && length <= 100, 'must be 1 to 100 scopes long'),
)

export const APITokenWithSecretUpdate = model(
  {
    name: field(named.name.given, docs && named.name.text),
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

export const APITokenUpdate = changes(
  named,
  docs && {
    description: 'A new name for an API token. Nothing else changes.',
    example: { name: 'weekly export' },
  },
  ['name'],
)
export type APITokenUpdate = z.output<typeof APITokenUpdate>

/** Only an earlier end can be set, so that a token that was made for a time never works longer. */
export const ShortenTokenRequest = model(
  {
    user: field(
      z.optional(id),
      docs &&
        'The ID of the owner. Without it, the caller. Only administrators can name another user than themselves.',
    ),
    expires: field(
      givenDateTime,
      docs &&
        `When the token stops working: ISO 8601 with a time zone, at most ${replacedApiTokenDays} days ahead, and not later than the token expires now.`,
    ),
  },
  docs && {
    description: 'An earlier end of an API token.',
    example: { user: exampleIds.user, expires: exampleTimes.end },
  },
)
export type ShortenTokenRequest = z.output<typeof ShortenTokenRequest>

export const APITokenPartialUpdate = changes(
  named,
  docs && {
    description: 'A new name for an API token. Without a name, nothing changes.',
    example: { name: 'weekly export' },
  },
)
export type APITokenPartialUpdate = z.output<typeof APITokenPartialUpdate>
