import { openSignInSteps } from '../../contract/audit-events.ts'
import { auditCountedDays } from '../../limits/limits.ts'
import { day } from '../../util/durations.ts'
import type { Table } from '../engine/table.ts'
import type { Item } from '../engine/transaction.ts'
import { auditChainHeadKey } from '../keys/audit-keys.ts'
import { auditShards } from '../keys/audit-shards.ts'
import { chainHeadCodec } from './chain.ts'

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
export type CountedName = keyof typeof countedNames

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

const waysToSignIn: readonly (readonly [string, CountedName])[] = [
  ['passkey:', 'passkey'],
  ['saml:', 'saml'],
  ['email_code', 'emailCode'],
]

/** A passkey verifies its user, so it counts as two factors. */
const secondFactors = /^passkey:|(^| )(otp|recovery_code)$/

/** What an event counts as. The item may have been changed, so it can have any attributes. */
const classify = (item: Item): readonly CountedName[] => {
  const name = classifyOnce(item)
  const hasSecondFactor = item['event'] === 'login.succeeded' && secondFactors.test(String(item['target']))
  return [...(name ? [name] : []), ...(hasSecondFactor ? (['secondFactor'] as const) : [])]
}

const classifyOnce = ({ event, outcome, target }: Item): CountedName | undefined => {
  if (event === 'login.succeeded')
    return waysToSignIn.find(([start]) => String(target).startsWith(start))?.[1] ?? 'password'
  if (event === 'login.failed') return openSignInSteps.includes(String(outcome)) ? undefined : 'refused'
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
    const count = Number.isSafeInteger(item['count']) ? Math.max(1, Number(item['count'])) : 1
    for (const name of classify(item)) addTo(days, dayOf(Date.parse(item.sk.slice(0, 24))), name, count)
  }
  const today = dayOf(nowMs)
  return [...days]
    .filter(([number]) => number > today - auditCountedDays && number <= today + 1)
    .sort(([a], [b]) => a - b)
    .map(([number, counts]) =>
      [number, ...[...counts].map(([name, count]) => `${countedNames[name]}${count}`)].join(' '),
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

const namesByLetter = new Map(
  (Object.keys(countedNames) as CountedName[]).map((name) => [countedNames[name] as string, name]),
)

/** Adds texts like `20779 p12 r3`: the number of a day since 1970, and its counts. What is not one is left out. */
const addTexts = (days: Map<number, Map<CountedName, number>>, texts: unknown): void => {
  for (const text of Array.isArray(texts) ? texts : []) {
    const [number, ...counts] = String(text).split(' ')
    for (const given of counts) {
      const [, letter = '', count] = /^([a-z])(\d{1,12})$/.exec(given) ?? []
      const name = namesByLetter.get(letter)
      if (name) addTo(days, Number(number), name, Number(count))
    }
  }
}
