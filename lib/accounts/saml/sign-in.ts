import { randomBytes } from 'node:crypto'
import { notFound } from '../../core/errors.ts'
import { samlReturnMs } from '../../core/limits.ts'
import type { Assertion } from '../../saml/assertion/reading.ts'
import type { Services } from '../../services.ts'
import { ConditionFailed } from '../../store/engine/transaction-errors.ts'
import type { UserRecord } from '../../store/records/user-record.ts'
import { returnStep, type SamlFlow } from '../../store/saml/saml-flows.ts'
import type { SamlProviderRecord } from '../../store/saml/saml-providers.ts'
import { samlSessionSteps } from '../../store/sign-in/saml-session-index.ts'
import { createSession } from '../../store/sign-in/sessions.ts'
import { recorded, type Visitor } from '../common/request-context.ts'
import { newSession } from '../sign-in/sessions.ts'
import { samlRefusal } from './errors.ts'

/** What a finished sign-in leaves for the browser: the session's credential, and what it goes on with. */
export interface SignedIn {
  readonly session: string
  /** Good once, for the way back to where the sign-in began. */
  readonly wayBack: string
}

/**
 * Opens a session for the user of an assertion, which ends when that of the provider does. In the same transaction goes
 * the marker that sign-out finds it by, and the way back.
 *
 * @throws AppError when the provider has signed the user out since, or is gone.
 */
export const openSamlSession = async (
  services: Services,
  provider: SamlProviderRecord,
  assertion: Assertion,
  user: UserRecord,
  { returnTo }: SamlFlow,
  visitor: Visitor,
): Promise<SignedIn> => {
  const { value, session } = newSession(services, user, visitor, {
    expiresAt: assertion.sessionEndsAt,
    saml: { providerId: provider.id, ...assertion.subject },
  })
  const wayBack = newWayBack()
  const notSignedOut = samlSessionSteps(session, assertion.issuedAt)
  const along = [
    // That the provider is there comes first.
    ...notSignedOut,
    returnStep(provider.id, wayBack, { returnTo, session: session.hash }, services.now() + samlReturnMs),
    recorded(visitor, 'login.succeeded', { user: user.id, actor: user.id, target: `saml:${provider.id}` }),
  ]
  try {
    await createSession(services.table, session, along)
  } catch (error) {
    if (!(error instanceof ConditionFailed)) throw error
    if (error.steps.includes(1)) throw notFound()
    throw samlRefusal(
      'login_failed',
      provider,
      'signed_out',
      'The identity provider has signed you out in the meantime: sign in again.',
    )
  }
  return { session: value, wayBack }
}

export const newWayBack = (): string => randomBytes(24).toString('base64url')
