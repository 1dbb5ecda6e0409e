import { findUser } from '../directory/users.ts'
import { samlSessionPrefix, samlSessionsPartition, sessionKey } from '../engine/keys.ts'
import { readPlaces } from '../engine/listing.ts'
import { findRecord } from '../engine/read-records.ts'
import type { Table } from '../engine/table.ts'
import type { Step } from '../engine/transaction.ts'
import { wasCommitted } from '../engine/transaction-errors.ts'
import { type SamlMarker, samlMarkerCodec } from '../records/saml-session-marker.ts'
import { type SessionRecord, sessionCodec } from '../records/session-record.ts'
import { getSamlSignOutKeys, hashOfName } from '../sign-in/saml-session-index.ts'
import { endSession } from '../sign-in/sessions.ts'

/** Whom an identity provider signs out. */
export interface SamlSignOut {
  readonly providerId: number
  readonly nameId: string
  readonly nameIdFormat: string | null
  /** What it calls those of its own sessions that end; none for all of them. */
  readonly sessionIndexes: readonly string[]
  /** When it said so, in epoch milliseconds. */
  readonly issuedAt: number
}

export interface EndingOptions {
  readonly nowMs: number
  /** How long tickets may live, which die with their session. */
  readonly memoryMs: number
  /** What is written along with the end of each session. */
  readonly along: (session: SessionRecord) => readonly Step[]
  /** Asked before each session; a false breaks it off. */
  readonly mayGoOn: () => boolean
}

export interface Ending {
  readonly ended: number
  /** Whether none is left. */
  readonly isComplete: boolean
}

const pageSize = 50

/**
 * Ends the sessions that a provider signs a user out of, and remembers it first: an assertion that was made before and
 * comes after opens none (SAML Core 3.7.3.2). What is broken off goes on where it was when it is asked for again.
 */
export const endSamlSessions = async (
  table: Table,
  signOut: SamlSignOut,
  memoryMs: number,
  options: EndingOptions,
): Promise<Ending> => {
  await rememberSignOut(table, signOut, options.nowMs + memoryMs)
  const prefix = `${samlSessionPrefix}${hashOfName(signOut.nameId)}#`
  return endMarked(table, signOut.providerId, prefix, (marker) => isMeant(marker, signOut), options)
}

/** Ends all sessions that a provider made. None may be made any more by now. */
export const endSessionsOfProvider = (
  table: Table,
  providerId: number,
  options: EndingOptions,
): Promise<Ending> => endMarked(table, providerId, samlSessionPrefix, () => true, options)

const rememberSignOut = async (table: Table, signOut: SamlSignOut, untilMs: number): Promise<void> => {
  const { providerId, nameId, sessionIndexes, issuedAt } = signOut
  // Unless a later one is there already, which says more.
  for (const key of getSamlSignOutKeys(providerId, nameId, sessionIndexes))
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

/** Providers name a format in one message and not in the next; two that differ are two users (SAML Core 3.3.4). */
const isMeant = (marker: SamlMarker, { nameIdFormat, sessionIndexes }: SamlSignOut): boolean => {
  const formats = [marker.nameIdFormat, nameIdFormat].filter(
    (format) => format !== null && !format.endsWith(':unspecified'),
  )
  const isSameIndex =
    sessionIndexes.length === 0 ||
    (marker.sessionIndex !== null && sessionIndexes.includes(marker.sessionIndex))
  return isSameIndex && new Set(formats).size < 2
}

const endMarked = async (
  table: Table,
  providerId: number,
  prefix: string,
  isWanted: (marker: SamlMarker) => boolean,
  options: EndingOptions,
): Promise<Ending> => {
  const listing = { pk: samlSessionsPartition(providerId), isListing: false, from: prefix, to: `${prefix}~` }
  let ended = 0
  for (let after: string | undefined; ; ) {
    const places = await readPlaces(table, listing, { after, limit: pageSize, isDescending: false })
    for (const { key, item } of places) {
      const marker = samlMarkerCodec.decode(item)
      if (!isWanted(marker)) continue
      if (!options.mayGoOn()) return { ended, isComplete: false }
      if (await endOne(table, marker, options)) ended += 1
      else await table.transact([{ delete: key }])
    }
    after = places.at(-1)?.place
    if (places.length < pageSize) return { ended, isComplete: true }
  }
}

/** Returns whether the session was still there. */
const endOne = async (
  table: Table,
  { userId, hash }: SamlMarker,
  options: EndingOptions,
): Promise<boolean> => {
  const session = await findRecord(table, sessionCodec, sessionKey(userId, hash))
  if (!session) return false
  const user = await findUser(table, userId)
  if (user) await endSession(table, session, user, options.nowMs, options.memoryMs, options.along(session))
  else await table.transact([{ delete: sessionKey(userId, hash) }, ...options.along(session)])
  return true
}
