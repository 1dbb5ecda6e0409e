import type { AuditEventName } from '../../kernel/contract/audit-events.ts'
import type { Step } from '../../kernel/table/transaction.ts'
import type { RequestContext } from '../callers/request-context.ts'
import { changeSteps } from './change-event.ts'
import { type Change, describeChanges } from './describe-changes.ts'
import { requireUnchanged } from './require-unchanged.ts'

/** Settings that are replaced as a whole. */
interface ReplacedSettings extends Change {
  readonly event: AuditEventName
}

/**
 * Replaces settings together with an event that says what changed. Equal values write nothing: a pipeline that sends the same settings
 * each day must not fill the log with changes that are none.
 *
 * @example
 * await writeSettings(context, { event: 'agent_policy.changed', fields: agentPolicyFields, before, after }, (steps) =>
 *   replaceAgentPolicy(table, stored, after.hosts, steps),
 * )
 */
export const writeSettings = async (
  context: RequestContext,
  { event, ...change }: ReplacedSettings,
  replace: (extraSteps: readonly Step[]) => Promise<void>,
): Promise<void> => {
  requireUnchanged(context, { comparable: Object.keys(change.before), before: change.before })
  if (describeChanges(change).changes.length === 0) return
  await replace(changeSteps(context, event, { change }))
}
