import type { Config } from '../settings/config.ts'
import { isSecure } from './cookies.ts'
import type { Middleware } from './http-types.ts'

/** The headers that protect every response. */
export const protectiveHeaders = {
  // Nearly every response contains a credential or requires one, so shared caches must not store any of them.
  'cache-control': 'no-store',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  // Other origins cannot embed a response. Pages of allowed origins still read it, because CORS requests are exempt.
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
} as const

/** Features of browsers that no page uses, so that nothing that gets into a page can use them. */
const unusedFeatures = [
  ...['accelerometer', 'autoplay', 'bluetooth', 'camera', 'clipboard-read', 'display-capture'],
  ...[
    'encrypted-media',
    'fullscreen',
    'gamepad',
    'geolocation',
    'gyroscope',
    'hid',
    'identity-credentials-get',
  ],
  ...['idle-detection', 'local-fonts', 'magnetometer', 'microphone', 'midi', 'otp-credentials', 'payment'],
  ...['picture-in-picture', 'screen-wake-lock', 'serial', 'storage-access', 'usb', 'web-share'],
  ...['window-management', 'xr-spatial-tracking'],
]
/** Passkeys, and the button that copies an example. */
const usedFeatures = ['clipboard-write', 'publickey-credentials-create', 'publickey-credentials-get']

const pageHeaders = {
  /**
   * Keeps windows of other origins away from a page. Redirects do not have it: a product may run a sign-in or a logout in a
   * popup, and the policy of one redirect would separate the popup from its opener.
   */
  'cross-origin-opener-policy': 'same-origin',
  'permissions-policy': [
    ...unusedFeatures.map((name) => `${name}=()`),
    ...usedFeatures.map((name) => `${name}=(self)`),
  ].join(', '),
} as const

/** Sets the headers that every response has, including errors. Headers of the response itself take precedence. */
export const setHeaders = (config: Config): Middleware => {
  const fixed = {
    ...protectiveHeaders,
    ...(isSecure(config) ? { 'strict-transport-security': buildHsts(config) } : {}),
  }
  const set: Middleware['after'] = ({ context, response }) => {
    if (!response) return
    const isPage = String(response.headers?.['content-type']).startsWith('text/html')
    response.headers = {
      ...fixed,
      ...(isPage ? pageHeaders : {}),
      'x-request-id': context.requestState.requestId,
      ...response.headers,
    }
  }
  return { after: set, onError: set }
}

/** Two years, as preload lists require at least one (RFC 6797 section 6.1). */
const buildHsts = ({ hstsIncludeSubdomains, hstsPreload }: Config): string =>
  [
    'max-age=63072000',
    ...(hstsIncludeSubdomains ? ['includeSubDomains'] : []),
    ...(hstsPreload ? ['preload'] : []),
  ].join('; ')
