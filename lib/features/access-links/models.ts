import * as z from 'zod/mini'
import {
  exampleAddress,
  exampleBundle,
  exampleCredentials,
  exampleGuestMini,
  exampleIds,
  exampleTimes,
  exampleUrl,
  exampleUserMini,
} from '../../accounts/example-values.models.ts'
import { ServiceUserMini } from '../../accounts/users/user-fields.models.ts'
import { describeModel } from '../../kernel/contract/describe.ts'
import {
  flag,
  id,
  int32,
  nonEmptyText,
  nullableDateTime,
  readOnlyDateTime,
  readOnlyFlag,
  readOnlyText,
  readOnlyTexts,
  text,
  text255,
} from '../../kernel/contract/fields.ts'
import { field, model } from '../../kernel/contract/model.ts'
import { activitiesShown, activityRetentionMs, linksCounted } from '../../kernel/limits/limits.ts'
import { day } from '../../kernel/util/time.ts'
import { exampleLinkFields, linkFieldDescriptions, linkFields } from '../../published-clients/link-fields.ts'

export const exampleShared = docs && { id: exampleBundle.id, name: exampleBundle.name }

/** A bundle or a directory that a link opens. */
export const OneTimeAccessTokenSharedObject = model(
  {
    id: field(id, docs && 'The ID of the bundle or directory in the product.'),
    name: field(
      nonEmptyText,
      docs &&
        'The name that the creator of the link sent, or one such as `Bundle 12`. It does not change with the object.',
    ),
  },
  docs && { description: 'A bundle or directory that an access link opens.', example: exampleShared },
)
export type OneTimeAccessTokenSharedObject = z.output<typeof OneTimeAccessTokenSharedObject>

const exampleActivity = docs && {
  id: 1_602_914_075,
  date: exampleTimes.lastSeen,
  ip: exampleAddress,
  token: exampleIds.accessLink,
}

export const OneTimeAccessTokenActivity = model(
  {
    id: field(id, docs && 'A random ID of the use, unique within its access link.'),
    date: field(readOnlyDateTime, docs && 'When the link was used: ISO 8601, UTC.'),
    ip: field(text255, docs && 'The IP address that the link was used from.'),
    token: field(id, docs && 'The ID of the access link.'),
  },
  docs && {
    description: `One use of an access link. Uses are kept for ${activityRetentionMs / day} days.`,
    example: exampleActivity,
  },
)
export type OneTimeAccessTokenActivity = z.output<typeof OneTimeAccessTokenActivity>

const text1023 = text(1023)
const sharedObjects = z.readonly(z.array(OneTimeAccessTokenSharedObject))
const maybeId = z.optional(z.readonly(z.nullable(id)))

export const OneTimeAccessToken = z.strictObject({
  id,
  activity: z.readonly(z.array(OneTimeAccessTokenActivity)),
  user: ServiceUserMini,
  ...linkFields,
  shared_bundles: sharedObjects,
  shared_directories: sharedObjects,
  full_url: readOnlyText,
  has_password: readOnlyFlag,
  url: text1023,
  token: text1023,
  created_at: readOnlyDateTime,
  view_limit_enabled: flag,
  view_limit_left: int32,
  expires: nullableDateTime,
  require_login: flag,
  created_by: z.optional(ServiceUserMini),
  organization: z.optional(id),
  is_easy_sharing_for_bundle: maybeId,
  is_easy_sharing_for_directory: maybeId,
})
export type OneTimeAccessToken = z.output<typeof OneTimeAccessToken>

const linkIdDescription = docs && 'The ID of the access link. It is not secret and opens nothing.'

const hasPasswordDescription =
  docs && 'Whether opening the link requires a password. The password itself is never returned.'

const urlDescription = docs && 'The page that the link opens, without the value of the link.'

const fullUrlDescription =
  docs &&
  'The complete link, which you send to the recipient. Its fragment contains the value, so browsers send it to no server. Secret: anyone with the link can use it.'

const examplePage = docs && {
  id: exampleIds.accessLink,
  has_password: false,
  user: exampleGuestMini,
  url: `${exampleUrl}/link`,
  full_url: `${exampleUrl}/link#token=${exampleCredentials.accessLink}`,
}

