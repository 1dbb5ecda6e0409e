import type { AuditEventName } from '../../core/audit-events.ts'
import type { Services } from '../../services.ts'
import type { Step } from '../../store/engine/transaction.ts'
import { type AuditEventRecord, buildAuditStep, putAuditEvent } from '../../store/records/audit.ts'

/** Whose request it is, as far as records of it go. */
export interface RequestContext {
  readonly address: string
  readonly userAgent: string
  readonly requestId: string
  /** The id of the user who really acts, or null when nobody is signed in. */
  readonly actor: number | null
  /** When the request came, in epoch milliseconds. */
  readonly at: number
}

type Facts = Partial<Pick<AuditEventRecord, 'user' | 'actor' | 'target' | 'outcome'>>

/** A record of what this visitor does, to go into the transaction that does it. */
export const auditStep = (context: RequestContext, event: AuditEventName, facts: Facts = {}): Step =>
  buildAuditStep(recordOf(context, event, facts))

/** Records what this visitor was refused, where nothing is written besides. */
export const writeAudit = (
  { table }: Services,
  context: RequestContext,
  event: AuditEventName,
  facts: Facts,
): Promise<void> => putAuditEvent(table, recordOf(context, event, facts))

const recordOf = (
  { address, requestId, actor, at }: RequestContext,
  event: AuditEventName,
  facts: Facts,
): AuditEventRecord => ({
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
