import { createCodec } from '../engine/codec.ts'
import { groupKey } from '../engine/keys.ts'
import type { UniqueNameKind, UniqueNameRecord } from '../engine/unique-name-records.ts'

/** A group as stored. Its members are separate items: see `directory/memberships.ts`. */
export interface GroupRecord extends UniqueNameRecord {
  readonly permissions: readonly string[]
  /** JSON text, so that a client reads exactly what it wrote. */
  readonly ldap: string
  readonly ldapDn: string | null
  readonly ldapGuid: string | null
  readonly unixGroupname: string | null
  readonly gid: number | null
}

export const groupKind: UniqueNameKind<GroupRecord> = {
  name: 'group',
  keyOf: groupKey,
  codec: createCodec<GroupRecord>('group', {
    id: 'number',
    name: 'string',
    normalizedName: 'string',
    version: 'number',
    permissions: 'list',
  }),
}
