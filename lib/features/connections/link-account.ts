import { auditStep } from '../../accounts/events/write-event.ts'
import { buildSecurityNoticeStep } from '../../accounts/outbox/security-notices.ts'
import { findSessionAndUser } from '../../accounts/sessions/find-sessions.records.ts'
import { isSessionActive } from '../../accounts/sessions/session-rules.ts'
import { buildUnchangedUserStep } from '../../accounts/users/build-user-step.records.ts'
import { AppError, notFound } from '../../kernel/errors/errors.ts'
import { signInReturnMs } from '../../kernel/limits/connection-limits.ts'
import { isLimitedToOrganizations } from '../sign-in/organization-sessions.ts'
import { requireNoCompany } from '../sign-in/required-sign-in.ts'
import { buildCompanyAccountSteps, findCompanyAccount } from './accounts.records.ts'
import type { AnswerContext } from './connection-context.ts'
import { getConnectionTarget } from './connection-context.ts'
import { matchDirectory } from './directory-person.ts'
import { createConnectionError } from './errors.ts'
import { buildReturnStep, type SignInFlow } from './flows.records.ts'
import { readProfile, toAccountName, toShownName } from './profile.ts'
import type { ProvenIdentity } from './proven-identity.records.ts'
import { isPublic } from './public-connections.ts'
import { buildConnectionStep, type Connection } from './records.ts'
import { mintReturnToken } from './sign-in.ts'

/**
 * Links the account of a proven identity to the user whose session started the flow. Returns a return token for that session.
 * No session is created.
 *
 * @throws AppError `not_found` if the provider was deleted in the meantime
 * @throws AppError `not_authenticated` if the session has ended
 * @throws AppError `conflict` if the account belongs to another user here
 */
export const linkAccount = async (
  { services, provider, context, use }: AnswerContext,
  identity: ProvenIdentity,
  flow: Pick<SignInFlow, 'returnTo'> & { readonly link: NonNullable<SignInFlow['link']> },
): Promise<string> => {
  const { table, now } = services
  const { userId, session: sessionHash } = flow.link
  const { session, user } = await findSessionAndUser(table, userId, sessionHash)
  if (!session || !user || !isSessionActive(services, session, user) || isLimitedToOrganizations({ session }))
    throw createSessionEndedError()
  if (isPublic(provider)) await requireNoCompany(services, user, readProfile(identity, provider))
  const name = toAccountName(services, provider, identity)
  const { account, deletedUserId } = await findCompanyAccount(table, name)
  if (account && account.user.id !== userId) throw createTakenError(provider)
  // Nobody connects an account of somebody whom the directory ended.
  await matchDirectory({ services, provider, context }, identity, name, account, userId)
  const returnToken = mintReturnToken()
  const destination = { returnTo: flow.returnTo, session: sessionHash }
  const target = getConnectionTarget(provider)
  const linkSteps = account
    ? []
    : [
        ...buildCompanyAccountSteps(name, {
          userId,
          groups: [],
          linkedAt: now(),
          shownName: toShownName(provider, identity),
          refreshToken: identity.refreshToken,
          deletedUserId,
          orElse: () => createTakenError(provider),
        }),
        auditStep(context, 'company_account.linked', { user: userId, actor: userId, target }),
        ...buildSecurityNoticeStep(services, context, user, { kind: 'company_account_linked' }),
      ]
  await table.transact([
    ...use.buildSteps(),
    buildConnectionStep(provider.id, () => notFound('connection')),
    buildUnchangedUserStep(user, createSessionEndedError),
    buildReturnStep(provider.id, returnToken, destination, now() + signInReturnMs),
    ...linkSteps,
  ])
  return returnToken
}

const createSessionEndedError = (): AppError =>
  new AppError('not_authenticated', {
    detail: 'Your session here has ended. Sign in, then link the account again.',
  })

const createTakenError = (provider: Connection): AppError =>
  createConnectionError(
    'conflict',
    provider,
    'account_taken',
    'Your account there belongs to another user here. Sign in with it, or ask an administrator.',
  )
