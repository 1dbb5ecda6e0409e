import type { AuditEventName } from '../../kernel/contract/audit-events.ts'
import { auditedUserAgentLength } from '../../kernel/limits/limits.ts'
import type { Step } from '../../kernel/table/transaction.ts'
import { omitUndefined } from '../../kernel/util/object-fields.ts'
import type { Services } from '../../services.ts'
import type { RequestContext } from '../callers/request-context.ts'
import { type AuditEventRecord, buildAuditStep, putAuditEvent } from './records.ts'

export type AuditDetails = Partial<
  Pick<
    AuditEventRecord,
    | 'user'
    | 'actor'
    | 'target'
    | 'organization'
    | 'outcome'
    | 'username'
    | 'count'
    | 'activeDay'
    | 'activeAfter'
    | 'changes'
    | 'changesOmitted'
    | 'valuesHash'
    | 'hookMs'
  >
>

/** Builds the step that stores an audit event, for the transaction that makes the change. */
export const auditStep = (context: RequestContext, event: AuditEventName, details: AuditDetails = {}): Step =>
  buildAuditStep(buildRecord(context, event, details))

/** Builds the steps of the creation or deletion of a thing: its audit event, and what its context has alongside. */
export const thingSteps = (
  context: RequestContext,
  event: AuditEventName,
  id: number,
  facts: Pick<AuditDetails, 'changes' | 'changesOmitted'> = {},
): readonly Step[] => [
  auditStep(context, event, { target: String(id), ...facts }),
  ...(context.alongside?.(id) ?? []),
]

/** Stores an audit event for a request that changes nothing else, such as a refused one. */
export const writeAudit = (
  { table }: Services,
  context: RequestContext,
  event: AuditEventName,
  details: AuditDetails,
): Promise<void> => putAuditEvent(table, buildRecord(context, event, details))

const buildRecord = (
  {
    address,
    product,
    requestId,
    actor,
    at,
    credential,
    credentialId,
    actorPrincipal,
    userAgent,
    organization,
    byMember,
  }: RequestContext,
  event: AuditEventName,
  details: AuditDetails,
): AuditEventRecord => ({
  at,
  event,
  user: null,
  actor,
  address,
  ...omitUndefined({ product }),
  requestId,
  target: null,
  outcome: 'succeeded',
  ...omitUndefined({
    organization,
    byMember,
    credential,
    credentialId,
    actorPrincipal: cleanText(actorPrincipal, auditedPrincipalLength),
    userAgent: cleanText(userAgent, auditedUserAgentLength),
  }),
  ...details,
})

/** The longest ARN of a role with the name of its session. */
const auditedPrincipalLength = 300

const cleanText = (text: string | undefined, length: number): string | undefined =>
  text?.slice(0, length).replaceAll(/\p{C}/gu, ' ').trim() || undefined
