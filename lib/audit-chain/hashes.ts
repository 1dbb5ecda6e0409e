import { createHash } from 'node:crypto'
import type { ChainBlock } from '../store/audit/chain.ts'
import type { Item } from '../store/engine/transaction.ts'

/** How a block names an event: its sort key, and `proveEvent`. */
export const describeEvent = (item: Item): string => `${item.sk} ${proveEvent(item)}`

/** The hash of everything that is stored of an event, in base64url, a space, and when the event expires in epoch seconds. */
export const proveEvent = (item: Item): string => `${hashText(serialize(item))} ${Number(item['expires_at'])}`

/** The hash of a block without its own hash. It includes the previous block's hash, and with it all earlier blocks. */
export const hashBlock = (block: Omit<ChainBlock, 'hash'>): string => {
  const { shard, number, chainedAt, previousHash, previousAt, firstSequence, entries } = block
  const { expiresAt, previousExpiresAt } = block
  return hashText(
    serialize([
      ...['block', shard, number, chainedAt, expiresAt],
      ...[previousHash, previousAt, previousExpiresAt, firstSequence, entries],
    ]),
  )
}

export const hashText = (text: string): string => createHash('sha256').update(text).digest('base64url')

/** JSON with the names of each object in order, so that equal values have equal texts. */
const serialize = (value: unknown): string =>
  JSON.stringify(value, (_, part: unknown) =>
    part !== null && typeof part === 'object' && !Array.isArray(part)
      ? Object.fromEntries(Object.entries(part).sort(([a], [b]) => (a < b ? -1 : 1)))
      : part,
  )
