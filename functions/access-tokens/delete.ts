import { requireManageableToken } from '../../lib/accounts/links/access-token-rights.ts'
import { deleteLink } from '../../lib/accounts/links/delete-link.ts'
import type { accessTokens } from '../../lib/contract/operations/access-tokens.ts'
import { conflict } from '../../lib/core/errors.ts'
import type { UseCase } from '../../lib/http/use-case.ts'

/** Deletes a token. From that on its link, the sessions that it opened and their tickets are dead. */
export const deleteAccessToken: UseCase<typeof accessTokens.deleteAccessToken> = async (
  { params, principal, context },
  services,
) => {
  for (let attempt = 0; attempt < attempts; attempt++) {
    // Somebody who deletes it at the same moment makes this one a 404.
    const token = await requireManageableToken(services, principal, params.id)
    if (await deleteLink(services, token, context)) return { status: 204 }
  }
  throw conflict('The token, or its guest, changed again and again meanwhile. Try once more.')
}

const attempts = 5
