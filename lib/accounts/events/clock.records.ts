import { auditKey, eventIndexKeys, type IndexedEvent } from '../../kernel/table/keys/audit-keys.ts'
import { partitions } from '../../kernel/table/keys/partitions.ts'
import type { Item } from '../../kernel/table/transaction.ts'
import { isPersonalValues } from './personal-values.records.ts'

/*
 * A clock can go back: a machine sleeps, is restored, or gets the right time again. An event with a time that the chains have
 * passed would look as if someone had added it later. So no event gets a time before what the chains of its table have
 * reached. The time of the clock is stored beside it.
 */

interface Progress {
  /** How far the chains of the table are, in epoch milliseconds. */
  readonly reachedAt: number
  /** The latest time that an event got instead of that of the clock. The order of events stays. */
  latestMovedAt: number
}

/** By the name of the table. The functions of local mode share a process, and see what the chains have reached. */
const progress = new Map<string, Progress>()

/** Forgets what the chains of a table have reached. */
export const forgetAuditProgress = (tableName: string): void => {
  progress.delete(tableName)
}

/** Notes that this process added the events up to a time to a chain. */
export const noteAuditProgress = (tableName: string, ms: number): void => {
  const known = progress.get(tableName)
  if (ms > (known?.reachedAt ?? 0))
    progress.set(tableName, { reachedAt: ms, latestMovedAt: Math.max(ms, known?.latestMovedAt ?? 0) })
}

/** The time for the work of the chains: that of the clock, or what they have reached if that is later. */
export const getAuditTime = (tableName: string, nowMs: number): number =>
  Math.max(nowMs, progress.get(tableName)?.reachedAt ?? 0)

/** A clock may be this much behind that of DynamoDB. Between two searches for late events, more time passes. */
const toleratedMs = 60_000

/** The time of a new event, in epoch milliseconds. `serverMs` is a time that has passed for certain, if one is known. */
const getEventTime = (tableName: string, clockMs: number, serverMs = 0): number => {
  const known = progress.get(tableName)
  const at = serverMs - clockMs > toleratedMs ? serverMs : clockMs
  if (!known || at > known.reachedAt) return at
  known.latestMovedAt += 1
  return known.latestMovedAt
}

interface AuditWriting {
  readonly tableName: string
  readonly retentionMs: number
  /** How long the values of people that events name are kept. */
  readonly personalMs: number
}

/**
 * Creates a function that completes items before they are written. Audit events get their final time, and when they expire. The values of
 * people beside them get when these expire.
 */
export const createAuditCompletion =
  ({ tableName, retentionMs, personalMs }: AuditWriting) =>
  (item: Item, serverMs?: number): Item => {
    if (isPersonalValues(item))
      return { ...item, expires_at: Math.ceil((Number(item['at']) + personalMs) / 1000) }
    if (!item.pk.startsWith(partitions.audit) || item['expires_at'] !== undefined) return item
    const clockMs = Number(item['at'])
    const at = getEventTime(tableName, clockMs, serverMs)
    return {
      ...(at === clockMs ? item : moveEvent(item, at)),
      expires_at: Math.ceil((at + retentionMs) / 1000),
    }
  }

const moveEvent = (item: Item, at: number): Item => {
  const indexKey = `${new Date(at).toISOString()}${item.sk.slice(24)}`
  return {
    ...item,
    ...auditKey(indexKey),
    ...eventIndexKeys(item as Item & IndexedEvent, indexKey),
    at,
    clockAt: item['at'],
  }
}
