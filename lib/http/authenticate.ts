import type { Principal } from '../accounts/common/principal.ts'
import { authenticate, detectCredentialKind } from '../accounts/sign-in/authentication.ts'
import type { Access, CredentialKind } from '../contract/access.ts'
import { changesState, type Operation } from '../contract/operation.ts'
import { AppError } from '../core/errors.ts'
import type { Services } from '../services.ts'
import { readSessionCookie } from './cookies.ts'
import { getHeader, getOperation, type HttpEvent, type Middleware } from './http-types.ts'
import { canChangeByCookie } from './origin.ts'

/** Finds out who is asking (RFC 6750 2.1, or the session cookie), as far as the operation wants to know. */
export const authenticateCaller = (services: Services): Middleware => ({
  before: async ({ event, context }) => {
    const operation = getOperation(context)
    const { access } = operation
    if (access.allow === 'anyone' && access.credential === 'ignored') return
    const sent = credentialOf(services, event)
    const principal = sent && (await principalOf(services, operation, sent.value))
    if (!principal) {
      if (access.allow === 'anyone') return
      throw new AppError('not_authenticated', { headers: { 'www-authenticate': 'Bearer' } })
    }
    context.requestState.principal = principal
    if (!kindsOf(access).includes(principal.kind))
      throw new AppError('permission_denied', { detail: 'An API token can’t do this: sign in for it.' })
    if (principal.session?.accessToken && operation.notWhileImpersonating)
      throw new AppError('permission_denied', { detail: 'A link doesn’t let you do this: sign in for it.' })
    if (principal.actor && operation.notWhileImpersonating)
      throw new AppError('permission_denied', { detail: 'This can’t be done in the name of somebody else.' })
    if (sent.byCookie && changesState(operation) && !canChangeByCookie(services.config, event))
      throw new AppError('permission_denied', {
        detail: 'A request with the session cookie must come from this service’s own pages.',
      })
  },
})

const kindsOf = (access: Access): readonly CredentialKind[] =>
  access.allow === 'anyone' ? ['session'] : access.by

/** A good API token where only a session will do is told so later; any other kind that doesn't count is as good as none. */
const principalOf = async (
  services: Services,
  { access, endsSession }: Operation,
  bearer: string,
): Promise<Principal | undefined> => {
  const kind = detectCredentialKind(bearer)
  const isOfInterest = kind === 'api_token' && access.allow !== 'anyone'
  return kind && (isOfInterest || kindsOf(access).includes(kind))
    ? authenticate(services, bearer, kind, endsSession)
    : undefined
}

/** The credential that counts: the header's when there is one, however malformed, else the cookie's. */
const credentialOf = (
  { config }: Services,
  event: HttpEvent,
): { readonly value: string; readonly byCookie: boolean } | undefined => {
  const header = getHeader(event, 'authorization')
  if (header !== undefined) return { value: /^Bearer +(\S+)$/i.exec(header)?.[1] ?? '', byCookie: false }
  const cookie = readSessionCookie(config, event)
  return cookie === undefined ? undefined : { value: cookie, byCookie: true }
}
