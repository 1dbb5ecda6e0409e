import { AppError } from '../../core/errors.ts'
import { samlReturnMs } from '../../core/limits.ts'
import type { Assertion } from '../../saml/assertion/reading.ts'
import type { Services } from '../../services.ts'
import { userKey } from '../../store/engine/keys.ts'
import type { Step } from '../../store/engine/transaction.ts'
import { ConditionFailed } from '../../store/engine/transaction-errors.ts'
import type { UserRecord } from '../../store/records/user-record.ts'
import { buildSamlAccountSteps, findSamlAccount } from '../../store/saml/saml-accounts.ts'
import { buildProviderStep, buildReturnStep, type SamlFlow } from '../../store/saml/saml-flows.ts'
import type { SamlProviderRecord } from '../../store/saml/saml-providers.ts'
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
 * @throws AppError `not_authenticated` when the session has ended meanwhile.
 * @throws AppError `conflict` when the account is somebody else's here.
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
  if (!session || !user || !isSessionActive(session, user, now())) throw ended
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
        ...buildSamlAccountSteps(name, userId, [], goneUser),
        auditStep(context, 'saml_account.linked', { user: userId, actor: userId, target }),
      ]
  try {
    await table.transact([buildProviderStep(provider.id), unchanged(user), back, ...linking])
  } catch (error) {
    if (!(error instanceof ConditionFailed)) throw error
    throw error.steps.some((at) => at < 2) ? ended : taken(provider)
  }
  return wayBack
}

const ended = new AppError('not_authenticated', {
  detail: 'Your session here has ended meanwhile: sign in, then link the account again.',
})

const taken = (provider: SamlProviderRecord): AppError =>
  createSamlError(
    'conflict',
    provider,
    'account_taken',
    'Your account there belongs to another user here: sign in with it, or ask an administrator.',
  )

/** The user still works, and nobody has ended its sessions. */
const unchanged = ({ id, credentialEpoch }: UserRecord): Step => ({
  check: userKey(id),
  condition: (x) =>
    `${x.path('credentialEpoch')} = ${x.value(credentialEpoch)} AND ${x.path('isEnabled')} = ${x.value(true)}`,
})
