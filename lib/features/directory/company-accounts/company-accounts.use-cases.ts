import { createHash } from 'node:crypto'
import type { Principal } from '../../../accounts/callers/principal.ts'
import { auditStep } from '../../../accounts/events/write-event.ts'
import { buildSecurityNoticeStep, buildSignInSetSteps } from '../../../accounts/outbox/security-notices.ts'
import { isGuestUser } from '../../../accounts/users/guest-state.records.ts'
import { requireUser } from '../../../accounts/users/require-records.ts'
import type { UserRecord } from '../../../accounts/users/stored-user.records.ts'
import { editUser, editUserEndingSessions } from '../../../accounts/users/write-users.records.ts'
import { type ListRequest, readPageRequest, toListReply } from '../../../http/paging.ts'
import type { UseCase } from '../../../http/use-case.ts'
import type { Ordering } from '../../../kernel/contract/query.ts'
import { ConflictError, conflict, invalidRequest } from '../../../kernel/errors/errors.ts'
import { accountsPerUser } from '../../../kernel/limits/connection-limits.ts'
import { buildPage } from '../../../kernel/table/listing.ts'
import { omitUndefined } from '../../../kernel/util/object-fields.ts'
import { sortableId } from '../../../kernel/util/sortable-id.ts'
import { formatTime } from '../../../kernel/util/time.ts'
import type { Services } from '../../../services.ts'
import type { CompanyAccount } from '../../connections/accounts.models.ts'
import {
  buildCompanyAccountSteps,
  type CompanyAccountRecord,
  findCompanyAccount,
  findCompanyAccounts,
  hashAccountName,
} from '../../connections/accounts.records.ts'
import { getConnectionTarget } from '../../connections/connection-context.ts'
import { toFieldErrors } from '../../connections/connection-fields.ts'
import { validateSentText } from '../../connections/connection-rules.ts'
import { getProtocol } from '../../connections/protocols.ts'
import { buildSameConnectionStep, findConnection } from '../../connections/records.ts'
import { tryRemoveRevokedCredentials } from '../../leaked-credentials/remove-revoked.ts'
import { findScimUserOf } from '../../provisioning/users.records.ts'
import { readCallerRights, requireControlOfAccount } from '../rights/account-rights.ts'
import { buildSignInDecision, type SignInDecision } from '../rights/rights-limit.ts'
import type { users } from '../users/users.operations.ts'
import { findUsableCompanyAccounts, type UsableCompanyAccount } from './usable-company-accounts.ts'

/** Lists the caller's accounts at identity providers. A user has only a few, so all of them are read at once. */
export const getOwnCompanyAccounts: UseCase<typeof users.getOwnCompanyAccounts> = async (
  request,
  services,
) => ({
  status: 200,
  ...(await listAccounts(services, request, request.principal.user)),
})

/** Lists the accounts of a user, to help them when they lost access to one. */
export const getUserCompanyAccounts: UseCase<typeof users.getUserCompanyAccounts> = async (
  request,
  services,
) => {
  const user = await requireUser(services.table, request.params.id)
  return { status: 200, ...(await listAccounts(services, request, user)) }
}

type SortField = 'id' | 'linked_at'

interface AccountListRequest extends ListRequest {
  readonly query: ListRequest['query'] & { readonly ordering: Ordering<SortField> }
  readonly principal: Principal
}

const listAccounts = async (
  services: Services,
  request: AccountListRequest,
  user: UserRecord,
): Promise<ReturnType<typeof toListReply<CompanyAccount>>> => {
  const accounts = await findUsableCompanyAccounts(services, user)
  const getSortKey = request.query.ordering.field === 'id' ? formatId : formatAge
  const { rows, next } = buildPage(accounts, getSortKey, readPageRequest(request))
  const bodies = await Promise.all(
    rows.map(async ({ indexKey, row }) => ({
      indexKey,
      row: toAccountBody(row, await isFromDirectory(services, user, row)),
    })),
  )
  return toListReply(request, services.config, { rows: bodies, next })
}

const formatId = (account: UsableCompanyAccount): string => sortableId(getCompanyAccountId(account))
const formatAge = (account: UsableCompanyAccount): string =>
  `${formatTime(account.linkedAt ?? 0)}#${formatId(account)}`

