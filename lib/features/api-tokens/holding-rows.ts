import { buildSecurityNoticeStep } from '../../accounts/outbox/security-notices.ts'
import { buildEndSessionsChange } from '../../accounts/users/build-user-step.records.ts'
import { endEach } from '../../accounts/users/end-each.ts'
import type { HoldingRow } from '../../accounts/users/holding-row.ts'
import { isApiTokenKept, isApiTokenRevoked } from '../../accounts/users/revoked-credentials.records.ts'
import type { UserRecord } from '../../accounts/users/stored-user.records.ts'
import type { Services } from '../../services.ts'
import { type ApiTokenRecord, findApiTokens, hasApiTokenExpired, listApiTokens } from './records.ts'
import { buildRemoval } from './report-rows.ts'

/** The API tokens of a user that work now, the newest first. */
export const findWorkingApiTokens = async (
  { table, now }: Services,
  user: UserRecord,
): Promise<readonly ApiTokenRecord[]> =>
  (await listApiTokens(table, user.id))
    .filter((token) => !hasApiTokenExpired(token, now()) && !isApiTokenRevoked(user, token))
    .sort((a, b) => b.id - a.id)

const count = async (services: Services, user: UserRecord) =>
  (await findWorkingApiTokens(services, user)).length

export const apiToken: HoldingRow = {
  count,
  plan: async (services, user, { context, keptApiTokens: tokens }) => ({
    changes: {
      apiTokensEndedAt: services.now(),
      keptApiTokens: tokens.length === 0 ? undefined : { tokens, ...buildEndSessionsChange(user) },
    },
    steps:
      (await count(services, user)) === tokens.length
        ? []
        : buildSecurityNoticeStep(services, context, user, { kind: 'api_token_revoked' }),
  }),
  // Also what an older session made while the others ended.
  endRest: endEach(async ({ table }, user) =>
    (await findApiTokens(table, user.id)).filter((token) => !isApiTokenKept(user, token)).map(buildRemoval),
  ),
}
