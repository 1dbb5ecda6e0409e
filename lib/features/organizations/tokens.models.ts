import * as z from 'zod/mini'
import { exampleNetwork, UsedNetwork } from '../../accounts/callers/credential-use.models.ts'
import { exampleCredentials, exampleIds, exampleTimes } from '../../accounts/example-values.models.ts'
import {
  anyText,
  dateTime,
  displayText,
  givenDateTime,
  givenPermission,
  id,
  nonEmptyText,
  nullableDateTime,
  text,
  texts,
} from '../../kernel/contract/fields.ts'
import { field, model } from '../../kernel/contract/model.ts'
import { organizationApiTokensMax } from '../../kernel/limits/limits.ts'

const mostPermissions = 100
const nameText = docs && 'A name that says what uses the token. It need not be unique.'

const fields = {
  name: field(text(1023), docs && nameText),
  permissions: field(
    texts,
    docs &&
      'What the token allows in the organization, sorted. A permission that no role has any more has no effect.',
  ),
  expires: field(
    nullableDateTime,
    docs &&
      'When the token stops working: ISO 8601, UTC. Null for never. An expired token stays in the list until it is deleted.',
  ),
  created_by: field(
    id,
    docs && 'The ID of the user who created the token. It works after they have left the organization.',
  ),
  creator_left: field(
    z.boolean(),
    docs &&
      'Whether the member who created the token has left or was removed since, also if they have joined again. The token belongs to the organization and goes on: decide whether it still should.',
  ),
  created_at: field(dateTime, docs && 'When the token was created: ISO 8601, UTC.'),
  last_used_at: field(
    nullableDateTime,
    docs &&
      'When the token was last used: ISO 8601, UTC, with a precision of one hour. Null if it was never used.',
  ),
  used_networks: field(
    z.optional(z.array(UsedNetwork)),
    docs &&
      'The networks that requests to this service came from with the token, as for API tokens of users. Missing in answers to members: they see no addresses.',
  ),
}

const tokenId = field(id, docs && 'The ID of the API token. It is not secret.')

const exampleToken = docs && {
  id: exampleIds.organizationToken,
  name: 'nightly import',
  permissions: ['films:edit', 'org:members:view'],
  expires: exampleTimes.end,
  created_by: exampleIds.user,
  creator_left: false,
  created_at: exampleTimes.created,
  last_used_at: exampleTimes.signedIn,
}

export const OrganizationToken = model(
  { id: tokenId, ...fields },
  docs && {
    description:
      'An API token of an organization without its value. It belongs to the organization and to no user.',
    example: { ...exampleToken, used_networks: [exampleNetwork] },
  },
)
export type OrganizationToken = z.output<typeof OrganizationToken>

export const OrganizationTokenWithSecret = model(
  {
    id: tokenId,
    token: field(
      nonEmptyText,
      docs &&
        'The value of the API token, with the prefix `lkg_`. Shown once: store it in a secret store now. Send it as `Authorization: Bearer`.',
    ),
    ...fields,
  },
  docs && {
    description: 'A new API token of an organization with its value. No other response contains the value.',
    example: { ...exampleToken, token: exampleCredentials.organizationToken, last_used_at: null },
  },
)
export type OrganizationTokenWithSecret = z.output<typeof OrganizationTokenWithSecret>

export const NewOrganizationToken = model(
  {
    name: field(displayText(1023), docs && nameText),
    permissions: field(
      z
        .array(givenPermission)
        .check(z.minLength(1, 'must contain a permission'), z.maxLength(mostPermissions)),
      docs &&
        'What the token allows: permissions that you have in the organization, except `org:keys:manage`. 1 to 100.',
    ),
    expires: field(
      z.optional(z.nullable(givenDateTime)),
      docs &&
        'When the token stops working: ISO 8601 in the future, with a time zone. Null or omitted for never.',
    ),
  },
  docs && {
    description: `A new API token of an organization, which can have ${organizationApiTokensMax}.`,
    example: {
      name: 'nightly import',
      permissions: ['films:edit', 'org:members:view'],
      expires: '2027-12-31T23:00:00Z',
    },
  },
)
export type NewOrganizationToken = z.output<typeof NewOrganizationToken>

export const OrganizationIdentity = model(
  {
    token_id: field(id, docs && 'The ID of the API token.'),
    token_name: field(anyText, docs && 'The name of the API token.'),
    expires: fields.expires,
    org_id: field(
      anyText,
      docs && 'The ID of the organization as a text, as in tokens. Compare this one alone.',
    ),
    org_slug: field(anyText, docs && 'The slug of the organization. It can change.'),
    org_name: field(anyText, docs && 'The name of the organization. It can change.'),
    permissions: field(texts, docs && 'What the token allows in the organization now, sorted.'),
  },
  docs && {
    description: 'The organization that calls with an API token of its own.',
    example: {
      token_id: exampleIds.organizationToken,
      token_name: 'nightly import',
      expires: exampleTimes.end,
      org_id: String(exampleIds.organization),
      org_slug: 'acme',
      org_name: 'Acme Studios',
      permissions: ['films:edit', 'org:members:view'],
    },
  },
)
export type OrganizationIdentity = z.output<typeof OrganizationIdentity>
