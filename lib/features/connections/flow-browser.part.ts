import { timingSafeEqual } from 'node:crypto'
import { readFlowCookies } from '../../http/flow-cookie.ts'
import type { Services } from '../../services.ts'
import { createConnectionError } from './errors.ts'
import type { Connection } from './records.ts'
import { hashBrowserSecret } from './start-sign-in.ts'

/**
 * Returns the cookie value by which the browser proves that it started a sign-in (SAML Profiles 4.1.5). Otherwise an attacker
 * could sign a user in to another account.
 *
 * @throws AppError `login_failed` with the reason
 */
export const requireSameBrowser = (
  { config }: Services,
  connection: Connection,
  cookies: readonly string[],
  flow: { readonly browser: string },
): string => {
  const refuse = (reason: string, sentence: string) =>
    createConnectionError('login_failed', connection, reason, sentence)
  const values = readFlowCookies(config, cookies)
  if (values.length === 0)
    throw refuse(
      'no_cookie',
      `Your browser did not send the cookie of this sign-in. Allow cookies for ${config.publicUrl} and sign in again.`,
    )
  const expected = Buffer.from(flow.browser)
  const browser = values.find((value) => timingSafeEqual(Buffer.from(hashBrowserSecret(value)), expected))
  if (browser === undefined) throw refuse('other_browser', 'The sign-in was started in another browser.')
  return browser
}
