import { countFailedLookup } from '../../lib/accounts/common/lookup-throttle.ts'
import { auditRefusal } from '../../lib/accounts/common/refusal-audit.ts'
import { toAccessTokenBody, toRestrictedBody } from '../../lib/accounts/links/access-token-body.ts'
import { requireVisibleToken } from '../../lib/accounts/links/access-token-rights.ts'
import { findLink, requireLinkValue } from '../../lib/accounts/links/links.ts'
import { anonymousViewer, createRecipientViewer } from '../../lib/accounts/links/shown-recipients.ts'
import type { accessTokens } from '../../lib/contract/operations/access-tokens.ts'
import { notFound } from '../../lib/errors/errors.ts'
import type { UseCase } from '../../lib/http/use-case.ts'
import { matches } from '../../lib/store/links/access-token-lists.ts'
import { findActivities } from '../../lib/store/links/token-activities.ts'
import { readFilters } from './list.ts'

/** Gets an access token with its newest uses. Guests do not see the uses, because they contain addresses of others. */
export const getAccessToken: UseCase<typeof accessTokens.getAccessToken> = async (
  { params, principal },
  services,
) => {
  const token = await requireVisibleToken(services, principal, params.id)
  const activities = principal.session?.accessToken
    ? []
    : await findActivities(services.table, token.id, services.now())
  const viewer = await createRecipientViewer(services, principal)
  return { status: 200, body: await toAccessTokenBody(services, token, activities, viewer) }
}

/**
 * Looks up an access link by its value. This does not count as a view, because email scanners and chat previews also
 * fetch links. Unknown, deleted, expired, used up, and filtered links get the same response.
 */
export const getAccessTokenByValue: UseCase<typeof accessTokens.getAccessTokenByValue> = async (
  { params, query, context, principal },
  services,
) => {
  requireLinkValue(params.token)
  const link = await findLink(services, params.token)
  if (!link || !matches(link.token, readFilters(query))) {
    await auditRefusal(services, context, 'access_token.not_found', { outcome: 'not_found' })
    await countFailedLookup(services, context)
    throw notFound()
  }
  const viewer = { ...anonymousViewer, userId: principal?.user.id }
  return { status: 200, body: await toRestrictedBody(services, link, params.token, viewer) }
}
