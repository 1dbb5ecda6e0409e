import { createHash } from 'node:crypto'
import type {
  RightsProof,
  SessionAuthentication,
  SessionLink,
} from '../../accounts/sessions/stored-session.records.ts'
import { findWithUser } from '../../accounts/users/find-with-user.records.ts'
import type { UserRecord } from '../../accounts/users/stored-user.records.ts'
import { type Condition, type Expressions, isPresent } from '../../kernel/table/expressions.ts'
import { apiTokenKey, sessionKey, ticketKey, userKey } from '../../kernel/table/keys/keys.ts'
import { createCodec } from '../../kernel/table/records.ts'
import type { Table } from '../../kernel/table/table.ts'
import type { Step } from '../../kernel/table/transaction.ts'

/*
 * A ticket is an item in a partition of its own, so that no other record grows with the number of tickets. It has no
 * effect on its own: a check reads whether everything that the ticket depends on still works.
 */

/** Creates a ticket. */
export const createTicket = (
  table: Table,
  ticket: TicketRecord,
  extraSteps: readonly Step[],
): Promise<void> =>
  table.transact([
    {
      put: {
        ...ticketKey(ticket.hash),
        ...ticketCodec.encode(ticket),
        expires_at: Math.ceil(ticket.expiresAt / 1000),
      },
    },
    ...extraSteps,
  ])

/**
 * The form in which a ticket stores its audience, because an origin can be long. 128 bits are enough to distinguish
 * origins.
 */
export const hashAudience = (origin: string): string =>
  createHash('sha256').update(origin).digest('base64url').slice(0, 22)

/** Reads a ticket, used or not, and its user in one call. */
export const findTicketAndUser = async (
  table: Table,
  userId: number,
  hash: string,
): Promise<{ ticket: TicketRecord | undefined; user: UserRecord | undefined }> => {
  const [ticket, user] = await findWithUser(table, ticketCodec, ticketKey(hash), userId)
  return { ticket, user }
}

export type TicketRefusal = 'not_found' | 'already_used' | 'expired' | 'revoked' | 'wrong_audience'

/** A ticket does not work, for the reason in `refusal`. */
export class TicketRefused extends Error {
  readonly refusal: TicketRefusal

  constructor(refusal: TicketRefusal) {
    super('the ticket does not work')
    this.name = 'TicketRefused'
    this.refusal = refusal
  }
}

/**
 * Builds the steps that use a ticket as it was read. Of any number of concurrent transactions with them, one succeeds.
 * They also fail if the user was disabled or deleted, their sessions were ended, or the session or API token that created
 * the ticket ended since.
 *
 * @throws TicketRefused by the transaction
 */
export const buildTakeTicketSteps = (ticket: TicketRecord, nowMs: number): readonly Step[] => [
  {
    check: getCreatorKey(ticket),
    condition: isCreatorActive(ticket),
    orElse: () => new TicketRefused('revoked'),
  },
  {
    check: userKey(ticket.userId),
    condition: isUserActive(ticket, nowMs),
    orElse: () => new TicketRefused('revoked'),
  },
  {
    update: ticketKey(ticket.hash),
    changes: (x) => ({
      set: [`${x.path('takenAt')} = ${x.value(nowMs)}`],
      condition: isUnused(x),
    }),
    orElse: () => new TicketRefused('already_used'),
  },
]

/** Builds the step that ends a ticket. Fails if it was used or ended already. */
export const buildEndTicketStep = ({ hash }: TicketRecord): Step => ({
  delete: ticketKey(hash),
  condition: isUnused,
})

const isUnused: Condition = (x) =>
  `attribute_exists(${x.path('expiresAt')}) AND attribute_not_exists(${x.path('takenAt')})`

const getCreatorKey = ({ creator: { userId, hash }, isFromApiToken }: TicketRecord) =>
  isFromApiToken ? apiTokenKey(userId, hash) : sessionKey(userId, hash)

const isUserActive =
  ({ credentialEpoch }: TicketRecord, nowMs: number): Condition =>
  (x) => {
    const expiry = x.path('expiresAt')
    return [
      `${x.path('is_enabled')} = ${x.value(true)}`,
      `(${expiry} = ${x.value(null)} OR ${expiry} > ${x.value(nowMs)})`,
      `${x.path('credentialEpoch')} = ${x.value(credentialEpoch)}`,
    ].join(' AND ')
  }

const isCreatorActive =
  ({ userId, actor, creator }: TicketRecord): Condition =>
  (x) =>
    [
      isPresent(x),
      ...requireValue(x, ['credentialEpoch'], creator.credentialEpoch),
      ...requireValue(x, ['impersonation', 'userId'], actor === undefined ? undefined : userId),
      ...requireValue(x, ['impersonation', 'until'], creator.impersonationUntil),
    ].join(' AND ')

/** Tickets of some kinds do not have every value. */
const requireValue = (x: Expressions, path: readonly string[], value: number | undefined): string[] =>
  value === undefined ? [] : [`${x.path(...path)} = ${x.value(value)}`]

/** A ticket as stored. It contains what it depends on, and a check reads if that still works. */
export interface TicketRecord {
  readonly hash: string
  readonly userId: number
  /** The epoch of the user. The ticket is revoked with all others when it changes. */
  readonly credentialEpoch: number
  readonly creator: TicketCreator
  /** The scopes of the API token that created the ticket. The ticket's user is then limited to these. */
  readonly scopes?: readonly string[]
  /** Epoch milliseconds. The ticket was used then. */
  readonly takenAt?: number
  /** Epoch milliseconds. */
  readonly expiresAt: number
  /** The access link that opened the session. The ticket is revoked with it. */
  readonly accessLink?: SessionLink
  /** The administrator who impersonated the user. The ticket is revoked when that stops. */
  readonly actor?: number
  /** The server that the ticket is for: see `hashAudience`. */
  readonly audience?: string
  /** Whether servers that name no audience are accepted, too. */
  readonly isAudienceOptional?: true
  /** What decides which rights of the user have an effect in the session. The ticket gives no other ones. */
  readonly rightsProof?: Omit<RightsProof, 'authentication'>
  /** Set for a ticket of an API token. */
  readonly isFromApiToken?: true
  /** The ID of the organization that the user acts in. The ticket is revoked when the membership ends. */
  readonly organization?: number
  /** The joining of the user there. */
  readonly joining?: string
  /** The proof of identity of the session. */
  readonly authentication?: SessionAuthentication
}

/** The session or API token that created a ticket. The ticket is revoked with it. */
export interface TicketCreator {
  /** The user of the session or API token: during impersonation, the administrator. */
  readonly userId: number
  readonly hash: string
  /** The epoch of a session. A session that is moved to another epoch revokes its tickets. */
  readonly credentialEpoch?: number
  /** When the impersonation ends, in epoch milliseconds. A later one of the same user has another end. */
  readonly impersonationUntil?: number
}

export const ticketCodec = createCodec<TicketRecord>('ticket', {
  hash: 'string',
  userId: 'number',
  credentialEpoch: 'number',
  expiresAt: 'number',
  creator: 'map',
})
