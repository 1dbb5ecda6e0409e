import { randomBytes } from 'node:crypto'
import type { AuditEventName } from '../../core/audit-events.ts'
import { auditRetentionMs } from '../../core/limits.ts'
import { createCodec } from '../engine/codec.ts'
import { auditKey, auditListing } from '../engine/keys.ts'
import type { Table } from '../engine/table.ts'
import type { Item, Step } from '../engine/transaction.ts'

/** Who did what to whom, and how it ended. Never a secret, and nothing that a caller made up but a target's id. */
export interface AuditEventRecord {
  /** Epoch milliseconds. */
  readonly at: number
  readonly event: AuditEventName
  /** Whose account it is about, if anybody's. */
  readonly user: number | null
  /** Who acted: the administrator while it impersonates; null for somebody who isn't signed in. */
  readonly actor: number | null
  readonly address: string
  readonly requestId: string
  /** What it was done to, where that is not the user: an id, or names of fields. */
  readonly target: string | null
  /** `succeeded`, or the reason of a refusal. */
  readonly outcome: string
}

export const auditEventCodec = createCodec<AuditEventRecord>('audit event', {
  at: 'number',
  event: 'string',
  address: 'string',
  requestId: 'string',
  outcome: 'string',
})

/** The record as a step of the transaction that does what it records, so that neither is ever without the other. */
export const buildAuditStep = (record: AuditEventRecord): Step => ({ put: auditItem(record) })

/** The record by itself, for what changes nothing else. */
export const putAuditEvent = (table: Table, record: AuditEventRecord): Promise<void> =>
  table.put(auditItem(record))

const auditItem = (record: AuditEventRecord): Item => {
  const place = `${new Date(record.at).toISOString()}#${randomBytes(9).toString('base64url')}`
  return {
    ...auditKey(record.at, place),
    ...(record.user === null ? {} : auditListing(record.user, place)),
    ...record,
    expires_at: Math.ceil((record.at + auditRetentionMs) / 1000),
  }
}
