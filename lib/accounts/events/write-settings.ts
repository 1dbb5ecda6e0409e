import type { AuditEventName } from '../../kernel/contract/audit-events.ts'
import type { Step } from '../../kernel/table/transaction.ts'
import type { RequestContext } from '../callers/request-context.ts'
import { auditStep } from './write-event.ts'

/** Settings that are replaced as a whole, and what of them differs from what holds now. */
interface ChangedSettings {
  readonly event: AuditEventName
  /** The names of the fields or things that differ. */
  readonly changed: readonly string[]
}

/**
 * Replaces settings together with an event that lists what changed. Equal values write nothing: a pipeline that sends the same settings
 * each day must not fill the log with changes that are none.
 *
 * @example
 * await writeSettings(context, { event: 'agent_policy.changed', changed }, (steps) =>
 *   replaceAgentPolicy(table, stored, hosts, steps),
 * )
 */
export const writeSettings = async (
  context: RequestContext,
  { event, changed }: ChangedSettings,
  replace: (extraSteps: readonly Step[]) => Promise<void>,
): Promise<void> => {
  if (changed.length === 0) return
  await replace([auditStep(context, event, { target: changed.join(' ').slice(0, 255) })])
}
