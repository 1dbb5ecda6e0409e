import { activeUserDays, countActiveUsers } from '../../accounts/users/active-users.records.ts'
import { listUsers } from '../../accounts/users/find-users.records.ts'
import type { UseCase } from '../../http/use-case.ts'
import { connectionKinds } from '../../kernel/contract/connection-kinds.ts'
import { auditStoppedMs } from '../../kernel/limits/limits.ts'
import { readRateLimitedPage } from '../../kernel/rates/rate-limited.ts'
import { day, formatTime } from '../../kernel/util/time.ts'
import type { Services } from '../../services.ts'
import { protocols } from '../connections/protocols.ts'
import { type Connection, isOf, readConnectionPages, readConnections } from '../connections/records.ts'
import { type Certificate, parseStoredCertificates } from '../connections/saml/certificates.ts'
import { type SamlConnection, samlKind } from '../connections/saml/records.ts'
import { getSpCertificates } from '../connections/saml/sp-keys.ts'
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
  type OverviewThing,
  overviewCertificateDays,
  overviewFailureDays,
  overviewNamed,
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
    : [{ kind: 'audit_chain_stopped', count: 1, has_more: false, time: formatTime(chainedUntil), things: [] }]

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
    return count === 0 ? [] : [{ kind, count, has_more: false, time: null, things: [] }]
  })

const providersPerRead = 100
const providerReads = 3

/** Certificates that end, and domains whose proof is lost. */
const checkProviders = async ({ table, now }: Services): Promise<readonly OverviewAttention[]> => {
  const ends: (OverviewThing & { readonly end: number })[] = []
  const lost: OverviewThing[] = []
  let hasMore = false
  for (const { stored } of protocols.values()) {
    let reads = 0
    for await (const connections of readConnectionPages(table, stored, providersPerRead)) {
      if (reads === providerReads) {
        hasMore = true
        break
      }
      reads += 1
      for (const one of connections) {
        const end = isOf(samlKind, one) ? findFirstEnd(one) : undefined
        if (end !== undefined) ends.push({ ...toThing(one), end })
        for (const { name: domain, state } of one.domains)
          if (state === 'lost') lost.push({ ...toThing(one), domain })
      }
    }
  }
  const ending = ends
    .filter(({ end }) => end <= now() + overviewCertificateDays * day)
    .sort((a, b) => a.end - b.end)
  const attention = (
    kind: OverviewAttention['kind'],
    things: readonly OverviewThing[],
    time: string | null,
  ) =>
    things.length === 0
      ? []
      : [{ kind, count: things.length, has_more: hasMore, time, things: things.slice(0, overviewNamed) }]
  const certificates = ending.map(({ end, ...thing }) => ({ ...thing, time: formatTime(end) }))
  return [
    ...attention('certificate_ending', certificates, certificates[0]?.time ?? null),
    ...attention('domain_lost', lost, null),
  ]
}

const noThing = { connection: null, connection_kind: null, user: null, name: null, domain: null, time: null }

const toThing = (connection: Connection): OverviewThing => ({
  ...noThing,
  connection: connection.id,
  connection_kind: getKind(connection),
  name: connection.name,
})

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
  if (rows.length === 0) return []
  const first = rows.slice(0, overviewNamed).map(({ row }) => row)
  const users = await listUsers(table, [...new Set(first.flatMap(({ user }) => user ?? []))])
  const names = new Map(users.flatMap((one) => (one ? [[one.id, one.username] as const] : [])))
  const things = first.map(({ user, network, until }) => ({
    ...noThing,
    user: user ?? null,
    name: (user === undefined ? network : names.get(user)) ?? null,
    time: until === null ? null : formatTime(until),
  }))
  return [{ kind: 'rate_limited', count: rows.length, has_more: next !== undefined, time: null, things }]
}
