import { retryConflicts } from '../../lib/accounts/common/retry-conflicts.ts'
import { requireManageableToken } from '../../lib/accounts/links/access-token-rights.ts'
import { deleteLink } from '../../lib/accounts/links/delete-link.ts'
import type { accessTokens } from '../../lib/contract/operations/access-tokens.ts'
import type { UseCase } from '../../lib/http/use-case.ts'
import { EditConflict } from '../../lib/store/engine/transaction.ts'

/** Deletes an access token. Its link, the sessions created with it, and their tickets stop working at once. */
export const deleteAccessToken: UseCase<typeof accessTokens.deleteAccessToken> = async (
  { params, principal, context },
  services,
) => {
  await retryConflicts(async () => {
    const token = await requireManageableToken(services, principal, params.id)
    if (!(await deleteLink(services, token, context))) throw new EditConflict()
  }, 'The link was modified concurrently. Try again.')
  return { status: 204 }
}
