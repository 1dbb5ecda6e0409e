import * as z from 'zod/mini'
import { onlyStored } from '../kernel/contract/descriptions/common-texts.ts'
import {
  anyText,
  id,
  jsonValue,
  nullableDisplayText255,
  nullableTextUpTo255,
} from '../kernel/contract/fields.ts'
import {
  forPublishedClients,
  ldapNameText,
  ldapServerIdText,
  ldapText,
  unixGroupIdText,
} from './describe-fields.ts'
import { listGroupClientFields, noClientFields } from './stored-fields.ts'
import { nullableInt32 } from './user-fields.ts'

/* The fields of groups that only published clients know: see `user-fields.ts`. */

const viewFields = {
  gid: nullableInt32,
  ldap_dn: nullableTextUpTo255,
  ldap_guid: z.nullable(anyText),
  unix_groupname: nullableTextUpTo255,
}

/** Fields of the single view of a group. */
export const groupDetailFields = { ...viewFields, ldap: jsonValue }
/** Fields of groups in a list. */
export const groupListFields = { ...viewFields, ldap: z.nullable(id) }

const maybeName = z.optional(nullableDisplayText255)

/** Fields that a request can set. */
export const groupChangeFields = {
  gid: z.optional(nullableInt32),
  ldap: z.optional(jsonValue),
  ldap_dn: maybeName,
  ldap_guid: z.optional(z.nullable(anyText)),
  unix_groupname: maybeName,
}

export const groupDetailDescriptions =
  docs &&
  forPublishedClients({
    gid: unixGroupIdText,
    ldap: ldapText,
    ldap_dn: ldapNameText,
    ldap_guid: `The ID of the group in an LDAP directory, or null. ${onlyStored} Default: null.`,
    unix_groupname: `The Unix name of the group, or null. ${onlyStored} Default: null.`,
  })

export const groupListDescriptions = docs && {
  ...groupDetailDescriptions,
  ...forPublishedClients({ ldap: ldapServerIdText }),
}

export const exampleGroupFields = docs && listGroupClientFields(noClientFields)
