import type { AuditEventName } from '../core/audit-events.ts'
import { type AuditRecord, auditStep } from '../store/audit.ts'
import type { Step } from '../store/table.ts'

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

/** A record of what this visitor does, to go into the transaction that does it. */
export const recorded = (
  { address, requestId, actor, at }: Visitor,
  event: AuditEventName,
  facts: Partial<Pick<AuditRecord, 'user' | 'actor' | 'target' | 'outcome'>> = {},
): Step =>
  auditStep({
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
