import { connectionRefreshKey } from '../../kernel/table/keys/keys.ts'
import { createCodec, findRecord } from '../../kernel/table/records.ts'
import { replaceSettings } from '../../kernel/table/replace-settings.ts'
import type { Table } from '../../kernel/table/table.ts'
import { EditConflict } from '../../kernel/table/transaction.ts'
import { omitUndefined } from '../../kernel/util/object-fields.ts'

/** How far the refresh of all connections is. One round takes each of them once. */
export interface RefreshProgress {
  /** When the round started, in epoch milliseconds. */
  readonly startedAt: number
  /** The kind of connections that the round takes now. Missing at the end of the round. */
  readonly kind?: string | undefined
  /** Where the list of this kind continues. Missing at its beginning. */
  readonly after?: string | undefined
  readonly version: number
}

const progressCodec = createCodec<RefreshProgress>('refresh of connections', {
  startedAt: 'number',
  version: 'number',
})

export const findRefreshProgress = (table: Table): Promise<RefreshProgress | undefined> =>
  findRecord(table, progressCodec, connectionRefreshKey)

/** Stores how far a run is, before it goes there. Returns undefined if another run did so since the progress was read. */
export const storeRefreshProgress = async (
  table: Table,
  before: RefreshProgress | undefined,
  fields: Omit<RefreshProgress, 'version'>,
): Promise<RefreshProgress | undefined> => {
  try {
    await replaceSettings(table, { key: connectionRefreshKey, before, fields: omitUndefined(fields) }, [])
    return { ...fields, version: (before?.version ?? 0) + 1 }
  } catch (error) {
    if (error instanceof EditConflict) return undefined
    throw error
  }
}
