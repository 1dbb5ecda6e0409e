import { createCodec } from '../engine/codec.ts'
import type { SessionAuthentication, SessionLink } from './session-record.ts'

/** The facts about a ticket that are known when it is created. */
interface TicketFacts {
  /** Epoch milliseconds. */
  readonly expiresAt: number
  /** The access link that opened the session. The ticket is revoked with it. */
  readonly accessToken?: SessionLink
  /** The administrator who impersonated the user. The ticket is revoked when that stops. */
  readonly actor?: number
  /** The server that the ticket is for: see `hashAudience`. */
  readonly audience?: string
  /** Whether servers that name no audience are accepted, too. */
  readonly isAudienceOptional?: true
  /** Set for a ticket of an API token. */
  readonly isFromApiToken?: true
  /** The proof of identity of the session. */
  readonly authentication?: SessionAuthentication
}

/** A ticket as stored. It contains what it depends on, and a check reads if that still works. */
export interface TicketRecord extends TicketFacts {
  readonly hash: string
  readonly userId: number
  /** The epoch of the user. The ticket is revoked with all others when it changes. Missing in earlier tickets. */
  readonly credentialEpoch?: number
  readonly creator: TicketCreator
  /** The scopes of the API token that created the ticket. The ticket's user is then limited to these. */
  readonly scopes?: readonly string[]
  /** Epoch milliseconds. The ticket was used then. */
  readonly takenAt?: number
  /** Set for a ticket in the record of its user. */
  readonly isEarlier?: true
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

/** A ticket as earlier versions stored it, under its hash in the record of its user. */
export interface EarlierTicket extends TicketFacts {
  /** Hash of the session or API token that created the ticket. */
  readonly session: string
  /** Whether an API token with scopes created the ticket. */
  readonly isScoped?: true
  /** The call that used the ticket, and when. */
  readonly takenBy?: string
  readonly takenAt?: number
}

export const ticketCodec = createCodec<TicketRecord>('ticket', {
  hash: 'string',
  userId: 'number',
  expiresAt: 'number',
  creator: 'map',
})
