import type { Key } from './keys/keys.ts'
import type { ReservedIds, TableWrites } from './table.ts'
import { ConditionFailed } from './transaction.ts'

interface Block extends ReservedIds {
  readonly size: number
  readonly lastUsableAt: number
  used: number
}

/**
 * How long a process uses a block, in milliseconds. The order of IDs is the order of creation up to this time.
 */
export const idBlockMs = 1000
/** The largest block. A process that needs more in a second reserves several. */
export const idBlockMax = 256
/** The tolerated difference between clocks. A clock that is further ahead must not set the time for all others. */
const clockToleranceMs = 60_000

/**
 * Takes IDs from blocks that this process reserves at a counter. The first block has one ID, and blocks double while a
 * process uses them up within a second. So only a busy process loses IDs: those that remain after the second, or when it
 * stops. No ID is taken twice: if the answer of the table is lost, the block is lost as well.
 */
export const createIdBlocks = (update: TableWrites['update']): TableWrites['nextIds'] => {
  const blocks = new Map<string, Block>()
  const queues = new Map<string, Promise<unknown>>()

  const take = async (key: Key, count: number, nowMs: number): Promise<ReservedIds> => {
    const known = blocks.get(key.pk)
    const isFresh =
      known !== undefined && known.lastUsableAt >= nowMs && known.lastUsableAt <= nowMs + idBlockMs
    const isUsable = isFresh && known.used + count <= known.size
    const block = isUsable ? known : await reserveBlock(update, key, chooseSize(known, isFresh, count), nowMs)
    blocks.set(key.pk, block)
    const first = block.first + block.used
    block.used += count
    return { first, at: block.at }
  }

  return (key, count = 1, nowMs = Date.now()) => {
    // Concurrent callers take from one block, one after the other.
    const taken = (queues.get(key.pk) ?? Promise.resolve())
      .catch(() => {})
      .then(() => take(key, count, nowMs))
    queues.set(key.pk, taken)
    return taken
  }
}

const chooseSize = (known: Block | undefined, isFresh: boolean, count: number): number => {
  if (!known) return count
  return Math.max(count, Math.min(idBlockMax, isFresh ? 2 * known.size : known.used))
}

const reserveBlock = async (
  update: TableWrites['update'],
  key: Key,
  size: number,
  nowMs: number,
): Promise<Block> => {
  const { last, at } = await increaseCounter(update, key, size, nowMs)
  return { first: last - size + 1, size, at, used: 0, lastUsableAt: nowMs + idBlockMs }
}

/** Increases a counter, which also keeps the latest time. */
const increaseCounter = async (
  update: TableWrites['update'],
  key: Key,
  size: number,
  nowMs: number,
): Promise<{ readonly last: number; readonly at: number }> => {
  try {
    const { last } = await update(key, (x) => ({
      set: [
        `${x.path('last')} = if_not_exists(${x.path('last')}, ${x.value(0)}) + ${x.value(size)}`,
        `${x.path('at')} = ${x.value(nowMs)}`,
      ],
      condition: [
        `attribute_not_exists(${x.path('at')})`,
        `${x.path('at')} <= ${x.value(nowMs)}`,
        `${x.path('at')} > ${x.value(nowMs + clockToleranceMs)}`,
      ].join(' OR '),
    }))
    return { last: Number(last), at: nowMs }
  } catch (error) {
    if (!(error instanceof ConditionFailed)) throw error
  }
  // A request with a later time was first. Its clock may be ahead, or it was faster.
  const { last, at } = await update(key, (x) => ({
    set: [`${x.path('last')} = ${x.path('last')} + ${x.value(size)}`],
  }))
  return { last: Number(last), at: Number(at) }
}
