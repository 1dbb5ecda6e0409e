import { randomBytes } from 'node:crypto'
import { type AppError, notFound } from '../../core/errors.ts'
import { samlReturnMs } from '../../core/limits.ts'
import type { Assertion } from '../../saml/assertion/reading.ts'
import type { Services } from '../../services.ts'
import type { SamlFlow } from '../../store/records/saml-flow-record.ts'
import type { SamlProviderRecord } from '../../store/records/saml-provider-record.ts'
import type { UserRecord } from '../../store/records/user-record.ts'
import { buildReturnStep } from '../../store/saml/saml-flows.ts'
import { buildSamlSessionSteps } from '../../store/sign-in/saml-session-index.ts'
import { createSession } from '../../store/sign-in/sessions.ts'
import { auditStep, type RequestContext } from '../common/request-context.ts'
import { buildSession } from '../sign-in/sessions.ts'
import { createSamlError } from './errors.ts'

/** What a finished sign-in leaves for the browser: the session's credential, and what it goes on with. */
export interface SamlSignIn {
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
  context: RequestContext,
): Promise<SamlSignIn> => {
  const { value, session } = buildSession(services, user, context, {
    expiresAt: assertion.sessionEndsAt,
    saml: { providerId: provider.id, ...assertion.subject },
  })
  const wayBack = createReturn()
  await createSession(services.table, session, [
    ...buildSamlSessionSteps(session, assertion.issuedAt, {
      providerDeleted: notFound,
      signedOut: () => signedOut(provider),
    }),
    buildReturnStep(provider.id, wayBack, { returnTo, session: session.hash }, services.now() + samlReturnMs),
    auditStep(context, 'login.succeeded', { user: user.id, actor: user.id, target: `saml:${provider.id}` }),
  ])
  return { session: value, wayBack }
}

const signedOut = (provider: SamlProviderRecord): AppError =>
  createSamlError(
    'login_failed',
    provider,
    'signed_out',
    'The identity provider has signed you out in the meantime: sign in again.',
  )

export const createReturn = (): string => randomBytes(24).toString('base64url')
