import type { RequestContext } from '../accounts/common/request-context.ts'
import { getHeader, type HttpContext, type HttpEvent } from './http-types.ts'

/** Returns the context that use cases and audit events need of a request. `nowMs` is in epoch milliseconds. */
export const getRequestContext = (
  event: HttpEvent,
  { requestState: { principal, requestId } }: HttpContext,
  nowMs: number,
): RequestContext => ({
  address: event.requestContext.http.sourceIp,
  userAgent: getHeader(event, 'user-agent') ?? '',
  requestId,
  actor: (principal?.actor ?? principal?.user)?.id ?? null,
  at: nowMs,
})
