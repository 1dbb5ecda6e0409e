import * as z from 'zod/mini'
import { onlyStored } from '../kernel/contract/descriptions/common-texts.ts'
import {
  anyText,
  flag,
  id,
  int32,
  integer,
  jsonValue,
  nonEmptyText,
  nullableDisplayText255,
  nullableTextUpTo255,
  readOnlyFlag,
  texts,
} from '../kernel/contract/fields.ts'
import { queryBoolean, queryText } from '../kernel/contract/query.ts'
import {
  forPublishedClients,
  ldapNameText,
  ldapServerIdText,
  ldapText,
  type PublishedClientText,
  unixGroupIdText,
} from './describe-fields.ts'
import {
  listUserClientFields,
  noClientFields,
  profileClientFields,
  showUserClientFields,
  userClientFields,
} from './stored-fields.ts'

/*
 * The fields of users that only published clients know: parts to spread into the models of the service, with their texts.
 * `stored-fields.ts` has their values.
 */

export const nullableInt32 = z.nullable(int32)
const avatar = z.readonly(z.nullable(nonEmptyText))
/** Bytes per second. */
const bandwidth = z.nullable(integer.check(z.minimum(0)))
const absentTexts = z.readonly(z.nullable(texts))

const viewFields = {
  allow_wan_login: flag,
  allowed_fs_paths: absentTexts,
  allowed_fs_write_paths: absentTexts,
  avatar,
  fm_bookmarks: texts,
  gid: nullableInt32,
  home: z.nullable(id),
  is_cloud: flag,
  is_cloud_default: readOnlyFlag,
  ldap_dn: nullableTextUpTo255,
  ldap_guid: z.optional(z.readonly(z.nullable(anyText))),
  shaper_ceiling: bandwidth,
  shaper_rate: bandwidth,
  uid: nullableInt32,
  unix_username: nullableTextUpTo255,
}

/** Fields of the single view of a user, and of rows in a list. */
export const userDetailFields = { ...viewFields, ldap: jsonValue }
/** Fields of a user as a member of a group. */
export const userMemberFields = { ...viewFields, ldap: z.optional(z.readonly(z.nullable(id))) }
/** Fields of a user where another object refers to them. */
export const userReferenceFields = { is_cloud: flag }

const maybeFlag = z.optional(flag)
const maybeInt32 = z.optional(nullableInt32)
const maybeName = z.optional(nullableDisplayText255)
const maybeBandwidth = z.optional(bandwidth)

/** Fields that a request can set. */
export const userChangeFields = {
  allow_wan_login: maybeFlag,
  fm_bookmarks: z.optional(texts),
  gid: maybeInt32,
  home: z.optional(z.nullable(id)),
  is_cloud: maybeFlag,
  ldap: z.optional(jsonValue),
  ldap_dn: maybeName,
  shaper_ceiling: maybeBandwidth,
  shaper_rate: maybeBandwidth,
  uid: maybeInt32,
  unix_username: maybeName,
}

const readOnlyBandwidth = z.optional(z.readonly(z.nullable(integer)))

/** Fields of the own profile. */
export const profileFields = {
  avatar,
  fm_bookmarks: texts,
  ldap: z.optional(jsonValue),
  shaper_ceiling: readOnlyBandwidth,
  shaper_rate: readOnlyBandwidth,
  unix_username: z.optional(z.readonly(z.nullable(nonEmptyText))),
}

/** Fields that users can set in their own profile. */
export const profileChangeFields = { fm_bookmarks: userChangeFields.fm_bookmarks }

/** Fields of a member in the preview of a group. */
export const memberPreviewFields = { avatar: z.readonly(z.nullable(anyText)) }

/** Parameters of operations that return users. */
export const userViewParameters = { include_allowed_fs_paths: z.optional(queryBoolean) }

/** Parameters of the list of users. */
export const userListParameters = {
  ...userViewParameters,
  is_cloud: z.optional(queryBoolean),
  // Published clients declare a text, although a user's `home` is a number.
  home: z.optional(queryText),
  include_client_sessions: z.optional(queryBoolean),
}

