import { authenticate } from '../accounts/authentication.ts'
import { changesState } from '../contract/operation.ts'
import { AppError } from '../core/errors.ts'
import type { Services } from '../services.ts'
import { readSessionCookie } from './cookies.ts'
import { type HttpEvent, headerOf, type Middleware, operationOf } from './exchange.ts'
import { originOfRequest } from './origin.ts'

/** Finds out who is asking (RFC 6750 2.1, or the session cookie), as far as the operation wants to know. */
export const authenticateCaller = (services: Services): Middleware => ({
  before: async ({ event, context }) => {
    const operation = operationOf(context)
    const { access } = operation
    if (access.allow === 'anyone' && access.credential === 'ignored') return
    const sent = credentialOf(services, event)
    const kinds = access.allow === 'anyone' ? (['session'] as const) : access.by
    const principal = sent && (await authenticate(services, sent.value, kinds))
    if (!principal) {
      if (access.allow === 'anyone') return
      throw new AppError('not_authenticated', { headers: { 'www-authenticate': 'Bearer' } })
    }
    if (sent.byCookie && changesState(operation) && originOfRequest(services.config, event) !== 'own')
      throw new AppError('permission_denied', {
        detail: 'A request with the session cookie must come from this service’s own pages.',
      })
    context.exchange.principal = principal
  },
})

/** The credential that counts: the header's when there is one, however malformed, else the cookie's. */
const credentialOf = (
  { config }: Services,
  event: HttpEvent,
): { readonly value: string; readonly byCookie: boolean } | undefined => {
  const header = headerOf(event, 'authorization')
  if (header !== undefined) return { value: /^Bearer +(\S+)$/i.exec(header)?.[1] ?? '', byCookie: false }
  const cookie = readSessionCookie(config, event)
  return cookie === undefined ? undefined : { value: cookie, byCookie: true }
}
