import type { Config } from '../core/config.ts'
import type { Middleware } from './http-types.ts'

/** What protects every answer, whoever gives it. */
export const protection = {
  // Nearly every answer stands behind a credential or holds one; none is worth the risk of a shared cache.
  'cache-control': 'no-store',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
} as const

/** The headers that every answer bears, an error's too. */
export const setHeaders = ({ publicUrl }: Config): Middleware => {
  const fixed = {
    ...protection,
    ...(publicUrl.startsWith('https:') ? { 'strict-transport-security': 'max-age=63072000' } : {}),
  }
  const set: Middleware['after'] = ({ context, response }) => {
    if (response)
      response.headers = { ...fixed, 'x-request-id': context.requestState.requestId, ...response.headers }
  }
  return { after: set, onError: set }
}
