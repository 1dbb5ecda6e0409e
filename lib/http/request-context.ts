import type { RequestContext } from '../accounts/common/request-context.ts'
import { getHeader, type HttpContext, type HttpEvent } from './http-types.ts'

/** Whose request it is, as far as records of it go. */
export const getRequestContext = (
  event: HttpEvent,
  { requestState }: HttpContext,
  nowMs: number,
): RequestContext => ({
  address: event.requestContext.http.sourceIp,
  userAgent: getHeader(event, 'user-agent') ?? '',
  requestId: requestState.requestId,
  actor: (requestState.principal?.actor ?? requestState.principal?.user)?.id ?? null,
  at: nowMs,
})
