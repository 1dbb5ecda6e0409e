import { timingSafeEqual } from 'node:crypto'
import { createSamlError } from '../../lib/accounts/saml/errors.ts'
import type { NamedFlow, PostedResponse } from '../../lib/accounts/saml/named-flow.ts'
import { addRetryPath, buildStartPath } from '../../lib/accounts/saml/retry-path.ts'
import { hashBrowserSecret } from '../../lib/accounts/saml/start-sign-in.ts'
import { readFlowCookies } from '../../lib/http/flow-cookie.ts'
import type { Services } from '../../lib/services.ts'
import type { SamlFlow } from '../../lib/store/records/saml-flow-record.ts'
import type { SamlProviderRecord } from '../../lib/store/records/saml-provider-record.ts'
import { takeFlow } from '../../lib/store/saml/saml-flows.ts'

/** The sign-in that a response belongs to, and the cookie value by which its browser was recognized. */
export interface FoundFlow {
  readonly flow: SamlFlow
  readonly browser: string
}

/**
 * Finds the sign-in that a response belongs to. The same browser must have started it (SAML Profiles 4.1.5), so that an
 * attacker cannot sign a user in to another account. The sign-in is then used, whether the response is valid or not.
 *
 * @throws AppError `login_failed` with the reason if there is no such sign-in.
 */
export const findFlowOfResponse = async (
  { table, config, now }: Services,
  provider: SamlProviderRecord,
  { posted, named }: { readonly posted: PostedResponse; readonly named: NamedFlow | undefined },
  cookies: readonly string[],
): Promise<FoundFlow> => {
  const refuse = (reason: string, sentence: string) =>
    createSamlError('login_failed', provider, reason, sentence)
  if (!named) throw refuse('unsolicited', explainUnsolicited(posted))
  const values = readFlowCookies(config, cookies)
  if (values.length === 0)
    throw refuse(
      'no_cookie',
      `Your browser did not send the cookie of this sign-in. Allow cookies for ${config.publicUrl} and sign in again.`,
    )
  const expected = Buffer.from(named.flow.browser)
  const browser = values.find((value) => timingSafeEqual(Buffer.from(hashBrowserSecret(value)), expected))
  if (browser === undefined) throw refuse('other_browser', 'The sign-in was started in another browser.')
  const taken = await takeFlow(table, provider.id, named.name, now())
  if (taken) return { flow: taken, browser }
  const tooLate = refuse('used_or_late', 'The sign-in has already ended or took too long. Sign in again.')
  throw addRetryPath(tooLate, buildStartPath(provider.id, named.flow))
}

const explainUnsolicited = ({ relayState }: PostedResponse): string =>
  'The sign-in did not start at this service, or started too long ago. Start it here, not at the identity provider. If ' +
  `you did, the identity provider does not return what this service sent: ${
    relayState === ''
      ? 'RelayState is missing, and InResponseTo names no sign-in of this service.'
      : 'RelayState is not from this service.'
  }`
