import type { RequestContext } from '../../lib/accounts/common/request-context.ts'
import { retryConflicts } from '../../lib/accounts/common/retry-conflicts.ts'
import { deleteLink } from '../../lib/accounts/links/delete-link.ts'
import { isSameHash } from '../../lib/accounts/links/links.ts'
import type { Credential } from '../../lib/secrets/credentials.ts'
import type { Services } from '../../lib/services.ts'
import { findUsers } from '../../lib/store/directory/users.ts'
import { EditConflict } from '../../lib/store/engine/transaction-errors.ts'
import { findAccessToken, isUsable } from '../../lib/store/links/access-tokens.ts'
import { buildLeakSteps } from './leak-steps.ts'

/** Deletes an access link with its sessions. Its creator is informed, because the link is theirs. */
export const endLeakedLink = (
  services: Services,
  context: RequestContext,
  { subject, hash }: Credential,
): Promise<void> =>
  retryConflicts(async () => {
    const token = await findAccessToken(services.table, subject)
    if (!token || !isSameHash(token.hash, hash) || !isUsable(token, services.now())) return
    const [creator] = await findUsers(services.table, [token.createdBy])
    const steps = creator ? buildLeakSteps(services, context, creator, `access_token:${token.id}`) : []
    if (!(await deleteLink(services, token, context, steps))) throw new EditConflict()
  }, 'The link was modified concurrently. Try again.')
