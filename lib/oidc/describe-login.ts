import type { SessionPrincipal } from '../accounts/common/principal.ts'
import { nameAuthenticationClass } from '../accounts/sign-in/authentication-class.ts'
import { nameMethods } from '../tokens/claims.ts'

/** How and when the user of a session proved who they are, in the words of the library. */
export const describeLogin = (principal: SessionPrincipal) => {
  const { at, methods } = principal.session.authentication
  return {
    ts: Math.floor(at / 1000),
    amr: [...nameMethods(methods)],
    acr: nameAuthenticationClass(methods),
  }
}
