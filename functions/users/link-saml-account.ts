import { buildSignInSetSteps } from '../../lib/accounts/common/administrator-notices.ts'
import { auditStep } from '../../lib/accounts/common/request-context.ts'
import { buildSecurityNoticeStep } from '../../lib/accounts/common/security-notices.ts'
import { validateSentText } from '../../lib/accounts/connections/connection-rules.ts'
import { requireRightToChange } from '../../lib/accounts/directory/account-rights.ts'
import { requireUser } from '../../lib/accounts/directory/require-records.ts'
import { toFieldErrors } from '../../lib/accounts/saml/provider-validation.ts'
import { getConnectionTarget } from '../../lib/accounts/saml/saml-context.ts'
import type { users } from '../../lib/contract/operations/users.ts'
import { AppError, conflict, invalidRequest } from '../../lib/errors/errors.ts'
import type { UseCase } from '../../lib/http/use-case.ts'
import { accountsPerUser } from '../../lib/limits/saml-limits.ts'
import { type ConnectionRecord, findConnection } from '../../lib/store/connections/connections.ts'
import { isGuestUser } from '../../lib/store/directory/guest-state.ts'
import { editUser } from '../../lib/store/directory/users.ts'
import {
  buildSamlAccountSteps,
  findSamlAccount,
  findSamlAccounts,
  hashSamlName,
  type SamlAccount,
  type SamlName,
} from '../../lib/store/saml/saml-accounts.ts'
import { buildSameProviderStep } from '../../lib/store/saml/saml-providers.ts'
import { toAccountBody } from './saml-accounts.ts'

/**
 * Lets an account at an identity provider sign a user in, by the name that the provider sends. The user gets an email, and so
 * do administrators if the user is one of them. Repeating the request changes nothing.
 */
export const linkUserSamlAccount: UseCase<typeof users.linkUserSamlAccount> = async (
  { params, body, principal, context },
  services,
) => {
  const { table, now } = services
  const user = await requireUser(table, params.id)
  await requireRightToChange(services, principal, user)
  const connection = await findConnection(table, body.provider)
  const errors = [
    ...toFieldErrors('provider', connection ? undefined : 'is not the ID of a company connection'),
    ...toFieldErrors('name', validateSentText(body.name)),
  ]
  if (!connection || errors.length > 0) throw invalidRequest(errors)
  if (isGuestUser(user)) throw conflict('A guest of an access link has no account.')
  const name = toName(connection, body.name)
  const [{ account, deletedUserId }, own] = await Promise.all([
    findSamlAccount(table, name),
    findSamlAccounts(table, user),
  ])
  if (account && account.user.id !== user.id) throw createTakenError()
  if (!account && own.length >= accountsPerUser)
    throw conflict(`A user has at most ${accountsPerUser} accounts at identity providers.`)
  const linked: SamlAccount = account ?? {
    ...{ providerId: connection.id, hash: hashSamlName(name), user, groups: [] },
    ...{ linkedAt: now(), shownName: body.name },
  }
  if (!account) {
    const { linkedAt, shownName } = linked
    const target = `${getConnectionTarget(connection)} administrator`
    await editUser(
      table,
      user,
      {},
      {
        extraSteps: [
          ...buildSamlAccountSteps(name, {
            ...{ userId: user.id, groups: [], deletedUserId, shownName, orElse: createTakenError },
            ...(linkedAt === undefined ? {} : { linkedAt }),
          }),
          buildSameProviderStep(connection),
          auditStep(context, 'saml_account.linked', { user: user.id, target }),
          ...buildSecurityNoticeStep(services, context, user, { kind: 'saml_account_linked' }),
          ...(await buildSignInSetSteps(services, context, user)),
        ],
      },
    )
  }
  return { status: account ? 200 : 201, body: toAccountBody({ ...linked, provider: connection }) }
}

/** The name as a sign-in reads it: see `toSamlName`. */
const toName = (connection: ConnectionRecord, value: string): SamlName => {
  const { id: providerId } = connection
  if ('kind' in connection) return { providerId, attribute: connection.issuer, value }
  const { nameidAttribute } = connection
  return nameidAttribute
    ? { providerId, attribute: nameidAttribute, value }
    : { providerId, nameId: value, qualifiers: [] }
}

const createTakenError = (): AppError =>
  new AppError('conflict', {
    reason: 'account_taken',
    detail: 'This account at the identity provider belongs to another user.',
  })
