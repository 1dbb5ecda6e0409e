import {
  buildActiveMarkSteps,
  countActiveUsersOfMonths,
  isFirstInMonth,
  readActiveMark,
} from '../../accounts/users/active-users.records.ts'
import { guestTarget, isFailure } from '../../kernel/contract/audit-events.ts'
import { activityKeptDays, activityMonths } from '../../kernel/limits/limits.ts'
import {
  activityKey,
  activityPartition,
  activityPrefix,
  auditChainHeadKey,
} from '../../kernel/table/keys/audit-keys.ts'
import { type AuditShard, auditShards } from '../../kernel/table/keys/audit-shards.ts'
import type { Table } from '../../kernel/table/table.ts'
import type { Item, Step } from '../../kernel/table/transaction.ts'
import { day } from '../../kernel/util/time.ts'
import { chainHeadCodec } from './chain.records.ts'
import { readCount, readSignIn, type SignInWay } from './sign-in-ways.records.ts'

/*
 * What happened in each month. The job of the audit chains counts it in the one write that adds events to a chain, which replaces
 * the head of the chain. So requests write nothing for it, each event counts exactly once however often the job is repeated, and
 * events that were stored late count in the month of their time.
 *
 * Each chain has items of its own, which only its job writes: once for a block, so mostly once a minute. An item has the numbers
 * of a month for 100 IDs of apps and connections, as pairs of a short name and a number of about 8 bytes. So one item of 1 to 2 KB
 * is enough for most services. IDs that are 6,400 apart share an item, so that a block writes at most 64 of a month.
 */

/** What is counted in a month, with its name in an item. */
const countedNames = {
  password: 'p',
  passkey: 'k',
  saml: 's',
  oidc: 'o',
  emailCode: 'e',
  invitation: 'i',
  secondFactor: 't',
  refused: 'r',
  signUps: 'n',
  acceptedInvitations: 'v',
  companyAccounts: 'c',
  createdAccounts: 'w',
  importedAccounts: 'm',
  /** Users whose sign-in was the first thing that they did in the month. */
  activeUsers: 'u',
} as const satisfies Record<SignInWay, string> & Record<string, string>
export type MonthCount = keyof typeof countedNames

/** Apps, and company connections of both kinds. */
const objectLetters = { app: 'a', connection: 'x' } as const
export type CountedObject = keyof typeof objectLetters

const idsPerItem = 100
const itemsPerMonth = 64

const appTarget = /^([1-9]\d{0,8})(?: |$)/

const appEvents: readonly unknown[] = ['oidc_client.authorized', 'oidc_client.device_approved']

const otherEvents = new Map<unknown, MonthCount>([
  ['user.created', 'createdAccounts'],
  ['users.imported', 'importedAccounts'],
  ['sign_up.completed', 'signUps'],
  ['sign_up.approved', 'signUps'],
  ['invitation.accepted', 'acceptedInvitations'],
  ['company_account.created', 'companyAccounts'],
])

/** What an event counts as. The item may have been changed, so it can have any attributes. */
const classify = (item: Item): readonly (MonthCount | readonly [CountedObject, number])[] => {
  const { event, outcome, target } = item
  const signIn = readSignIn(item)
  if (signIn)
    return [
      signIn.way,
      ...(signIn.hasSecondFactor ? (['secondFactor'] as const) : []),
      ...(signIn.connection === undefined ? [] : [['connection', signIn.connection] as const]),
    ]
  if (event === 'login.failed') return isFailure({ event, outcome }) ? ['refused'] : []
  const app = appEvents.includes(event) ? appTarget.exec(String(target)) : null
  if (app) return [['app', Number(app[1])]]
  if (event === 'user.created' && target === guestTarget) return []
  const name = otherEvents.get(event)
  return name ? [name] : []
}

/** Builds the steps that count events, for the write that adds them to their chain. */
export const buildActivitySteps = (shard: AuditShard, events: readonly Item[]): readonly Step[] => {
  const amounts = new Map<string, Map<string, number>>()
  const add = (month: string, part: number, name: string, count: number): void => {
    const place = `${month} ${part}`
    const ofItem = amounts.get(place) ?? new Map<string, number>()
    amounts.set(place, ofItem.set(name, (ofItem.get(name) ?? 0) + count))
  }
  const marks = events.flatMap((item) => readActiveMark(item) ?? [])
  for (const mark of marks)
    if (isFirstInMonth(mark)) add(nameMonth(mark.activeDay * day), 0, countedNames.activeUsers, 1)
  for (const item of events) {
    const count = readCount(item)
    const month = item.sk.slice(0, 7)
    for (const found of classify(item))
      if (typeof found === 'string') add(month, 0, countedNames[found], count)
      else {
        const [kind, id] = found
        add(month, Math.floor(id / idsPerItem) % itemsPerMonth, `${objectLetters[kind]}${id}`, count)
      }
  }
  return [
    ...[...amounts].map(([place, names]): Step => {
      const [month = '', part] = place.split(' ')
      return {
        update: activityKey(shard, month, Number(part)),
        changes: (x) => ({
          include: [...names].map(([name, count]) => `${x.path(name)} ${x.value(count)}`).join(', '),
          set: [
            `${x.path('expires_at')} = ${x.value(Date.parse(`${month}-01`) / 1000 + (activityKeptDays * day) / 1000)}`,
          ],
        }),
      }
    }),
    ...buildActiveMarkSteps(shard, marks),
  ]
}

