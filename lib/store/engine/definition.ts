/**
 * The only table, as the deployed stack and local mode create it. Keys are strings. The index contains only keys, so
 * that a listing costs as much as its page and never reads the other attributes of a record.
 */
export const tableDefinition = {
  partitionKey: 'pk',
  sortKey: 'sk',
  /** Epoch seconds after which DynamoDB may remove an item. Because it does so late, reads check the time as well. */
  ttlAttribute: 'expires_at',
  listing: { indexName: 'listing', partitionKey: 'lpk', sortKey: 'lsk', projection: 'KEYS_ONLY' },
} as const
