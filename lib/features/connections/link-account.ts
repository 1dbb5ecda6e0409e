import { AppError, notFound } from '../../kernel/errors/errors.ts'
import { samlReturnMs } from '../../kernel/limits/saml-limits.ts'
import { auditStep } from '../audit/write-event.ts'
import { buildUnchangedUserStep } from '../directory/user-step.records.ts'
import { buildSecurityNoticeStep } from '../mail/security-notices.ts'
import { findSessionAndUser } from '../sign-in/sessions.records.ts'
import { isSessionActive } from '../sign-in/sessions.ts'
import { buildSamlAccountSteps, findSamlAccount } from './accounts.records.ts'
import { createSamlError } from './errors.ts'
import { toSamlName, toShownName } from './profile.ts'
import { buildConnectionStep, type Connection } from './records.ts'
import type { Assertion } from './saml/assertion/read-assertion.ts'
import type { SamlAssertionContext } from './saml/assertion-use.ts'
import { buildReturnStep, type SamlFlow } from './saml/flows.records.ts'
import { getConnectionTarget } from './saml/saml-context.ts'
import { mintReturnToken } from './sign-in.ts'

/**
 * Links the account of an assertion to the user whose session started the flow. Returns a return token for that session.
 * No session is created.
 *
 * @throws AppError `not_found` if the provider was deleted in the meantime
 * @throws AppError `not_authenticated` if the session has ended
 * @throws AppError `conflict` if the account belongs to another user here
 */
export const linkAccount = async (
  { services, provider, context, use }: SamlAssertionContext,
  assertion: Assertion,
  flow: Pick<SamlFlow, 'returnTo'> & { readonly link: NonNullable<SamlFlow['link']> },
): Promise<string> => {
  const { table, now } = services
  const { userId, session: sessionHash } = flow.link
  const { session, user } = await findSessionAndUser(table, userId, sessionHash)
  if (!session || !user || !isSessionActive(services, session, user)) throw createSessionEndedError()
  const name = toSamlName(services, provider, assertion)
  const { account, deletedUserId } = await findSamlAccount(table, name)
  if (account && account.user.id !== userId) throw createTakenError(provider)
  const returnToken = mintReturnToken()
  const destination = { returnTo: flow.returnTo, session: sessionHash }
  const target = getConnectionTarget(provider)
  const linkSteps = account
    ? []
    : [
        ...buildSamlAccountSteps(name, {
          userId,
          groups: [],
          linkedAt: now(),
          shownName: toShownName(provider, assertion),
          deletedUserId,
          orElse: () => createTakenError(provider),
        }),
        auditStep(context, 'saml_account.linked', { user: userId, actor: userId, target }),
        ...buildSecurityNoticeStep(services, context, user, { kind: 'saml_account_linked' }),
      ]
  await table.transact([
    ...use.buildSteps(),
    buildConnectionStep(provider.id, notFound),
    buildUnchangedUserStep(user, createSessionEndedError),
    buildReturnStep(provider.id, returnToken, destination, now() + samlReturnMs),
    ...linkSteps,
  ])
  return returnToken
}

const createSessionEndedError = (): AppError =>
  new AppError('not_authenticated', {
    detail: 'Your session here has ended. Sign in, then link the account again.',
  })

const createTakenError = (provider: Connection): AppError =>
  createSamlError(
    'conflict',
    provider,
    'account_taken',
    'Your account there belongs to another user here. Sign in with it, or ask an administrator.',
  )
