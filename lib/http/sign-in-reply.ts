import type { RequestContext } from '../accounts/callers/request-context.ts'
import type { DeviceCookieValue } from '../features/sign-in/factor-memory.ts'
import type { Config } from '../kernel/settings/config.ts'
import { buildSessionCookies } from './authenticate.ts'
import { buildDeviceCookies } from './device-cookie.ts'
import { buildRememberedDeviceCookies } from './sign-in-browser.ts'
import type { ReplyExtras } from './use-case.ts'

/** Builds the cookies that a browser gets with a sign-in: that of the session, and the one that makes the browser known. */
export const buildSignInCookies = (
  config: Config,
  { device }: Pick<RequestContext, 'device'>,
  sessionKey: string,
): readonly string[] => [...buildSessionCookies(config, sessionKey), ...buildDeviceCookies(config, device)]

interface SignInReply<Answer> extends ReplyExtras {
  readonly status: 200
  readonly body: Answer & { readonly session_key: string }
}

/**
 * Builds the reply to a sign-in: the answer with the session, and the cookies. Another site could sign its users in to an
 * account of the attacker (login CSRF). So it gets no cookie.
 */
export const buildSignInReply = <Answer extends object>(
  config: Config,
  { isFromOwnOrigin, context }: { readonly isFromOwnOrigin: boolean; readonly context: RequestContext },
  {
    sessionKey,
    rememberedDevice,
    ...answer
  }: Answer & { readonly sessionKey: string; readonly rememberedDevice?: DeviceCookieValue | undefined },
): SignInReply<Omit<Answer, 'sessionKey' | 'rememberedDevice'>> => ({
  status: 200,
  body: { ...answer, session_key: sessionKey },
  ...(isFromOwnOrigin
    ? {
        cookies: [
          ...buildSignInCookies(config, context, sessionKey),
          ...buildRememberedDeviceCookies(config, rememberedDevice, context.at),
        ],
      }
    : {}),
})
