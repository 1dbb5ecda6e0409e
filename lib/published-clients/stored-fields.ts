import {
  noAttributes,
  parseAttributes,
  readDefined,
  writeDefined,
} from '../kernel/contract/stored-attributes.ts'
import { type FieldError, invalidRequest } from '../kernel/errors/errors.ts'
import { clientFieldsBytes } from '../kernel/limits/limits.ts'

/*
 * Values that only published clients know. The service stores them with a user or a group, returns them, and does nothing
 * else with them. Both records have them as JSON text: see `stored-attributes.ts`.
 */

export const noClientFields = noAttributes

const buildUserDefaults = () => ({
  allow_wan_login: false as boolean,
  fm_bookmarks: [] as string[],
  gid: null as number | null,
  home: null as number | null,
  is_cloud: false as boolean,
  ldap: null as unknown,
  ldap_dn: null as string | null,
  shaper_ceiling: null as number | null,
  shaper_rate: null as number | null,
  uid: null as number | null,
  unix_username: null as string | null,
})

const buildGroupDefaults = () => ({
  gid: null as number | null,
  ldap: null as unknown,
  ldap_dn: null as string | null,
  ldap_guid: null as string | null,
  unix_groupname: null as string | null,
})

/** The values of a body. Omitted ones keep what is stored. */
type Given<Fields> = { readonly [Name in keyof Fields]?: Fields[Name] | undefined }

const storeFields = <Fields extends object>(buildDefaults: () => Fields) => {
  const read = (stored: string): Fields => {
    if (stored === noClientFields) return buildDefaults()
    const values = parseAttributes(stored)
    const fields = Object.entries(buildDefaults()).map(([name, value]) => [name, values.get(name) ?? value])
    return Object.fromEntries(fields)
  }
  /** @throws AppError `invalid_request` if the values are too long for a record */
  const write = (given: Given<Fields>, stored = noClientFields): string => {
    const values = new Map<string, unknown>(Object.entries(given))
    const defaults = new Map(Object.entries(buildDefaults()))
    const kept = Object.entries(read(stored))
      .map(([name, value]) => {
        const wanted = values.get(name)
        return [name, wanted === undefined ? value : wanted] as const
      })
      .filter(([name, value]) => JSON.stringify(value) !== JSON.stringify(defaults.get(name)))
    const text = JSON.stringify(Object.fromEntries(kept))
    if (Buffer.byteLength(text) > clientFieldsBytes) throw invalidRequest([describeLongest(kept)])
    return writeDefined(text, readDefined(stored))
  }
  return { read, write }
}

const describeLongest = (fields: readonly (readonly [string, unknown])[]): FieldError => {
  const [longest] = [...fields].sort((a, b) => JSON.stringify(b[1]).length - JSON.stringify(a[1]).length)
  const message = `is too long: the fields of published clients have at most ${clientFieldsBytes} bytes together`
  return { field: longest?.[0] ?? 'body', message }
}

export const userClientFields = storeFields(buildUserDefaults)
export const groupClientFields = storeFields(buildGroupDefaults)

/** The names of the fields that a user has in published clients. */
export const userClientFieldNames: readonly string[] = Object.keys(buildUserDefaults())

/** Fields of users for which this service has no values. */
const absentUserFields = {
  allowed_fs_paths: null,
  allowed_fs_write_paths: null,
  avatar: null,
  is_cloud_default: false,
  ldap_guid: null,
}

/** The fields in the single view of a user. */
export const showUserClientFields = (stored: string) => ({
  ...absentUserFields,
  ...userClientFields.read(stored),
})

/** The fields in lists of users. Of LDAP data, clients expect only the ID of the server there. */
export const listUserClientFields = (stored: string) => {
  const fields = showUserClientFields(stored)
  return { ...fields, ldap: readLdapId(fields.ldap) }
}

/** The fields where another object refers to a user. */
export const referUserClientFields = (stored: string) => ({
  is_cloud: userClientFields.read(stored).is_cloud,
})

/** The fields in the profile of a user. */
export const profileClientFields = (stored: string) => {
  const { fm_bookmarks, shaper_ceiling, shaper_rate, unix_username } = userClientFields.read(stored)
  // The profile uses null where the detail has an empty name.
  return { avatar: null, fm_bookmarks, shaper_ceiling, shaper_rate, unix_username: unix_username || null }
}

/** The fields that users can set in their own profile, and the only ones with long lists, without values. */
export const emptyProfileFields = () => ({ fm_bookmarks: buildUserDefaults().fm_bookmarks })

/** The fields of a member in the preview of a group. */
export const memberPreviewClientFields = { avatar: null }

/** The fields in lists of groups. */
export const listGroupClientFields = (stored: string) => {
  const fields = groupClientFields.read(stored)
  return { ...fields, ldap: readLdapId(fields.ldap) }
}

/** The fields of an access link, from the IDs of its permissions. */
export const showLinkClientFields = (permissionIds: readonly number[]) => ({
  media_root_permissions: [...permissionIds],
})

/** The ID of an LDAP server: the value itself, or its field `id`. Null for anything else. */
const readLdapId = (value: unknown): number | null => {
  const id = typeof value === 'object' && value !== null && 'id' in value ? value.id : value
  return typeof id === 'number' && Number.isInteger(id) && id >= 1 && id < 2 ** 31 ? id : null
}

/** Filters of the list of users. */
export interface UserClientFilters {
  readonly is_cloud?: boolean | undefined
  readonly home?: string | undefined
}

/** What the filters compare, as a short text for the entry of a user in the list. */
export const summarizeClientFields = (stored: string): string => {
  const { is_cloud, home } = userClientFields.read(stored)
  return `${is_cloud ? 'c' : '-'}${home ?? ''}`
}

/** Returns whether the filters select a user with such a summary. Undefined if they select every user. */
export const buildClientFieldMatcher = ({
  is_cloud,
  home,
}: UserClientFilters): ((summary: string) => boolean) | undefined =>
  is_cloud === undefined && home === undefined
    ? undefined
    : (summary) =>
        (is_cloud === undefined || summary.startsWith('c') === is_cloud) &&
        (home === undefined || (home !== '' && summary.slice(1) === home))