/** Whether the directory of the connection sent a user. Connections without one cost no table call. */
const isFromDirectory = async (
  { table }: Services,
  { id }: UserRecord,
  { provider }: UsableCompanyAccount,
): Promise<boolean> => {
  if (!provider.scim) return false
  const known = await findScimUserOf(table, provider.id, id)
  return known !== undefined && !known.isDeleted
}

export const toAccountBody = (account: UsableCompanyAccount, fromDirectory: boolean): CompanyAccount => {
  const { provider, shownName, linkedAt, lastUsedAt } = account
  return {
    id: getCompanyAccountId(account),
    provider: { id: provider.id, name: provider.name },
    name: shownName,
    linked_at: linkedAt === undefined ? null : formatTime(linkedAt),
    last_used_at: lastUsedAt === undefined ? null : formatTime(lastUsedAt),
    from_directory: fromDirectory,
  }
}

/**
 * Lets an account at an identity provider sign a user in, by the name that the provider sends. The user gets an email, and so
 * do administrators if the user is one of them. Repeating the request changes nothing, unless the account starts anew.
 */
export const linkUserCompanyAccount: UseCase<typeof users.linkUserCompanyAccount> = async (
  { params, body, principal, context },
  services,
) => {
  const { table, now } = services
  const user = await requireUser(table, params.id)
  const rights = await readCallerRights(table, principal)
  await requireControlOfAccount(table, rights, user)
  const connection = await findConnection(table, body.provider)
  const errors = [
    ...toFieldErrors('provider', connection ? undefined : 'is not the ID of a company connection'),
    ...toFieldErrors('name', validateSentText(body.name)),
  ]
  if (!connection || errors.length > 0) throw invalidRequest(errors)
  if (isGuestUser(user)) throw conflict('A guest of an access link has no account.')
  const name = getProtocol(connection).nameAccount(connection, body.name)
  const [{ account, deletedUserId }, own] = await Promise.all([
    findCompanyAccount(table, name),
    findCompanyAccounts(table, user),
  ])
  if (account && account.user.id !== user.id) throw createTakenError()
  if (!account && own.length >= accountsPerUser)
    throw conflict(`A user has at most ${accountsPerUser} accounts at identity providers.`)
  const isByOther = principal.actor !== undefined || user.id !== principal.user.id
  const { changes, isNewStart }: SignInDecision = isByOther
    ? await buildSignInDecision(services, user, rights)
    : { changes: {}, isNewStart: false }
  const isKept = account !== undefined && !isNewStart
  const linked: CompanyAccountRecord = isKept
    ? account
    : {
        providerId: connection.id,
        hash: hashAccountName(name),
        user,
        shownName: body.name,
        groups: account?.groups ?? [],
        // Later than all that the new start ends.
        linkedAt: Math.max(now(), (changes.revokedCredentials?.to ?? 0) + 1),
      }
  if (!isKept) {
    const { groups, shownName, linkedAt } = linked
    const target = `${getConnectionTarget(connection)} administrator`
    const edit = isNewStart ? editUserEndingSessions : editUser
    const edited = await edit(table, user, changes, {
      extraSteps: [
        ...buildCompanyAccountSteps(name, {
          userId: user.id,
          groups,
          shownName,
          orElse: createTakenError,
          // The user's own name may be written again.
          deletedUserId: account ? user.id : deletedUserId,
          ...omitUndefined({ linkedAt }),
        }),
        buildSameConnectionStep(connection),
        auditStep(context, 'company_account.linked', { user: user.id, target }),
        ...(isNewStart ? [auditStep(context, 'user.started_anew', { user: user.id })] : []),
        ...buildSecurityNoticeStep(services, context, user, { kind: 'company_account_linked' }),
        ...(await buildSignInSetSteps(services, context, user)),
      ],
    })
    if (isNewStart) await tryRemoveRevokedCredentials(services, edited, context)
  }
  const shown = { ...linked, provider: connection }
  return {
    status: account ? 200 : 201,
    body: toAccountBody(shown, await isFromDirectory(services, user, shown)),
  }
}

const createTakenError = (): ConflictError =>
  new ConflictError('account_taken', 'another user has this account at an identity provider')

/**
 * The ID of an account in paths. It is derived from the name at the provider, and differs between the accounts of one
 * user.
 */
export const getCompanyAccountId = ({
  providerId,
  hash,
}: Pick<CompanyAccountRecord, 'providerId' | 'hash'>): number => {
  const digest = createHash('sha256').update(`${providerId}#${hash}`).digest()
  return (digest.readUInt32BE() % (2 ** 31 - 1)) + 1
}
