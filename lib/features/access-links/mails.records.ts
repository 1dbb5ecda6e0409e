import { createHash } from 'node:crypto'
import { linkMailRetentionMs } from '../../kernel/limits/limits.ts'
import { linkMailKey } from '../../kernel/table/keys/keys.ts'
import type { Table } from '../../kernel/table/table.ts'
import { type Step, wasCommitted } from '../../kernel/table/transaction.ts'

/*
 * A client whose answer was lost sends the request again, but must not cause a second email. So an email is reserved
 * before it is sent, and the reservation stores the result for a minute.
 */

/** Everything that distinguishes one email from another. */
export interface LinkMail {
  readonly linkId: number
  readonly senderId: number
  readonly normalizedEmail: string
  readonly subject: string | undefined
  readonly text: string | undefined
}

/** `ours`: send it now. `sent`: it was just sent. `unsettled`: another request is sending it, or the result is unknown. */
export type LinkMailState = 'ours' | 'sent' | 'unsettled'

const keyOf = ({ linkId, senderId, normalizedEmail, subject, text }: LinkMail) => {
  // JSON separates the parts unambiguously. They are hashed because they are confidential.
  const parts = JSON.stringify([linkId, senderId, normalizedEmail, subject ?? null, text ?? null])
  return linkMailKey(createHash('sha256').update(parts).digest('base64url'))
}

const getExpiry = (nowMs: number): number => Math.ceil((nowMs + linkMailRetentionMs) / 1000)

/** Reserves an email. Of any number of concurrent callers, one gets `ours`. */
export const reserveLinkMail = async (
  table: Table,
  mail: LinkMail,
  nowMs: number,
): Promise<LinkMailState> => {
  if (await wasCommitted(table.reserve({ ...keyOf(mail), expires_at: getExpiry(nowMs) }))) return 'ours'
  const item = await table.get(keyOf(mail))
  return item?.['sentAt'] === undefined ? 'unsettled' : 'sent'
}

/** Stores that the email was sent. Has no condition, because that is true regardless of the reservation. */
export const markLinkMailSent = (mail: LinkMail, nowMs: number): Step => ({
  put: { ...keyOf(mail), sentAt: nowMs, expires_at: getExpiry(nowMs) },
})

/** Deletes the reservation of an email that was definitely not sent. */
export const releaseLinkMail = (mail: LinkMail): Step => ({ delete: keyOf(mail) })