if (docs)
  describeModel(OneTimeAccessToken, () => ({
    description:
      'An access link, which opens objects of the product for one recipient. The interface calls it `access_token`. It stays readable after it has expired or is used up.',
    fields: {
      id: linkIdDescription,
      activity: `The uses of the link, newest first, at most ${activitiesShown}. Empty in sessions of access links.`,
      user: 'The recipient: a user, or a guest who exists for links only. Callers without `users:view` see only what the creator of the link sent.',
      ...linkFieldDescriptions,
      shared_bundles: 'The bundles that the link opens, at most 25.',
      shared_directories: 'The directories that the link opens, at most 25.',
      full_url: fullUrlDescription,
      has_password: hasPasswordDescription,
      url: urlDescription,
      token:
        'The value of the link, with the prefix `lka_`. Secret: anyone with it can open the link. Unlike other credentials, it can be read again.',
      created_at: 'When the link was created: ISO 8601, UTC.',
      view_limit_enabled: 'Whether the number of views is limited.',
      view_limit_left:
        'How many views are left. 0 means used up if `view_limit_enabled` is true, and has no meaning otherwise. Only redeeming the link takes a view.',
      expires: 'When the link ends, with all sessions that it opened: ISO 8601, UTC. Null for never.',
      require_login:
        'Whether only the recipient can open the link, with their own session. Always true for recipients who are no guests.',
      created_by:
        'The user who created the link. Missing if this user was deleted. The link works only while they are active and have `media:access`.',
      organization:
        'The ID of the organization in whose name the link was made. Missing for a link without one. Such a link works only while the organization is active, and its creator is a member with the permission `org:links:manage`.',
      is_easy_sharing_for_bundle:
        'The ID of the bundle if the creator asked for easy sharing of it, or null. An equal request then returns this link again.',
      is_easy_sharing_for_directory:
        'The ID of the directory if the creator asked for easy sharing of it, or null. An equal request then returns this link again.',
    },
    example: {
      ...examplePage,
      activity: [exampleActivity],
      ...exampleLinkFields,
      shared_bundles: [exampleShared],
      shared_directories: [],
      token: exampleCredentials.accessLink,
      created_at: exampleTimes.linkCreated,
      view_limit_enabled: true,
      view_limit_left: 2,
      expires: exampleTimes.end,
      require_login: false,
      created_by: exampleUserMini,
      is_easy_sharing_for_bundle: null,
      is_easy_sharing_for_directory: null,
    },
  }))

/** What everyone who has the value of a link can see of it. */
export const RestrictedOneTimeAccessToken = model(
  {
    id: field(id, docs && linkIdDescription),
    has_password: field(readOnlyFlag, docs && hasPasswordDescription),
    user: field(
      ServiceUserMini,
      docs &&
        'The recipient, as the creator of the link named them: by an address or as a placeholder such as `User 7`.',
    ),
    url: field(text1023, docs && urlDescription),
    full_url: field(readOnlyText, docs && fullUrlDescription),
    // Optional, so that no client requires them or fails because of them.
    shared_by: field(
      z.optional(readOnlyText),
      docs && 'The name of the user who created the link, as they chose it.',
    ),
    organization_name: field(
      z.optional(readOnlyText),
      docs && 'The name of the organization in whose name the link was made. Missing for a link without one.',
    ),
    product: field(
      z.optional(z.readonly(z.nullable(z.string()))),
      docs && 'The name of the product that the built-in page leads to, or null if there is none.',
    ),
    shared_items: field(
      z.optional(readOnlyTexts),
      docs &&
        'The names of the shared objects. Empty if the link requires a password or a sign-in, because they are shown only to its recipient.',
    ),
  },
  docs && {
    description:
      'What everyone who has the value of an access link can see of it. Reading it takes no view. Use it to build the page that opens the link.',
    example: {
      ...examplePage,
      shared_by: exampleUserMini.display_name,
      product: 'Shop',
      shared_items: [exampleShared.name],
    },
  },
)
export type RestrictedOneTimeAccessToken = z.output<typeof RestrictedOneTimeAccessToken>

/** How many access links have a state, up to a limit. */
export const AccessLinkCount = model(
  {
    count: field(int32.check(z.minimum(0)), docs && `The number of links, at most ${linksCounted}.`),
    has_more: field(z.boolean(), docs && 'Whether there are more links than `count`.'),
  },
  docs && {
    description: 'How many access links have a state.',
    example: { count: 57, has_more: false },
  },
)

export const AccessLinkTotals = model(
  {
    not_expired: field(
      AccessLinkCount,
      docs && 'The links that have not expired, also those that were used up.',
    ),
    expired: field(AccessLinkCount, docs && 'The links that have expired and were not deleted.'),
  },
  docs && {
    description: 'How many access links there are.',
    example: {
      not_expired: { count: 57, has_more: false },
      expired: { count: linksCounted, has_more: true },
    },
  },
)
