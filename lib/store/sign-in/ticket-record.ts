import { createCodec } from '../engine/codec.ts'
import type { SessionAuthentication, SessionLink } from './session-record.ts'

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
