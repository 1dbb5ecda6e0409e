import * as z from 'zod/mini'
import { exampleBundle, exampleIds, exampleTimes } from '../../accounts/example-values.models.ts'
import { exampleOf } from '../../kernel/contract/describe.ts'
import { flag, id, ids, integer, nonEmptyText, nullableDateTime } from '../../kernel/contract/fields.ts'
import { field, model } from '../../kernel/contract/model.ts'
import { apiTokensPerUser, holdingsCounted, replacedApiTokenMs } from '../../kernel/limits/limits.ts'
import { describeDuration } from '../../kernel/util/time.ts'
import { APIToken } from '../api-tokens/models.ts'

/** What can end for a user by one request. Those that others may use come first. */
export const endedKinds = [
  'access_token',
  'api_token',
  'session',
  'grant',
  'remembered_device',
  'reset_token',
  'invitation',
  'organization_invitation',
  'saml_setup',
  'email_confirmation',
  'security_report',
  'passkey',
  'password',
  'auth_ticket',
  'second_factor_token',
  'email_code',
  'organization_join_code',
  'connection_sign_in',
  'authorization_code',
  'refresh_token',
  'device_authorization',
] as const

const kind = field(
  z.enum(endedKinds),
  docs &&
    'What it is. `access_token` is an access link, and `grant` is a client with access. `organization_invitation` and `saml_setup` are those that the user made.',
)

const uncounted = 'Null for what works for some minutes, is in no list, and ends with the sessions.'

const number = z.nullable(integer)

export const HeldKind = model(
  {
    kind,
    count: field(
      number,
      docs &&
        `How many of them work now. Access links are counted up to ${holdingsCounted.toLocaleString('en-US')}. ${uncounted}`,
    ),
    ends: field(
      z.enum(['always', 'if_asked']),
      docs && 'Whether they always end with everything, or only if the request says so.',
    ),
  },
  docs && {
    description: 'What a user holds of one kind.',
    example: { kind: 'access_token' as const, count: 3, ends: 'always' as const },
  },
)

export const HeldLink = model(
  {
    id: field(id, docs && 'The ID of the access link.'),
    name: field(nonEmptyText, docs && 'The name of the first bundle or directory that it opens.'),
    object_count: field(integer, docs && 'How many bundles and directories it opens.'),
    use_count: field(integer, docs && 'How many uses of it are known: the newest ones.'),
    last_used_at: field(
      nullableDateTime,
      docs && 'When it was last used: ISO 8601, UTC. Null if no use is known.',
    ),
    expires: field(nullableDateTime, docs && 'When it stops working: ISO 8601, UTC. Null for never.'),
  },
  docs && {
    description: 'An access link that a user made and that others may use.',
    example: {
      id: exampleIds.accessLink,
      name: exampleBundle.name,
      object_count: 1,
      use_count: 2,
      last_used_at: exampleTimes.signedIn,
      expires: exampleTimes.end,
    },
  },
)
export type HeldLink = z.output<typeof HeldLink>

export const UserHoldings = model(
  {
    access_links: field(
      z.array(HeldLink),
      docs && 'The access links that the user made and that work, the newest first, at most 100.',
    ),
    api_tokens: field(
      z.array(APIToken),
      docs && 'The API tokens of the user that work, the newest first. Programs of others may use them.',
    ),
    kinds: field(z.array(HeldKind), docs && 'How many the user holds of each kind.'),
  },
  docs && {
    description: 'What a user holds that ends with `end_user_holdings`.',
    example: {
      access_links: [exampleOf(HeldLink)],
      api_tokens: [exampleOf(APIToken)],
      kinds: [exampleOf(HeldKind), { kind: 'password' as const, count: 1, ends: 'if_asked' as const }],
    },
  },
)
export type UserHoldings = z.output<typeof UserHoldings>

export const EndHoldingsRequest = model(
  {
    password: field(
      z.optional(flag),
      docs && 'Whether the password ends as well. With a verified address, the user can reset it by email.',
    ),
    passkeys: field(z.optional(flag), docs && 'Whether the passkeys end as well.'),
    kept_api_tokens: field(
      z.optional(ids.check(z.maxLength(apiTokensPerUser))),
      docs &&
        `The IDs of API tokens that keep working until they expire, because others are replacing them. Each must expire within ${describeDuration(replacedApiTokenMs)}: see \`shorten_api_token\`. All others end now.`,
    ),
  },
  docs && {
    description: 'What else ends of a user, and what keeps working for some days. Nothing by default.',
    example: { password: true, passkeys: true, kept_api_tokens: [exampleIds.apiToken] },
  },
)
export type EndHoldingsRequest = z.output<typeof EndHoldingsRequest>

export const EndedKind = model(
  {
    kind,
    before: field(number, docs && `How many worked before this request. ${uncounted}`),
    after: field(number, docs && `How many work now. ${uncounted}`),
  },
  docs && {
    description: 'What a request ended of one kind.',
    example: { kind: 'access_token' as const, before: 3, after: 0 },
  },
)

export const EndedHoldings = model(
  {
    is_complete: field(flag, docs && 'Whether everything has ended. If not, repeat the request.'),
    kinds: field(z.array(EndedKind), docs && 'The number of each kind before and after the request.'),
    kept_api_tokens: field(
      z.array(APIToken),
      docs && 'The API tokens that keep working until they expire, as the request asked.',
    ),
  },
  docs && {
    description: 'What one request ended of a user.',
    example: { is_complete: true, kinds: [exampleOf(EndedKind)], kept_api_tokens: [exampleOf(APIToken)] },
  },
)
export type EndedHoldings = z.output<typeof EndedHoldings>

export type EndedKindName = (typeof endedKinds)[number]
