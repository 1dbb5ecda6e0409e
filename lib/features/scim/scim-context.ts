import type { RequestContext } from '../../accounts/callers/request-context.ts'
import { auditStep } from '../../accounts/events/write-event.ts'
import type { AuditEventName } from '../../kernel/contract/audit-events.ts'
import type { Step } from '../../kernel/table/transaction.ts'
import type { Services } from '../../services.ts'
import type { ScimCaller } from './find-token.ts'

/** A request of a directory. */
export interface ScimContext {
  readonly services: Services
  /** Nothing that a request does depends on the token that it came with. */
  readonly caller: Omit<ScimCaller, 'tokenId'>
  readonly context: RequestContext
  /** The address of the connection, which addresses of resources begin with. */
  readonly baseUrl: string
}

/** The audit event about a resource of the directory. `user` is the account of a person. */
export const auditScim = (
  { caller, context }: Pick<ScimContext, 'caller' | 'context'>,
  event: AuditEventName,
  id: string,
  user?: number,
): Step =>
  auditStep(context, event, {
    target: `${caller.connection.id} ${id}`,
    ...(user !== undefined && { user }),
  })
