/** The members of inputs and outputs that contain a record, or a list of records. */
export const recordMembers: ReadonlySet<string> = new Set([
  'Key',
  'Keys',
  'Item',
  'Items',
  'Attributes',
  'ExpressionAttributeValues',
  'ExclusiveStartKey',
  'LastEvaluatedKey',
])

/** The members that contain records at a deeper level: keys or items by table. */
export const byTable: ReadonlySet<string> = new Set(['RequestItems', 'UnprocessedKeys', 'Responses'])
