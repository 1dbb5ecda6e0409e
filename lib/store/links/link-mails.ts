import { createHash } from 'node:crypto'
import { linkMailRetentionMs } from '../../core/limits.ts'
import { linkMailKey } from '../engine/keys.ts'
import type { Table } from '../engine/table.ts'
import type { Step } from '../engine/transaction.ts'
import { wasCommitted } from '../engine/transaction-errors.ts'

/*
 * A client whose answer got lost asks again, and nobody wants the mail twice. So whoever is about to send one
 * reserves it first, and the reservation remembers for a minute how that went.
 */

/** All that makes two mails the same one. */
export interface LinkMail {
  readonly tokenId: number
  readonly senderId: number
  readonly normalizedEmail: string
  readonly subject: string | undefined
  readonly text: string | undefined
}

/** `ours`: to be sent now. `sent`: it went out a moment ago. `unsettled`: somebody is at it, or nobody knows. */
export type LinkMailState = 'ours' | 'sent' | 'unsettled'

const keyOf = ({ tokenId, senderId, normalizedEmail, subject, text }: LinkMail) => {
  // As JSON, so that no text can end where another one begins; hashed, since it is nobody's business.
  const all = JSON.stringify([tokenId, senderId, normalizedEmail, subject ?? null, text ?? null])
  return linkMailKey(createHash('sha256').update(all).digest('base64url'))
}

const expiryOf = (nowMs: number): number => Math.ceil((nowMs + linkMailRetentionMs) / 1000)

/** Reserves a mail: of any number of askers one is told that it is `ours`. */
export const reserveLinkMail = async (
  table: Table,
  mail: LinkMail,
  nowMs: number,
): Promise<LinkMailState> => {
  if (await wasCommitted(table.reserve({ ...keyOf(mail), expires_at: expiryOf(nowMs) }))) return 'ours'
  const item = await table.get(keyOf(mail))
  return item?.['sentAt'] === undefined ? 'unsettled' : 'sent'
}

/** Notes that the mail went out. No condition: what has happened is noted whatever became of the reservation. */
export const markLinkMailSent = (mail: LinkMail, nowMs: number): Step => ({
  put: { ...keyOf(mail), sentAt: nowMs, expires_at: expiryOf(nowMs) },
})

/** Lets the mail be asked for again: it certainly wasn't sent. */
export const releaseLinkMail = (mail: LinkMail): Step => ({ delete: keyOf(mail) })
