import { endSession } from '../../accounts/sessions/end-sessions.records.ts'
import {
  getSignOutKeys,
  hashName,
  type SessionMarker,
  sessionMarkerCodec,
} from '../../accounts/sessions/session-index.records.ts'
import { type SessionRecord, sessionCodec } from '../../accounts/sessions/stored-session.records.ts'
import {
  connectionClosedKeys,
  connectionSessionPrefix,
  connectionSessionsPartitionOf,
  connectionSessionsPartitions,
} from '../../kernel/table/keys/connection-keys.ts'
import { connectionDeletionKey, sessionKey } from '../../kernel/table/keys/keys.ts'
import { readEntryPages } from '../../kernel/table/listing.ts'
import { findRecord } from '../../kernel/table/records.ts'
import type { Table } from '../../kernel/table/table.ts'
import { type Step, wasCommitted } from '../../kernel/table/transaction.ts'
import { day, minute } from '../../kernel/util/time.ts'
import { mapInBatches } from '../../kernel/util/work.ts'

/** The user whom an identity provider signs out. */
export interface ProviderSignOut {
  readonly providerId: number
  readonly nameId: string
  readonly nameIdFormat: string | null
  /** The provider's names of its sessions that end. Empty for all of them. */
  readonly sessionIndexes: readonly string[]
  /** When the provider issued the request, in epoch milliseconds. */
  readonly issuedAt: number
}

export interface EndingOptions {
  /** Epoch milliseconds. */
  readonly nowMs: number
  /** Further steps of the transaction that ends a session. */
  readonly extraSteps: (session: SessionRecord) => readonly Step[]
  /** Which of the sessions end. Default: all. */
  readonly mayEnd?: (session: SessionRecord) => boolean
  /** Is called before each session. False stops the work. */
  readonly mayContinue: () => boolean
}

export interface Ending {
  readonly ended: number
  /** Whether no session remains. */
  readonly isComplete: boolean
}

const pageSize = 50

/**
 * Ends the sessions from which a provider signs a user out. Stores the sign-out first, so that an assertion that was
 * issued before and arrives later opens no session (SAML Core 3.7.3.2). If the work stops early, another call
 * continues it.
 */
export const endNamedSessions = async (
  table: Table,
  signOut: ProviderSignOut,
  signOutRetentionMs: number,
  options: EndingOptions,
): Promise<Ending> => {
  await storeSignOut(table, signOut, options.nowMs + signOutRetentionMs)
  const nameIdHash = hashName(signOut.nameId)
  const prefix = `${connectionSessionPrefix}${nameIdHash}#`
  const isIncluded = (marker: SessionMarker) => matchesSignOut(marker, signOut)
  const partitions = [connectionSessionsPartitionOf(signOut.providerId, nameIdHash)]
  return endMarkedSessions(table, { partitions, prefix, isIncluded }, options)
}

/**
 * Ends all sessions from a provider that was deleted or stopped. First it prevents new ones: a sign-in that read the provider before
 * commits either before, and then its session is found, or not at all.
 */
export const endSessionsOfProvider = async (
  table: Table,
  providerId: number,
  options: EndingOptions & { readonly isStopped: boolean },
): Promise<Ending> => {
  const deletionKey = connectionDeletionKey(providerId)
  const isDeletion = (await table.get(deletionKey)) !== undefined
  if (isDeletion || options.isStopped)
    await closeProvider(table, providerId, options.nowMs + closedMs[isDeletion ? 'deleted' : 'stopped'])
  const partitions = connectionSessionsPartitions(providerId)
  const filter = { partitions, prefix: connectionSessionPrefix, isIncluded: () => true }
  const ending = await endMarkedSessions(table, filter, options)
  if (isDeletion && ending.isComplete) await table.transact([{ delete: deletionKey }])
  return ending
}

/**
 * How long no sign-in stores a session. This matters only to those that are running now: later ones find that the provider is gone, or
 * waits for an approval.
 */
const closedMs = { deleted: day, stopped: minute }
const writesAtOnce = 8

const closeProvider = async (table: Table, providerId: number, untilMs: number): Promise<void> => {
  const expires_at = Math.ceil(untilMs / 1000)
  await mapInBatches(connectionClosedKeys(providerId), writesAtOnce, (key) =>
    table.put({ ...key, expires_at }),
  )
}

const storeSignOut = async (table: Table, signOut: ProviderSignOut, untilMs: number): Promise<void> => {
  const { providerId, nameId, sessionIndexes, issuedAt } = signOut
  // A later sign-out that is stored already includes this one.
  for (const key of getSignOutKeys(providerId, nameId, sessionIndexes))
    await wasCommitted(
      table.update(key, (x) => ({
        set: [
          `${x.path('issuedAt')} = ${x.value(issuedAt)}`,
          `${x.path('expires_at')} = ${x.value(Math.ceil(untilMs / 1000))}`,
        ],
        condition: `attribute_not_exists(${x.path('issuedAt')}) OR ${x.path('issuedAt')} < ${x.value(issuedAt)}`,
      })),
    )
}

/** Two different formats mean two users (SAML Core 3.3.4). Providers often leave the format out of one message. */
const matchesSignOut = (
  marker: SessionMarker,
  { nameIdFormat, sessionIndexes }: ProviderSignOut,
): boolean => {
  const formats = [marker.nameIdFormat, nameIdFormat].filter(
    (format) => format !== null && !format.endsWith(':unspecified'),
  )
  const isSameIndex =
    sessionIndexes.length === 0 ||
    (marker.sessionIndex !== null && sessionIndexes.includes(marker.sessionIndex))
  return isSameIndex && new Set(formats).size < 2
}

interface MarkerFilter {
  readonly partitions: readonly string[]
  readonly prefix: string
  readonly isIncluded: (marker: SessionMarker) => boolean
}

const endMarkedSessions = async (
  table: Table,
  { partitions, ...filter }: MarkerFilter,
  options: EndingOptions,
): Promise<Ending> => {
  let ended = 0
  for (const pk of partitions) {
    const ending = await endMarkedSessionsIn(table, pk, filter, options)
    ended += ending.ended
    if (!ending.isComplete) return { ended, isComplete: false }
  }
  return { ended, isComplete: true }
}

const endMarkedSessionsIn = async (
  table: Table,
  pk: string,
  { prefix, isIncluded }: Omit<MarkerFilter, 'partitions'>,
  options: EndingOptions,
): Promise<Ending> => {
  const listing = { pk, from: prefix, to: `${prefix}~` }
  let ended = 0
  for await (const entries of readEntryPages(table, listing, pageSize))
    for (const { key, item } of entries) {
      const marker = sessionMarkerCodec.decode(item)
      if (!isIncluded(marker)) continue
      if (!options.mayContinue()) return { ended, isComplete: false }
      const result = await endMarkedSession(table, marker, options)
      if (result === 'ended') ended += 1
      if (result === 'missing') await table.transact([{ delete: key }])
    }
  return { ended, isComplete: true }
}

const endMarkedSession = async (
  table: Table,
  { userId, hash }: SessionMarker,
  { extraSteps, mayEnd }: EndingOptions,
): Promise<'ended' | 'missing' | 'kept'> => {
  const session = await findRecord(table, sessionCodec, sessionKey(userId, hash))
  if (!session) return 'missing'
  if (mayEnd?.(session) === false) return 'kept'
  await endSession(table, session, extraSteps(session))
  return 'ended'
}
