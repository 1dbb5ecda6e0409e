import type { AdapterPayload } from 'oidc-provider'
import type { SessionPrincipal } from '../../accounts/common/principal.ts'
import { nameAuthenticationClass } from '../../tokens/authentication-class.ts'
import { nameMethods } from '../../tokens/authentication-methods.ts'
import { getSessionId } from '../../tokens/session-id.ts'

/** The library loads the session for the length of a request only. */
const payloadSeconds = 3600

/** How and when the user of a session proved who they are, in the words of the library. */
const describeLogin = (principal: SessionPrincipal) => {
  const { at, methods } = principal.session.authentication
  return {
    ts: Math.floor(at / 1000),
    amr: [...nameMethods(methods)],
    acr: nameAuthenticationClass(methods),
  }
}

/** The session that the library sees. It is derived from that of this service, and nothing of it is stored. */
export const buildSessionPayload = (principal: SessionPrincipal, nowMs: number): AdapterPayload => {
  const { ts, amr, acr } = describeLogin(principal)
  const sid = getSessionId(principal)
  const now = Math.floor(nowMs / 1000)
  return {
    ...{ kind: 'Session', jti: sid, uid: sid, iat: now, exp: now + payloadSeconds },
    ...{ accountId: String(principal.user.id), loginTs: ts, amr, acr },
  }
}
