/**
 * The one table, as the deployed stack and local mode both make it. Keys and index are text; the index holds
 * keys alone, so that a listing costs by its page and a record's other fields never pass through it.
 */
export const tableDefinition = {
  partitionKey: 'pk',
  sortKey: 'sk',
  /** Epoch seconds after which the record may be removed; every read compares its own expiry all the same. */
  ttlAttribute: 'expires_at',
  listing: { indexName: 'listing', partitionKey: 'lpk', sortKey: 'lsk', projection: 'KEYS_ONLY' },
} as const
