import type { AuditEventName } from '../../core/audit-events.ts'
import type { Services } from '../../services.ts'
import type { Step } from '../../store/engine/transaction.ts'
import { type AuditRecord, auditStep, putAuditRecord } from '../../store/records/audit.ts'

/** Whose request it is, as far as records of it go. */
export interface Visitor {
  readonly address: string
  readonly userAgent: string
  readonly requestId: string
  /** The id of the user who really acts, or null when nobody is signed in. */
  readonly actor: number | null
  /** When the request came, in epoch milliseconds. */
  readonly at: number
}

type Facts = Partial<Pick<AuditRecord, 'user' | 'actor' | 'target' | 'outcome'>>

/** A record of what this visitor does, to go into the transaction that does it. */
export const recorded = (visitor: Visitor, event: AuditEventName, facts: Facts = {}): Step =>
  auditStep(recordOf(visitor, event, facts))

/** Records what this visitor was refused, where nothing is written besides. */
export const noteRecord = (
  { table }: Services,
  visitor: Visitor,
  event: AuditEventName,
  facts: Facts,
): Promise<void> => putAuditRecord(table, recordOf(visitor, event, facts))

const recordOf = (
  { address, requestId, actor, at }: Visitor,
  event: AuditEventName,
  facts: Facts,
): AuditRecord => ({
  at,
  event,
  user: null,
  actor,
  address,
  requestId,
  target: null,
  outcome: 'succeeded',
  ...facts,
})