export const profileChangeDescriptions =
  docs &&
  forPublishedClients({
    fm_bookmarks: `Bookmarks of the user in the product, in any form. ${onlyStored} Default: empty.`,
  })

export const userChangeDescriptions = docs && {
  ...profileChangeDescriptions,
  ...forPublishedClients({
    allow_wan_login: `Stored for clients, which may allow sign-in from other networks with it. It does not limit sign-ins to this service. Default: \`false\`.`,
    gid: unixGroupIdText,
    home: `The ID of a home folder in the product, or null. ${onlyStored} Default: null.`,
    is_cloud: `Whether clients treat the user as a cloud user. ${onlyStored} Default: \`false\`.`,
    ldap: ldapText,
    ldap_dn: ldapNameText,
    shaper_ceiling: `The highest bandwidth in bytes per second, or null for no limit. ${onlyStored} Default: null.`,
    shaper_rate: `The usual bandwidth in bytes per second, or null for no limit. ${onlyStored} Default: null.`,
    uid: `The Unix user ID, or null. ${onlyStored} Default: null.`,
    unix_username: `The Unix username, or null. ${onlyStored} Default: null.`,
  }),
}

/** The reference shows the same texts with each model, so this one refers to another. */
export const userExportDescriptions =
  docs &&
  (Object.fromEntries(
    Object.keys(userChangeDescriptions).map((field) => [
      field,
      { description: 'As in `ServiceUserDetail`.', isForPublishedClients: true },
    ]),
  ) as { readonly [Field in keyof typeof userChangeDescriptions]: PublishedClientText })

const absentDescription = docs && 'Always null in this service.'

export const memberPreviewDescriptions =
  docs &&
  forPublishedClients({
    avatar: `A picture of the user. ${absentDescription}`,
  })

export const userDetailDescriptions = docs && {
  ...userChangeDescriptions,
  ...memberPreviewDescriptions,
  ...forPublishedClients({
    allowed_fs_paths: `Folders that the user may read in the product. ${absentDescription}`,
    allowed_fs_write_paths: `Folders that the user may write in the product. ${absentDescription}`,
    is_cloud_default: 'Always `false` in this service.',
    ldap_guid: `The ID of the user in an LDAP directory. ${absentDescription}`,
  }),
}

export const userMemberDescriptions = docs && {
  ...userDetailDescriptions,
  ...forPublishedClients({ ldap: ldapServerIdText }),
}

export const userReferenceDescriptions = docs && { is_cloud: userDetailDescriptions.is_cloud }

export const profileDescriptions = docs && {
  ...profileChangeDescriptions,
  ...memberPreviewDescriptions,
  ldap: userDetailDescriptions.ldap,
  shaper_ceiling: userDetailDescriptions.shaper_ceiling,
  shaper_rate: userDetailDescriptions.shaper_rate,
  unix_username: userDetailDescriptions.unix_username,
}

export const userViewDescriptions =
  docs &&
  forPublishedClients({
    include_allowed_fs_paths:
      'Known to published clients. It changes nothing: `allowed_fs_paths` is always null in this service.',
  })

export const userListDescriptions =
  docs &&
  ({
    ...userViewDescriptions,
    ...forPublishedClients({
      include_client_sessions:
        'Known to earlier published clients. It changes nothing: this service has no client sessions.',
    }),
    is_cloud: {
      description: 'Only users whose stored `is_cloud` is this value.',
      example: 'false',
      isForPublishedClients: true,
    },
    home: {
      description: 'Only users whose stored `home` is this number. Any other text selects no user.',
      example: '12',
      isForPublishedClients: true,
    },
  } as const)

export const exampleUserChangeFields = docs && userClientFields.read(noClientFields)
export const exampleUserDetailFields = docs && showUserClientFields(noClientFields)
export const exampleUserMemberFields = docs && listUserClientFields(noClientFields)
export const exampleProfileFields = docs && profileClientFields(noClientFields)
export const exampleProfileChange = docs && { fm_bookmarks: ['/projects'] }
