import type { Visitor } from '../accounts/common/request-context.ts'
import { type HttpContext, type HttpEvent, headerOf } from './http-types.ts'

/** Whose request it is, as far as records of it go. */
export const visitorOf = (event: HttpEvent, { exchange }: HttpContext, nowMs: number): Visitor => ({
  address: event.requestContext.http.sourceIp,
  userAgent: headerOf(event, 'user-agent') ?? '',
  requestId: exchange.requestId,
  actor: (exchange.principal?.actor ?? exchange.principal?.user)?.id ?? null,
  at: nowMs,
})
