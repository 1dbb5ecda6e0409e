import { createCodec } from '../engine/codec.ts'
import { userTemplateKey } from '../engine/keys.ts'
import type { UniqueNameKind, UniqueNameRecord } from '../engine/unique-name-records.ts'

/** The initial fields of users who are created automatically. */
export interface UserTemplateRecord extends UniqueNameRecord {
  readonly permissions: readonly string[]
  readonly groups: readonly number[]
  readonly language: string | null
  readonly defaultPage: string
  readonly isExternal: boolean
}

export const userTemplateKind: UniqueNameKind<UserTemplateRecord> = {
  name: 'user-template',
  keyOf: userTemplateKey,
  codec: createCodec<UserTemplateRecord>('user template', {
    id: 'number',
    name: 'string',
    normalizedName: 'string',
    version: 'number',
    permissions: 'list',
    groups: 'list',
    isExternal: 'boolean',
  }),
}
