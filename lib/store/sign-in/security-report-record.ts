import type { SecurityChangeKind } from '../../contract/security-changes.ts'
import { createCodec } from '../engine/codec.ts'

/**
 * The link of a security email. With it, the recipient reports that the change was not theirs. It is in the partition
 * of the user, so that one call reads both.
 */
export interface SecurityReportRecord {
  readonly hash: string
  readonly userId: number
  readonly change: SecurityChangeKind
  /** The time of the change. Epoch milliseconds, like all times here. */
  readonly changedAt: number
  /** The email address of the user before the change, which got the email. */
  readonly email: string
  readonly normalizedEmail: string
  readonly expiresAt: number
  /** The result of the report. Missing until the link is used. */
  readonly result?: SecurityReportResult
}

export interface SecurityReportResult {
  readonly isEmailRestored: boolean
  readonly isPasswordInvalidated: boolean
  readonly isResetEmailSent: boolean
}

export const securityReportCodec = createCodec<SecurityReportRecord>('security report', {
  hash: 'string',
  userId: 'number',
  change: 'string',
  changedAt: 'number',
  email: 'string',
  normalizedEmail: 'string',
  expiresAt: 'number',
})
