import type { DeviceCookie, RequestContext } from '../features/access/request-context.ts'
import { hashDeviceCookie } from '../features/sign-in/known-places.ts'
import { findLanguage } from '../kernel/i18n/languages.ts'
import { deviceCookieMs } from '../kernel/limits/limits.ts'
import type { Config } from '../kernel/settings/config.ts'
import { omitUndefined } from '../kernel/util/object-fields.ts'
import { buildSessionCookies, readRequestOrigin } from './authenticate.ts'
import { buildLaxCookie, createBrowserSecret, readBrowserSecret } from './cookies.ts'
import { getHeader, type HttpContext, type HttpEvent } from './http-types.ts'
import type { ReplyExtras } from './use-case.ts'

/** Returns the context that use cases and audit events need of a request. */
export const getRequestContext = (
  event: HttpEvent,
  {
    requestState: { principal, product, clientAddress, viewerAddress, viewerCountry, requestId },
  }: HttpContext,
  { config, now }: { readonly config: Config; readonly now: () => number },
): RequestContext => ({
  address: clientAddress ?? viewerAddress ?? event.requestContext.http.sourceIp,
  ...(clientAddress !== undefined && product ? { product: product.user.id } : {}),
  userAgent: getHeader(event, 'user-agent') ?? '',
  // A product names the address of its user, but the country is that of the product.
  ...omitUndefined({ country: clientAddress === undefined ? viewerCountry : undefined }),
  ...omitUndefined({ language: findLanguage({ acceptLanguage: getHeader(event, 'accept-language') }) }),
  ...omitUndefined({ device: readDeviceCookie(config, event) }),
  requestId,
  credential: principal?.kind,
  actor: (principal?.actor ?? principal?.user)?.id ?? null,
  at: now(),
})

/*
 * By this cookie an account recognizes a browser that signed in before. It opens nothing: it only has its failed
 * sign-ins counted apart from those of strangers. So it stays when the session ends.
 */

const deviceCookieName = 'latchkey-device'

/** Returns the device cookie of a request from a page of this service, or a new one if it has none. */
export const readDeviceCookie = (config: Config, event: HttpEvent): DeviceCookie | undefined => {
  if (readRequestOrigin(config, event) !== 'own') return undefined
  return readKnownDevice(config, event.cookies ?? []) ?? createDeviceCookie()
}

/** Returns the device cookie of a browser, or undefined if it has none. A request can come from another site. */
export const readKnownDevice = (config: Config, cookies: readonly string[]): DeviceCookie | undefined => {
  const value = readBrowserSecret(config, cookies, deviceCookieName)
  return value === undefined ? undefined : { value, hash: hashDeviceCookie(value) }
}

/** Creates a device cookie, which no account knows yet. */
export const createDeviceCookie = (): DeviceCookie => {
  const value = createBrowserSecret()
  return { value, hash: hashDeviceCookie(value), isNew: true }
}

/** Builds the `Set-Cookie` values that make a browser known after a proof of identity. */
export const buildDeviceCookies = (config: Config, device: DeviceCookie | undefined): readonly string[] =>
  device?.value
    ? [buildLaxCookie(config, deviceCookieName, device.value, Math.floor(deviceCookieMs / 1000))]
    : []

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
  { sessionKey, ...answer }: Answer & { readonly sessionKey: string },
): SignInReply<Omit<Answer, 'sessionKey'>> => ({
  status: 200,
  body: { ...answer, session_key: sessionKey },
  ...(isFromOwnOrigin ? { cookies: buildSignInCookies(config, context, sessionKey) } : {}),
})
