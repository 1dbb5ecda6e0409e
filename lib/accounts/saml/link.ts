import { AppError, notFound } from '../../core/errors.ts'
import { samlReturnMs } from '../../core/limits.ts'
import type { Assertion } from '../../saml/assertion/reading.ts'
import type { Services } from '../../services.ts'
import { buildUnchangedUserStep } from '../../store/directory/user-step.ts'
import type { SamlFlow } from '../../store/records/saml-flow-record.ts'
import type { SamlProviderRecord } from '../../store/records/saml-provider-record.ts'
import { buildSamlAccountSteps, findSamlAccount } from '../../store/saml/saml-accounts.ts'
import { buildProviderStep, buildReturnStep } from '../../store/saml/saml-flows.ts'
import { findSessionAndUser } from '../../store/sign-in/sessions.ts'
import { auditStep, type RequestContext } from '../common/request-context.ts'
import { isSessionActive } from '../sign-in/sessions.ts'
import { toSamlName } from './accounts.ts'
import { createSamlError } from './errors.ts'
import { createReturn } from './sign-in.ts'

/**
 * Links the account that an assertion is about to the user whose session began this, and returns the way back for that
 * very session: no other one is made.
 *
 * @throws AppError `not_found` if the provider was deleted in the meantime.
 * @throws AppError `not_authenticated` if the session has ended.
 * @throws AppError `conflict` if the account belongs to another user here.
 */
export const linkAccount = async (
  services: Services,
  provider: SamlProviderRecord,
  assertion: Assertion,
  flow: SamlFlow & { readonly link: NonNullable<SamlFlow['link']> },
  context: RequestContext,
): Promise<string> => {
  const { table, now } = services
  const { userId, session: sessionHash } = flow.link
  const { session, user } = await findSessionAndUser(table, userId, sessionHash)
  if (!session || !user || !isSessionActive(session, user, now())) throw ended()
  const name = toSamlName(services, provider, assertion)
  const { account, goneUser } = await findSamlAccount(table, name)
  if (account && account.user.id !== userId) throw taken(provider)
  const wayBack = createReturn()
  const back = buildReturnStep(
    provider.id,
    wayBack,
    { returnTo: flow.returnTo, session: sessionHash },
    now() + samlReturnMs,
  )
  const target = `saml:${provider.id}`
  const linking = account
    ? []
    : [
        ...buildSamlAccountSteps(name, userId, [], goneUser, () => taken(provider)),
        auditStep(context, 'saml_account.linked', { user: userId, actor: userId, target }),
      ]
  await table.transact([
    buildProviderStep(provider.id, notFound),
    buildUnchangedUserStep(user, ended),
    back,
    ...linking,
  ])
  return wayBack
}

const ended = (): AppError =>
  new AppError('not_authenticated', {
    detail: 'Your session here has ended. Sign in, then link the account again.',
  })

const taken = (provider: SamlProviderRecord): AppError =>
  createSamlError(
    'conflict',
    provider,
    'account_taken',
    'Your account there belongs to another user here: sign in with it, or ask an administrator.',
  )
