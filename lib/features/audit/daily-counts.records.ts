import { isFailure } from '../../kernel/contract/audit-events.ts'
import { auditCountedDays } from '../../kernel/limits/limits.ts'
import { auditChainHeadKey } from '../../kernel/table/keys/audit-keys.ts'
import { auditShards } from '../../kernel/table/keys/audit-shards.ts'
import type { Table } from '../../kernel/table/table.ts'
import type { Item } from '../../kernel/table/transaction.ts'
import { day } from '../../kernel/util/time.ts'
import { chainHeadCodec } from './chain.records.ts'
import { readCount, readSignIn, type SignInWay } from './sign-in-ways.records.ts'

/*
 * How often things happen each day. Each event is added to a chain exactly once, by the one write that replaces the head of
 * its chain. So the counts are in the heads: they take no further call, and repeated runs count nothing twice.
 */

/** What is counted, with the name that the head of a chain has for it. A head stays close to 1 KB, the unit of a write. */
const countedNames = {
  password: 'p',
  passkey: 'k',
  saml: 's',
  emailCode: 'e',
  secondFactor: 't',
  refused: 'r',
  metadataFailed: 'm',
  mailFailed: 'f',
  mailUnknown: 'u',
  suppressed: 'b',
  logoutFailed: 'l',
} as const
type Count = keyof typeof countedNames
/** `saml:` and the ID of a company connection of any kind: the sign-ins through it, which are in `saml` as well. */
type CountedProvider = `saml:${number}`
export type CountedName = Count | CountedProvider

/** The providers that a chain counts on one day. Sign-ins through others are in `saml` alone. */
const countedProviders = 10

/** The counts of a day. Missing ones are 0. */
export type DayCounts = ReadonlyMap<CountedName, number>

const mailEvents: readonly unknown[] = [
  'mail.given_up',
  'access_token.mailed',
  'email.confirmation_sent',
  'email_code.sent',
  'invitation.sent',
  'password.reset_sent',
]

/** Emails that are tried once. All others are tried again, until they are given up. */
const singleEmails: readonly unknown[] = ['mail.given_up', 'access_token.mailed']

/** An invitation that is accepted with a password counts as one. */
const namesOfWays = {
  password: 'password',
  invitation: 'password',
  passkey: 'passkey',
  saml: 'saml',
  oidc: 'saml',
  emailCode: 'emailCode',
} as const satisfies Record<SignInWay, Count>

/** What an event counts as. The item may have been changed, so it can have any attributes. */
const classify = (item: Item): readonly CountedName[] => {
  const signIn = readSignIn(item)
  if (!signIn) return [classifyOther(item)].filter((name) => name !== undefined)
  const { way, hasSecondFactor, connection } = signIn
  return [
    namesOfWays[way],
    ...(hasSecondFactor ? (['secondFactor'] as const) : []),
    ...(connection === undefined ? [] : toProvider(String(connection))),
  ]
}

const toProvider = (id: string | undefined): readonly CountedProvider[] =>
  id === undefined ? [] : [`saml:${Number(id)}`]

const isProvider = (name: CountedName): name is CountedProvider => name.startsWith('saml:')

const hasRoomFor = (name: CountedName, counts: DayCounts | undefined): boolean =>
  !isProvider(name) ||
  counts === undefined ||
  counts.has(name) ||
  [...counts.keys()].filter(isProvider).length < countedProviders

/** The sign-ins through each SAML provider on all of the days, the most first. */
export const countByProvider = ({ days }: AuditCounts): readonly { id: number; count: number }[] => {
  const totals = new Map<CountedName, number>()
  for (const { counts } of days)
    for (const [name, count] of counts)
      if (isProvider(name)) totals.set(name, (totals.get(name) ?? 0) + count)
  return [...totals]
    .map(([name, count]) => ({ id: Number(name.slice('saml:'.length)), count }))
    .sort((a, b) => b.count - a.count || a.id - b.id)
}

