import { buildSecurityNoticeStep } from '../../accounts/outbox/security-notices.ts'
import { endEach } from '../../accounts/users/end-each.ts'
import type { HoldingRow } from '../../accounts/users/holding-row.ts'
import { isApiTokenRevoked } from '../../accounts/users/revoked-credentials.records.ts'
import type { UserRecord } from '../../accounts/users/stored-user.records.ts'
import type { Services } from '../../services.ts'
import { type ApiTokenRecord, hasApiTokenExpired, listApiTokens } from './records.ts'
import { findRevokedApiTokens } from './report-rows.ts'

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
  plan: async (services, user, context) => ({
    changes: { apiTokensEndedAt: services.now() },
    steps:
      (await count(services, user)) === 0
        ? []
        : buildSecurityNoticeStep(services, context, user, { kind: 'api_token_revoked' }),
  }),
  endRest: endEach(findRevokedApiTokens),
}
