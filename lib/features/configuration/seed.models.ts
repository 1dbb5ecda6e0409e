import * as z from 'zod/mini'
import { ServiceUserDetailPartialUpdate } from '../../accounts/users/users.models.ts'
import { CreateAccessTokenRequest, linkRules } from '../access-links/requests.models.ts'
import { APITokenWithSecretUpdate } from '../api-tokens/models.ts'
import { chosenIdForm, chosenIdRule } from '../oauth/clients.models.ts'

/* What a developer wants to find in a service on their machine. Deployed services never get it. */

/** What can be in a seed, each under a key. */
export const seedLists = { user: 'users', api_token: 'api_tokens', access_link: 'access_links' } as const
export type SeedKind = keyof typeof seedLists

const key = z.string().check(z.regex(chosenIdForm, chosenIdRule))

const { name, ...tokenFields } = APITokenWithSecretUpdate.def.shape

/** The entries of a seed: the fields of the operation that creates each, with keys instead of IDs. */
export const seedEntries = {
  user: z.extend(ServiceUserDetailPartialUpdate, {
    groups: z.optional(z.array(key)),
    password: z.optional(z.string().check(z.minLength(1), z.maxLength(1024))),
  }),
  api_token: z.strictObject({ owner: key, name: z.optional(name), ...tokenFields }),
  access_link: z
    .strictObject({
      ...CreateAccessTokenRequest.def.shape,
      creator: key,
      user: z.optional(z.nullable(key)),
    })
    .check(...linkRules()),
} as const satisfies Record<SeedKind, z.ZodMiniType>

export const seedModels = {
  user: ServiceUserDetailPartialUpdate,
  api_token: APITokenWithSecretUpdate,
  access_link: CreateAccessTokenRequest,
} as const satisfies Record<SeedKind, z.ZodMiniType>

const usersKey = 'The key of one of the `users` of this seed.'

export const seedDescriptions = docs && {
  user: 'A person to sign in as.',
  api_token: 'An API token of a person.',
  access_link: 'An access link that a person shares.',
}

/** The texts of fields that only seeds have. */
export const seedTexts = docs && {
  user: {
    username: 'The key of the user, if omitted.',
    groups: 'Keys of groups.',
    password: 'The password, in plain text. It must meet the password policy.',
  },
  api_token: { owner: usersKey, name: 'The key of the token, if omitted.' },
  access_link: { creator: usersKey, user: `The recipient. ${usersKey}` },
}

const listOf = <Entry extends z.ZodMiniType>(entry: Entry) => z.optional(z.record(z.string(), entry))

/** People to sign in as, with what they own. */
export const seed = z.strictObject({
  users: listOf(seedEntries.user),
  api_tokens: listOf(seedEntries.api_token),
  access_links: listOf(seedEntries.access_link),
})
export type Seed = z.output<typeof seed>

export const seedText = docs && {
  description:
    'People, API tokens and access links for development. Only local mode makes them. A deployed service ignores this field.',
  fields: {
    users: 'People, by keys. A user with the same name is changed.',
    api_tokens: 'API tokens of these people. Their values are in the outputs.',
    access_links: 'Access links of these people. Their addresses are in the outputs.',
  },
  example: undefined,
}
