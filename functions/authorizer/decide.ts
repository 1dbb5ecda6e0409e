import { grants } from '../../lib/accounts/common/permissions.ts'
import { isLimitedToSetup } from '../../lib/accounts/sign-in/setup-session.ts'
import type { Services } from '../../lib/services.ts'
import { type Caller, identifyCaller } from './identify-caller.ts'
import type { AuthorizerRequest } from './read-event.ts'
import type { AuthorizerSettings } from './settings.ts'

export type Decision =
  | { readonly outcome: 'authorized'; readonly caller: Caller }
  | { readonly outcome: 'forbidden'; readonly caller?: Caller }
  | { readonly outcome: 'unauthenticated'; readonly caller?: undefined }

/** Decides whether a request may go on to the API of the product. */
export const decide = async (
  services: Services,
  settings: AuthorizerSettings,
  request: AuthorizerRequest,
): Promise<Decision> => {
  const caller = await identifyCaller(services, settings, request)
  if (typeof caller === 'string') return { outcome: caller }
  return { outcome: isAllowed(settings, caller) ? 'authorized' : 'forbidden', caller }
}

const isAllowed = (
  { permission, acceptsGuests }: AuthorizerSettings,
  { principal, claims, isJwt }: Caller,
): boolean => {
  // An access link proves possession of the link, and not who has it.
  if (principal.session?.accessToken && !acceptsGuests) return false
  // A password alone is not enough for products once a second factor is required.
  if (isLimitedToSetup(principal)) return false
  // A token for something else must not show who its owner is. A JWT was issued for this purpose.
  if (principal.scopes && !isJwt && !grants(principal.scopes, 'profile:view')) return false
  return permission === undefined || grants(claims.permissions, permission)
}
