import { randomBytes } from 'node:crypto'
import { type AppError, notFound } from '../../errors/errors.ts'
import { samlReturnMs } from '../../limits/saml-limits.ts'
import type { Assertion } from '../../saml/assertion/read-assertion.ts'
import type { SamlFlow } from '../../store/records/saml-flow-record.ts'
import type { SamlProviderRecord } from '../../store/records/saml-provider-record.ts'
import type { UserRecord } from '../../store/records/user-record.ts'
import { buildSamlUseStep, type SamlAccount } from '../../store/saml/saml-accounts.ts'
import { buildReturnStep } from '../../store/saml/saml-flows.ts'
import { buildSamlSessionSteps } from '../../store/sign-in/saml-session-index.ts'
import { createSession } from '../../store/sign-in/sessions.ts'
import { auditStep } from '../common/request-context.ts'
import { buildSession, detectAdministrator } from '../sign-in/sessions.ts'
import type { SamlAssertionContext } from './assertion-use.ts'
import { createNoAccountError } from './create-user.ts'
import { createSamlError } from './errors.ts'
import { toShownName } from './saml-name.ts'

/** The result of a sign-in for the browser. */
export interface SamlSignIn {
  /** The credential of the session. */
  readonly sessionKey: string
  /** Valid once, to return to the page where the sign-in started. */
  readonly returnToken: string
}

interface SignInRequest {
  readonly assertion: Assertion
  readonly user: UserRecord
  readonly account: SamlAccount | undefined
  readonly flow: SamlFlow
}

/**
 * Creates a session for the user of an assertion. It ends no later than the provider's session. The transaction also
 * uses the assertion, and stores the marker by which single logout finds the session, and the return token.
 *
 * @throws AppError `login_failed` when the assertion was used before
 * @throws AppError `login_failed` when the provider signed the user out in the meantime
 * @throws AppError `not_found` when the provider was deleted
 * @throws AppError `permission_denied` when the account was removed from its user in the meantime
 */
export const openSamlSession = async (
  { services, provider, context, use }: SamlAssertionContext,
  { assertion, user, account, flow }: SignInRequest,
): Promise<SamlSignIn> => {
  const { value, session } = buildSession(services, user, context, {
    methods: ['saml'],
    authenticatedAt: getAuthenticationTime(assertion, flow),
    ...(await detectAdministrator(services, user)),
    expiresAt: assertion.sessionEndsAt,
    saml: { providerId: provider.id, ...assertion.subject },
  })
  const returnToken = mintReturnToken()
  const destination = { returnTo: flow.returnTo, session: session.hash }
  const lastUse = { shownName: toShownName(assertion), usedAt: services.now() }
  await createSession(services.table, session, [
    ...use.buildSteps(),
    ...buildSamlSessionSteps(session, assertion.issuedAt, {
      providerDeleted: notFound,
      signedOut: () => createSignedOutError(provider),
    }),
    ...(account ? buildSamlUseStep(account, lastUse, () => createNoAccountError(provider)) : []),
    buildReturnStep(provider.id, returnToken, destination, services.now() + samlReturnMs),
    auditStep(context, 'login.succeeded', { user: user.id, actor: user.id, target: `saml:${provider.id}` }),
  ])
  return { sessionKey: value, returnToken }
}

/**
 * The user proved who they are when they signed in at the provider. That can be days ago, because the provider answers for
 * the session that the user has there. If this service asked for a new proof, the response was accepted because it has
 * one. The proof is then later than the request, although the clock of the provider may be a little slow.
 */
const getAuthenticationTime = (
  { authenticatedAt }: Assertion,
  { forceAuthn, startedAt }: SamlFlow,
): number => (forceAuthn ? Math.max(authenticatedAt, startedAt) : authenticatedAt)

const createSignedOutError = (provider: SamlProviderRecord): AppError =>
  createSamlError(
    'login_failed',
    provider,
    'signed_out',
    'The identity provider has signed you out in the meantime. Sign in again.',
  )

export const mintReturnToken = (): string => randomBytes(24).toString('base64url')