const nameMonth = (ms: number): string => new Date(ms).toISOString().slice(0, 7)

/** The numbers of a month. Missing ones are 0. */
export interface MonthActivity {
  readonly month: string
  /** Whether all events of the month were counted, also those that were stored late. */
  readonly isSettled: boolean
  readonly activeUsers: number
  readonly counts: ReadonlyMap<MonthCount, number>
}

export interface Activity {
  /** Oldest first, with the present one. */
  readonly months: readonly MonthActivity[]
  /** The sign-ins in each month of each app or connection that has any, those with the most in the last months first. */
  readonly objects: Readonly<Record<CountedObject, readonly ObjectActivity[]>>
}

export interface ObjectActivity {
  readonly id: number
  /** One for each month, oldest first. */
  readonly signIns: readonly number[]
}

/** Reads the numbers of the last months. It takes a call for each chain, for each shard of active users, and one more. */
export const readActivity = async (table: Table, nowMs: number): Promise<Activity> => {
  const months = listActivityMonths(nowMs)
  // Before the numbers: what is settled at this moment is in them.
  const settledUntil = await findSettledTime(table)
  const [lists, active] = await Promise.all([
    Promise.all(auditShards.map((shard) => table.list(activityPartition(shard), activityPrefix))),
    countActiveUsersOfMonths(table, months),
  ])
  const { totals, objects } = addUp(
    lists.flat(),
    months.map(({ month }) => month),
  )
  return {
    months: months.map(({ month, endDay }, at) => ({
      month,
      isSettled: settledUntil >= endDay * day,
      activeUsers: (active[at] ?? 0) + (totals[at]?.get('activeUsers') ?? 0),
      counts: totals[at] ?? new Map(),
    })),
    objects,
  }
}

/** The months of the numbers, oldest first, each with its first day and the day after its last one, since 1970. */
const listActivityMonths = (nowMs: number) => {
  const now = new Date(nowMs)
  const startOf = (monthsAgo: number): number =>
    Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - monthsAgo, 1) / day
  return Array.from({ length: activityMonths }, (_, at) => activityMonths - 1 - at).map((monthsAgo) => ({
    month: nameMonth(startOf(monthsAgo) * day),
    firstDay: startOf(monthsAgo),
    endDay: startOf(monthsAgo - 1),
  }))
}

/** The time up to which all chains have their events, late ones as well. 0 if a chain has none, or cannot be read. */
const findSettledTime = async (table: Table): Promise<number> => {
  const items = await table.getMany(auditShards.map((shard) => auditChainHeadKey(shard)))
  return Math.min(...items.map((item) => Date.parse(readSwept(item)) || 0))
}

const readSwept = (item: Item | undefined): string => {
  try {
    return item ? chainHeadCodec.decode(item).swept.slice(0, 24) : ''
  } catch {
    return ''
  }
}

const namesByLetter = new Map<string, MonthCount>(
  (Object.keys(countedNames) as MonthCount[]).map((name) => [countedNames[name], name]),
)

const addUp = (items: readonly Item[], months: readonly string[]) => {
  const totals = months.map(() => new Map<MonthCount, number>())
  const found = { app: new Map<number, number[]>(), connection: new Map<number, number[]>() }
  for (const item of items) {
    const at = months.indexOf(item.sk.slice(activityPrefix.length).split('#')[0] ?? '')
    const total = totals[at]
    if (!total) continue
    for (const [name, count] of Object.entries(item)) {
      if (typeof count !== 'number') continue
      const known = namesByLetter.get(name)
      if (known) total.set(known, (total.get(known) ?? 0) + count)
      const kind = kindByLetter.get(name.charAt(0))
      if (!kind || !/^[1-9]\d{0,8}$/.test(name.slice(1))) continue
      const id = Number(name.slice(1))
      const signIns = found[kind].get(id) ?? months.map(() => 0)
      signIns[at] = (signIns[at] ?? 0) + count
      found[kind].set(id, signIns)
    }
  }
  return { totals, objects: { app: sortObjects(found.app), connection: sortObjects(found.connection) } }
}

const kindByLetter = new Map<string, CountedObject>(
  (Object.keys(objectLetters) as CountedObject[]).map((kind) => [objectLetters[kind], kind]),
)

/** Those with the most sign-ins in the present month and the one before it first, then those with the most in all months. */
const sortObjects = (found: ReadonlyMap<number, readonly number[]>): readonly ObjectActivity[] =>
  [...found]
    .map(([id, signIns]) => ({ id, signIns }))
    .sort(
      (a, b) =>
        sum(b.signIns.slice(-2)) - sum(a.signIns.slice(-2)) || sum(b.signIns) - sum(a.signIns) || a.id - b.id,
    )

const sum = (counts: readonly number[]): number => counts.reduce((total, count) => total + count, 0)
