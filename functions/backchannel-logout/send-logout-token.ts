import { logoutAnswerMs } from '../../lib/limits/limits.ts'
import { FetchError, type FetchFailure } from '../../lib/saml/fetch-error.ts'
import { type FetchRules, sendSafely } from '../../lib/saml/ssrf-safe-request.ts'

/** Why a client was not informed. */
export type DeliveryFailure = FetchFailure | 'invalid_address' | 'paused'

/**
 * Sends a logout token to the address of a client (OpenID Connect Back-Channel Logout 1.0, section 2.5). Only the status
 * of the answer counts, and nothing else of it is read. Returns why it failed, or undefined.
 */
export const sendLogoutToken = async (
  address: string,
  logoutToken: string,
  rules: FetchRules,
): Promise<DeliveryFailure | undefined> => {
  const url = URL.parse(address)
  if (!url || (url.protocol !== 'https:' && !rules.allowsLoopback)) return 'invalid_address'
  const request = {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded', accept: '*/*' },
    body: new URLSearchParams({ logout_token: logoutToken }).toString(),
    timeoutMs: logoutAnswerMs,
  } as const
  try {
    return await sendSafely(url, request, rules, ({ statusCode = 0 }) => judgeStatus(statusCode))
  } catch (error) {
    if (error instanceof FetchError) return error.reason
    throw error
  }
}

/** Some frameworks answer 204 instead of 200 (section 2.8). */
const judgeStatus = (status: number): DeliveryFailure | undefined => {
  if (status >= 200 && status < 300) return undefined
  return status >= 300 && status < 400 ? 'redirect' : 'status'
}
