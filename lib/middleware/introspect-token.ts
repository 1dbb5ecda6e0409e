import { readBaseUrl } from '../client/base-url.ts'
import { AccessError } from './access-error.ts'
import type { IntrospectionClient, JwtMiddlewareOptions } from './jwt-options.ts'

/** Asks whether a token still counts. @throws AccessError if it does not, and if the service gives no clear answer */
export type IntrospectToken = (token: string) => Promise<void>

/** The credentials of a client as RFC 6749 encodes them (section 2.3.1). */
const encodeCredentials = ({ clientId, clientSecret }: IntrospectionClient): string =>
  btoa([clientId, clientSecret].map(encodeURIComponent).join(':'))

/** Creates the function for introspection (RFC 7662). Without a client it throws a TypeError for each token. */
export const createIntrospectToken = (options: JwtMiddlewareOptions): IntrospectToken => {
  const { introspection, timeoutMs = 5_000, allowsHttp } = options
  const url = `${readBaseUrl(options.baseUrl, allowsHttp)}/oauth2/introspect`
  const send = options.fetch ?? ((address, init) => fetch(address, init))
  return async (token) => {
    if (!introspection) throw new TypeError('asksService needs the option introspection.')
    const response = await send(url, {
      method: 'POST',
      headers: {
        authorization: `Basic ${encodeCredentials(introspection)}`,
        'content-type': 'application/x-www-form-urlencoded',
        accept: 'application/json',
      },
      body: new URLSearchParams({ token, token_type_hint: 'access_token' }).toString(),
      redirect: 'manual',
      signal: AbortSignal.timeout(timeoutMs),
    }).catch(refuse)
    if (response.status === 429) {
      const retryAfterSeconds = Number(response.headers.get('retry-after')) || 1
      throw new AccessError('tooManyRequests', { retryAfterSeconds })
    }
    if (response.status !== 200) return refuse(new Error(`Introspection answered ${response.status}.`))
    const answer = (await response.json().catch(refuse)) as { readonly active?: unknown } | null
    if (answer?.active === false) throw new AccessError('invalidToken')
    if (answer?.active !== true) refuse(new Error('Introspection gave no clear answer.'))
  }
}

const refuse = (cause: unknown): never => {
  throw new AccessError('notVerifiable', { cause })
}
