import * as z from 'zod/mini'
import { describeForPublishedClients } from '../kernel/contract/describe.ts'
import { onlyStored } from '../kernel/contract/descriptions/common-texts.ts'
import {
  anyText,
  id,
  jsonValue,
  nullableDisplayText255,
  nullableTextUpTo255,
} from '../kernel/contract/fields.ts'
import { field, settable, sharedFields } from '../kernel/contract/model.ts'
import { ldapNameText, ldapServerIdText, ldapText, unixGroupIdText } from './describe-fields.ts'
import { listGroupClientFields, noClientFields } from './stored-fields.ts'
import { nullableInt32 } from './user-fields.ts'

/* The fields of groups that only published clients know: see `user-fields.ts`. */

const rights = { by: ['service'], seenBy: ['service'] } as const
const givenName = { given: nullableDisplayText255, ...rights }

/** Fields of the single view of a group. */
export const groupDetailFields = sharedFields({
  gid: settable(nullableInt32, docs && describeForPublishedClients(unixGroupIdText), rights),
  ldap_dn: settable(nullableTextUpTo255, docs && describeForPublishedClients(ldapNameText), givenName),
  ldap_guid: settable(
    z.nullable(anyText),
    docs &&
      describeForPublishedClients(
        `The ID of the group in an LDAP directory, or null. ${onlyStored} Default: null.`,
      ),
    rights,
  ),
  unix_groupname: settable(
    nullableTextUpTo255,
    docs && describeForPublishedClients(`The Unix name of the group, or null. ${onlyStored} Default: null.`),
    givenName,
  ),
  ldap: settable(jsonValue, docs && describeForPublishedClients(ldapText), rights),
})

/** Fields of groups in a list. */
export const groupListFields = sharedFields({
  ...groupDetailFields,
  ldap: field(z.nullable(id), docs && describeForPublishedClients(ldapServerIdText), rights),
})

export const exampleGroupFields = docs && listGroupClientFields(noClientFields)
