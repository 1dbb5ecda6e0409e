import { timingSafeEqual } from 'node:crypto'
import { createSamlError } from '../../lib/accounts/saml/errors.ts'
import { findNamedFlow, type PostedResponse } from '../../lib/accounts/saml/named-flow.ts'
import { addRetryPath, buildStartPath } from '../../lib/accounts/saml/retry-path.ts'
import { hashBrowserSecret } from '../../lib/accounts/saml/start-sign-in.ts'
import { readFlowCookie } from '../../lib/http/flow-cookie.ts'
import type { Services } from '../../lib/services.ts'
import type { SamlFlow } from '../../lib/store/records/saml-flow-record.ts'
import type { SamlProviderRecord } from '../../lib/store/records/saml-provider-record.ts'
import { takeFlow } from '../../lib/store/saml/saml-flows.ts'

/**
 * The sign-in that a response answers, begun by this very browser (SAML Profiles 4.1.5): nobody is signed in to an
 * account that somebody else chose. It is used up by this, whatever comes of it.
 *
 * @throws AppError `login_failed` that says why there is none.
 */
export const findFlowOfResponse = async (
  { table, config, now }: Services,
  provider: SamlProviderRecord,
  posted: PostedResponse,
  cookies: readonly string[],
): Promise<SamlFlow> => {
  const refuse = (reason: string, sentence: string) =>
    createSamlError('login_failed', provider, reason, sentence)
  const named = await findNamedFlow(table, provider.id, posted)
  if (!named) throw refuse('unsolicited', unsolicited(posted))
  const browser = readFlowCookie(config, cookies)
  if (browser === undefined)
    throw refuse(
      'no_cookie',
      `Your browser did not send the cookie that it got at the start: allow cookies for ${config.publicUrl}`,
    )
  if (!timingSafeEqual(Buffer.from(hashBrowserSecret(browser)), Buffer.from(named.flow.browser)))
    throw refuse('other_browser', 'It was begun in another browser.')
  const taken = await takeFlow(table, provider.id, named.name, now())
  if (taken) return taken
  const tooLate = refuse('used_or_late', 'It was finished already, or took too long: begin again.')
  throw addRetryPath(tooLate, buildStartPath(provider.id, named.flow))
}

const unsolicited = ({ relayState }: PostedResponse): string =>
  'It was not begun here, or long ago: begin at this service, not at the identity provider. If you did, that has to be ' +
  `set up to send back what it gets: ${
    relayState === ''
      ? 'no RelayState came back, and InResponseTo names no sign-in of this service.'
      : 'the RelayState that came back is not ours.'
  }`
