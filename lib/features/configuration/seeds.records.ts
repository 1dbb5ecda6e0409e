import { seedKey, seedKeyPrefix } from '../../kernel/table/keys/keys.ts'
import { partitions } from '../../kernel/table/keys/partitions.ts'
import { createCodec } from '../../kernel/table/records.ts'
import type { Table } from '../../kernel/table/table.ts'
import type { SeedKind } from './seed.models.ts'

/** What a seed made. */
export interface SeedRecord {
  readonly kind: SeedKind
  readonly key: string
  readonly id: number
  /** The hash of the entry that was applied last. */
  readonly given: string
}

const codec = createCodec<SeedRecord>('seeded thing', {
  kind: 'string',
  key: 'string',
  id: 'number',
  given: 'string',
})

/** Reads all that seeds made. One query for each 1 MB. */
export const listSeeded = async (table: Table): Promise<readonly SeedRecord[]> =>
  (await table.list(partitions.configuration, seedKeyPrefix)).map((item) => codec.decode(item))

export const noteSeeded = (table: Table, record: SeedRecord): Promise<void> =>
  table.put({ ...seedKey(record.kind, record.key), ...codec.encode(record) })
