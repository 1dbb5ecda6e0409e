import { isActive } from '../../accounts/users/account-state.ts'
import { requireUser } from '../../accounts/users/require-records.ts'
import { isApiTokenKept } from '../../accounts/users/revoked-credentials.records.ts'
import type { KeptApiTokens, UserRecord } from '../../accounts/users/stored-user.records.ts'
import type { UseCase } from '../../http/use-case.ts'
import { conflict, invalidRequest } from '../../kernel/errors/errors.ts'
import { linkCleanUpMs, replacedApiTokenMs } from '../../kernel/limits/limits.ts'
import { retryConflicts } from '../../kernel/table/retry-conflicts.ts'
import { describeDuration, formatTime } from '../../kernel/util/time.ts'
import type { Services } from '../../services.ts'
import { getRecentUses } from '../access-links/activities.records.ts'
import { findWorkingLinks } from '../access-links/holding-rows.ts'
import type { AccessLinkRecord } from '../access-links/link.records.ts'
import { showObjects } from '../access-links/shown-links.ts'
import { isNearExpiry } from '../api-tokens/expiry.ts'
import { findWorkingApiTokens } from '../api-tokens/holding-rows.ts'
import { toTokenBody } from '../api-tokens/stored-token.ts'
import { requireRightToChange } from '../directory/rights/account-rights.ts'
import { chooseKinds, countHoldings, describeEnd, endRest, writeEnd } from './end-everything.ts'
import type { HeldLink } from './models.ts'
import type { leavers } from './operations.ts'

export const getUserHoldings: UseCase<typeof leavers.getUserHoldings> = async (
  { params, principal },
  services,
) => {
  const user = await requireUser(services.table, params.id)
  await requireRightToChange(services, principal, user)
  const [links, tokens, counts] = await Promise.all([
    findWorkingLinks(services.table, user.id, services.now()),
    findWorkingApiTokens(services, user),
    countHoldings(services, user),
  ])
  return {
    status: 200,
    body: {
      access_links: links
        .toSorted((a, b) => b.id - a.id)
        .slice(0, linksShown)
        .map((link) => toHeldLink(services, link)),
      api_tokens: tokens.map(toTokenBody),
      kinds: [...counts].map(([kind, count]) => ({ kind, count, ends: describeEnd(kind) })),
    },
  }
}

/** A dialog has no room for more. */
const linksShown = 100

const toHeldLink = ({ now }: Services, link: AccessLinkRecord): HeldLink => {
  const { bundles, directories } = showObjects(link)
  const objects = [...bundles, ...directories]
  const uses = getRecentUses(link, now())
  return {
    id: link.id,
    name: objects[0]?.name ?? `Link ${link.id}`,
    object_count: objects.length,
    use_count: uses.length,
    last_used_at: formatTime(uses[0]?.at ?? null),
    expires: formatTime(link.expiresAt),
  }
}

/** Ends everything of a user. One write ends the sessions first. Repeating the request ends what is left. */
export const endUserHoldings: UseCase<typeof leavers.endUserHoldings> = async (
  { params, body, principal, context },
  services,
) => {
  const endsAt = services.now() + linkCleanUpMs
  const kinds = chooseKinds({ password: body.password ?? false, passkey: body.passkeys ?? false })
  const { edited, before } = await retryConflicts(async () => {
    const user = await requireUser(services.table, params.id)
    await requireRightToChange(services, principal, user)
    if (user.id === principal.user.id)
      throw conflict(
        'You cannot end everything of the user who you are. End your sessions and tokens one by one.',
      )
    const keptApiTokens = await requireKeptTokens(services, user, body.kept_api_tokens)
    return writeEnd(services, user, kinds, { context, keptApiTokens })
  }, 'The account kept changing. Send the request again.')
  await endRest(services, edited, kinds, context, () => services.now() < endsAt)
  const [after, tokens] = await Promise.all([
    countHoldings(services, edited, kinds),
    findWorkingApiTokens(services, edited),
  ])
  const kept = tokens.filter((token) => isApiTokenKept(edited, token))
  return {
    status: 200,
    body: {
      is_complete: [...after].every(
        ([kind, count]) => !count || (kind === 'api_token' && count === kept.length),
      ),
      kept_api_tokens: kept.map(toTokenBody),
      kinds: kinds.map((kind) => ({
        kind,
        before: before.get(kind) ?? null,
        after: after.get(kind) ?? null,
      })),
    },
  }
}

/**
 * The API tokens that a request lets work until they expire.
 *
 * @throws AppError `invalid_request` for tokens of others, and for those that have ended or do not end soon, and `conflict` for those of a
 * disabled user
 */
const requireKeptTokens = async (
  services: Services,
  user: UserRecord,
  ids: readonly number[] = [],
): Promise<KeptApiTokens['tokens']> => {
  const now = services.now()
  if (ids.length === 0) return []
  if (!isActive(user, now))
    throw conflict('The account is disabled, so its API tokens do not work. Leave out `kept_api_tokens`.')
  const ending = new Map(
    (await findWorkingApiTokens(services, user)).flatMap(({ id, expiresAt }) =>
      isNearExpiry(expiresAt, now) ? [[id, expiresAt] as const] : [],
    ),
  )
  return [...new Set(ids)].map((id) => {
    const until = ending.get(id)
    if (until !== undefined) return { id, until }
    throw invalidRequest([
      {
        field: 'kept_api_tokens',
        message: `must contain only working API tokens of the user that expire within ${describeDuration(replacedApiTokenMs)}`,
      },
    ])
  })
}