const classifyOther = ({ event, outcome }: Item): Count | undefined => {
  if (event === 'login.failed') return isFailure({ event, outcome }) ? 'refused' : undefined
  if (mailEvents.includes(event) && outcome === 'unknown') return 'mailUnknown'
  if (singleEmails.includes(event) && outcome !== 'succeeded') return 'mailFailed'
  if (event === 'mail.suppressed') return 'suppressed'
  if (event === 'saml_provider.refresh_failed') return 'metadataFailed'
  return event === 'oidc_client.logout_failed' ? 'logoutFailed' : undefined
}

/** Adds events to the counts of a chain. Days that are no longer shown are left out. */
export const countEvents = (
  known: readonly string[] | undefined,
  events: readonly Item[],
  nowMs: number,
): readonly string[] => {
  const days = new Map<number, Map<CountedName, number>>()
  addTexts(days, known)
  for (const item of events) {
    const count = readCount(item)
    const number = dayOf(Date.parse(item.sk.slice(0, 24)))
    for (const name of classify(item))
      if (hasRoomFor(name, days.get(number))) addTo(days, number, name, count)
  }
  const today = dayOf(nowMs)
  return [...days]
    .filter(([number]) => number > today - auditCountedDays && number <= today + 1)
    .sort(([a], [b]) => a - b)
    .map(([number, counts]) =>
      [number, ...[...counts].map(([name, count]) => `${toText(name)}${count}`)].join(' '),
    )
}

/** The counts of the last days, oldest first, and how far the chains have come. */
export interface AuditCounts {
  readonly days: readonly { readonly date: string; readonly counts: DayCounts }[]
  /** The time in epoch milliseconds up to which the slowest chain has its events. Undefined without any chain. */
  readonly chainedUntil: number | undefined
}

/** Reads the counts of all chains, with one call. A head that cannot be read counts nothing, and stands still since 1970. */
export const readAuditCounts = async (table: Table, nowMs: number): Promise<AuditCounts> => {
  const items = await table.getMany(auditShards.map((shard) => auditChainHeadKey(shard)))
  const heads = items.flatMap((item) => (item ? [readHead(item)] : []))
  const days = new Map<number, Map<CountedName, number>>()
  for (const head of heads) addTexts(days, head?.counts)
  const today = dayOf(nowMs)
  return {
    days: Array.from({ length: auditCountedDays }, (_, at) => today - auditCountedDays + 1 + at).map(
      (number) => ({
        date: new Date(number * day).toISOString().slice(0, 10),
        counts: days.get(number) ?? new Map(),
      }),
    ),
    chainedUntil:
      heads.length === 0
        ? undefined
        : Math.min(...heads.map((head) => Date.parse(head?.cursor.slice(0, 24) ?? '') || 0)),
  }
}

const readHead = (item: Item) => {
  try {
    return chainHeadCodec.decode(item)
  } catch {
    return undefined
  }
}

const dayOf = (ms: number): number => Math.floor(ms / day)

const addTo = (
  days: Map<number, Map<CountedName, number>>,
  number: number,
  name: CountedName,
  count: number,
): void => {
  const counts = days.get(number) ?? new Map<CountedName, number>()
  days.set(number, counts.set(name, (counts.get(name) ?? 0) + count))
}

const toText = (name: CountedName): string =>
  isProvider(name) ? `${name.slice('saml:'.length)}:` : countedNames[name]

const namesByLetter = new Map<string, Count>(
  (Object.keys(countedNames) as Count[]).map((name) => [countedNames[name], name]),
)

/** Adds texts like `20779 p12 s3 4:3`: the number of a day since 1970, and its counts. What is not one is left out. */
const addTexts = (days: Map<number, Map<CountedName, number>>, texts: unknown): void => {
  for (const text of Array.isArray(texts) ? texts : []) {
    const [number, ...counts] = String(text).split(' ')
    for (const given of counts) {
      const [, letter = '', count] = /^([a-z]|[1-9]\d{0,8}:)(\d{1,12})$/.exec(given) ?? []
      const [name] = letter.endsWith(':') ? toProvider(letter.slice(0, -1)) : [namesByLetter.get(letter)]
      if (name) addTo(days, Number(number), name, Number(count))
    }
  }
}
