import type * as z from 'zod/mini'
import type { ColumnForms } from '../kernel/contract/column-form.ts'
import type { userChangeFields } from './user-fields.ts'

type Changes = { readonly [Name in keyof typeof userChangeFields]: z.output<(typeof userChangeFields)[Name]> }

/** The form in CSV of the fields that only published clients know. */
export const userColumnForms: ColumnForms<Changes> = {
  allow_wan_login: 'number or flag',
  fm_bookmarks: 'list',
  gid: 'number or flag',
  home: 'number or flag',
  is_cloud: 'number or flag',
  ldap: 'json',
  ldap_dn: 'text',
  shaper_ceiling: 'number or flag',
  shaper_rate: 'number or flag',
  uid: 'number or flag',
  unix_username: 'text',
}
