import type { UseCase } from '../../http/use-case.ts'
import { auditStoppedMs } from '../../kernel/limits/limits.ts'
import { readRateLimitedPage } from '../../kernel/rates/rate-limited.ts'
import { day, formatTime } from '../../kernel/util/time.ts'
import type { Services } from '../../services.ts'
import { connectionKinds } from '../connections/kinds.models.ts'
import { protocols } from '../connections/protocols.ts'
import { type Connection, isOf, readConnectionPages, readConnections } from '../connections/records.ts'
import { type Certificate, parseStoredCertificates } from '../connections/saml/certificates.ts'
import { type SamlConnection, samlKind } from '../connections/saml/records.ts'
import { getSpCertificates } from '../connections/saml/sp-keys.ts'
import { activeUserDays, countActiveUsers } from '../directory/active-users.records.ts'
import {
  type AuditCounts,
  type CountedName,
  countByProvider,
  type DayCounts,
  readAuditCounts,
} from './daily-counts.records.ts'
import type { auditOverview } from './operations.ts'
import {
  type OverviewAttention,
  type OverviewDay,
  type OverviewProvider,
  overviewCertificateDays,
  overviewFailureDays,
  overviewProviders,
} from './overview.models.ts'

/** Answers whether anything is wrong. Each part takes a limited number of calls to the table. */
export const getOverview: UseCase<typeof auditOverview.getOverview> = async (_, services) => {
  const [counts, ofProviders, limited, active] = await Promise.all([
    readAuditCounts(services.table, services.now()),
    checkProviders(services),
    countRateLimited(services),
    countActiveUsers(services.table, services.now()),
  ])
  return {
    status: 200,
    body: {
      attention: [
        ...findStoppedChain(counts, services.now()),
        ...ofProviders,
        ...limited,
        ...findFailures(counts),
      ],
      days: counts.days.map(({ date, counts: ofDay }) => ({ date, ...toSignIns(ofDay) })),
      providers: await findProviders(services, counts),
      active_users: activeUserDays.map((days, at) => ({ days, users: active[at] ?? 0 })),
    },
  }
}

const toSignIns = (counts: DayCounts): Omit<OverviewDay, 'date'> => {
  const get = (name: CountedName) => counts.get(name) ?? 0
  const [passkey, saml, emailCode] = [get('passkey'), get('saml'), get('emailCode')]
  return {
    succeeded: get('password') + passkey + saml + emailCode,
    passkey,
    saml,
    email_code: emailCode,
    second_factor: get('secondFactor'),
    refused: get('refused'),
  }
}

/** Names the providers with the most sign-ins, with one more call. */
const findProviders = async ({ table }: Services, counts: AuditCounts): Promise<OverviewProvider[]> => {
  const top = countByProvider(counts).slice(0, overviewProviders)
  const records = await readConnections(
    table,
    top.map(({ id }) => id),
  )
  const total = counts.days.reduce((sum, ofDay) => sum + (ofDay.counts.get('saml') ?? 0), 0)
  const others = total - top.reduce((sum, { count }) => sum + count, 0)
  return [
    ...top.map(({ id, count }, at) => ({
      provider_id: id,
      name: records[at]?.name ?? null,
      kind: getKind(records[at]),
      succeeded: count,
    })),
    ...(others > 0 ? [{ provider_id: null, name: null, kind: null, succeeded: others }] : []),
  ]
}

const getKind = (connection: Connection | undefined): OverviewProvider['kind'] =>
  connectionKinds.find((kind) => kind === connection?.kind) ?? null

const findStoppedChain = ({ chainedUntil }: AuditCounts, nowMs: number): readonly OverviewAttention[] =>
  chainedUntil === undefined || chainedUntil > nowMs - auditStoppedMs
    ? []
    : [{ kind: 'audit_chain_stopped', count: 1, has_more: false, time: formatTime(chainedUntil) }]

const failures: readonly (readonly [CountedName, OverviewAttention['kind']])[] = [
  ['metadataFailed', 'metadata_not_refreshed'],
  ['mailFailed', 'mail_failed'],
  ['mailUnknown', 'mail_unknown'],
  ['suppressed', 'address_suppressed'],
  ['logoutFailed', 'logout_not_delivered'],
]

const findFailures = ({ days }: AuditCounts): readonly OverviewAttention[] =>
  failures.flatMap(([name, kind]) => {
    const count = days
      .slice(-overviewFailureDays)
      .reduce((sum, { counts }) => sum + (counts.get(name) ?? 0), 0)
    return count === 0 ? [] : [{ kind, count, has_more: false, time: null }]
  })

const providersPerRead = 100
const providerReads = 3

/** Certificates that end, and domains whose proof is lost. */
const checkProviders = async ({ table, now }: Services): Promise<readonly OverviewAttention[]> => {
  const ends: number[] = []
  let lostDomains = 0
  let hasMore = false
  for (const { stored } of protocols.values()) {
    let reads = 0
    for await (const connections of readConnectionPages(table, stored, providersPerRead)) {
      if (reads === providerReads) {
        hasMore = true
        break
      }
      reads += 1
      ends.push(...connections.flatMap((one) => (isOf(samlKind, one) ? (findFirstEnd(one) ?? []) : [])))
      lostDomains += countLostDomains(connections)
    }
  }
  const ending = ends.filter((end) => end <= now() + overviewCertificateDays * day)
  const attention = (kind: OverviewAttention['kind'], count: number, time: string | null) =>
    count === 0 ? [] : [{ kind, count, has_more: hasMore, time }]
  return [
    ...attention('certificate_ending', ending.length, formatFirst(ending)),
    ...attention('domain_lost', lostDomains, null),
  ]
}

const countLostDomains = (connections: readonly Pick<Connection, 'domains'>[]): number =>
  connections.flatMap(({ domains }) => domains.filter(({ state }) => state === 'lost')).length

const formatFirst = (times: readonly number[]): string | null =>
  times.length === 0 ? null : formatTime(Math.min(...times))

/** When the first side of a provider has no certificate any more. A new one next to an old one is fine. */
const findFirstEnd = (provider: SamlConnection): number | undefined => {
  const sides = [parseStoredCertificates(provider.certificate), getSpCertificates(provider).signing]
  const ends = sides.filter((side) => side.length > 0).map(findLastEnd)
  return ends.length === 0 ? undefined : Math.min(...ends)
}

const findLastEnd = (certificates: readonly Certificate[]): number =>
  Math.max(...certificates.map(({ endsAt }) => endsAt))

const limitedCounted = 100

const countRateLimited = async ({ table, config, now }: Services): Promise<readonly OverviewAttention[]> => {
  const { rows, next } = await readRateLimitedPage(
    table,
    config.rateLimits,
    { nowMs: now() },
    { skip: 0, limit: limitedCounted, isDescending: true },
  )
  return rows.length === 0
    ? []
    : [{ kind: 'rate_limited', count: rows.length, has_more: next !== undefined, time: null }]
}
