import { type Page, type PageRequest, readPage } from '../engine/listing.ts'
import { mergeSources } from '../engine/merge-lists.ts'
import { readRecords } from '../engine/read-records.ts'
import type { Table } from '../engine/table.ts'
import { timedListPartitions } from '../keys/listing-keys.ts'
import { type ApiTokenRecord, apiTokenCodec } from './api-token-record.ts'

/** Reads a page of the API tokens of all users, in order of time. */
export const readApiTokenPage = (table: Table, request: PageRequest): Promise<Page<ApiTokenRecord>> => {
  const lists = timedListPartitions('api-token').map((pk) => ({ pk, isListing: true }))
  return readPage(table, mergeSources(table, lists), request, (entries) =>
    readRecords(
      table,
      apiTokenCodec,
      entries.map(({ key }) => key),
    ),
  )
}
