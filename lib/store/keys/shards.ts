import { createHash } from 'node:crypto'

/**
 * The shard from 0 to `count` - 1 that a text belongs to. Equal texts have equal shards, and different texts spread
 * evenly. DynamoDB limits the writes of a partition key to 1,000 units in a second, so busy kinds of items use several.
 */
export const getShard = (text: string, count: number): number =>
  (createHash('sha256').update(text).digest()[0] ?? 0) % count
