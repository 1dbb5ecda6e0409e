import { jwtLifetimeMs, lastSeenPrecisionMs } from '../lib/kernel/limits/limits.ts'
import { metrics } from '../lib/kernel/log/metrics.ts'
import { serviceSettings } from '../lib/kernel/settings/service-settings.ts'
import { stackSettings } from '../lib/kernel/settings/stack-settings.ts'
import { hour } from '../lib/kernel/util/time.ts'
import { logBytes, priceOperation, priceTime } from './price-operation.ts'
import { priceOf } from './prices.ts'
import {
  type MinuteRun,
  minuteRuns,
  type RecordedCosts,
  type StackParts,
  type Units,
} from './recorded-costs.ts'

/* What a service costs in a month in us-east-1, from what was recorded and the prices. */

/** A number of users of a month, and of those who come on a day. */
export interface Size {
  readonly users: number
  readonly dailyUsers: number
}

export const sizes: readonly Size[] = [
  { users: 1_000, dailyUsers: 200 },
  { users: 50_000, dailyUsers: 20_000 },
  { users: 1_000_000, dailyUsers: 200_000 },
  { users: 5_000_000, dailyUsers: 1_000_000 },
]

/** How a product knows who its user is. */
export const shapes = {
  A: 'each page asks the service who the user is',
  B: 'the product verifies a JWT',
  C: 'the product signs users in by OpenID Connect, and keeps a session of its own',
} as const
export type Shape = keyof typeof shapes

/** What a user does on a day. */
export const habits = { pages: 100, tickets: 10, activeMs: hour } as const
const daysOfMonth = 30
/** Months have 730 hours, as on the pages of AWS. */
const hoursOfMonth = 730
const secondsOfMonth = hoursOfMonth * 3600
/** New JWTs of a user on a day. */
export const jwtsPerDay = Math.ceil(habits.activeMs / jwtLifetimeMs)
/** Times on a day at which a request finds that the user was last seen too long ago. */
const staleVisits = Math.ceil(habits.activeMs / lastSeenPrecisionMs)
/** A sign-in, and tickets that are created and exchanged, or the code that a client got. */
const auditEventsPerDay: Readonly<Record<Shape, number>> = {
  A: 1 + 2 * habits.tickets,
  B: 1 + 2 * habits.tickets,
  C: 2,
}
/** An email a month: an invitation, a reset, or a new browser. */
const emailsPerUser = 1

/** The assumed billed time of a run of a background function, in milliseconds, with 512 MB. */
const backgroundRunMs = 100
/** Lambda asks each shard of a stream four times a second, and a table has at least four shards. */
export const mostSmallRuns = 4 * 4 * secondsOfMonth
const eventsPerRun = 100
/** DynamoDB asks KMS for the key of the table once in five minutes for each role. */
const keyRequests = hoursOfMonth * 12
/** The assumed size of a user with their names, sessions and index entries, and of an answer that is no file. */
const bytesPerUser = 3000
const bytesPerAnswer = 1500
const bytesPerFrontDoorLog = 500
const bytesPerGb = 1e9

const priceUnits = ({ readUnits, writeUnits }: Units): number =>
  readUnits * priceOf('readUnits') + writeUnits * priceOf('writeUnits')

/** A million runs of a background function without units. */
export const priceRuns = (): number => priceOf('invocations') + priceTime(512, backgroundRunMs)

/** The dollars of a month for a function that runs every minute and finds nothing to do. */
export const priceMinuteRun = ({ idleReads }: RecordedCosts, name: MinuteRun): number =>
  (hoursOfMonth * 60 * (priceRuns() + idleReads[name] * priceOf('readUnits')) +
    keyRequests * priceOf('kmsRequests')) /
  1e6

/** The parts that cost something each month, also without requests: name, dollars of one, and their number. */
export const listFixedParts = (
  costs: RecordedCosts,
  parts: StackParts,
): readonly (readonly [name: string, dollars: number, count: number])[] => [
  ['KMS key', priceOf('key'), parts.keys],
  ['secret', priceOf('secret'), parts.secrets],
  ['metric in an alarm', priceOf('alarmMetric'), parts.alarmMetrics],
  ['dashboard', priceOf('dashboard'), parts.dashboards],
  ['web ACL', priceOf('webAcl'), parts.webAcls],
  ['rule of a web ACL', priceOf('webAclRule'), parts.webAclRules],
  ...minuteRuns.map(
    (name) => [`\`${name}\`, every minute`, priceMinuteRun(costs, name), parts.minuteRuns[name]] as const,
  ),
]

export const priceFixedParts = (costs: RecordedCosts, parts: StackParts): number =>
  listFixedParts(costs, parts).reduce((sum, [, dollars, count]) => sum + dollars * count, 0)

const priceRequests = ({ operations }: RecordedCosts, id: string, count: number): number => {
  const operation = operations[id]
  if (!operation) throw new Error(`The costs of ${id} are not recorded.`)
  return (count * priceOperation(id, operation)) / 1e6
}

/** What a client and its user send for a sign-in, apart from the sign-in page. */
const clientSignIn = ['start_authorization', 'resume_authorization', 'issue_tokens', 'get_userinfo'] as const

/** The requests of a month to each operation. */
const countRequests = (
  { signInPage }: RecordedCosts,
  { users, dailyUsers }: Size,
  shape: Shape,
): Readonly<Record<string, number>> => {
  const days = dailyUsers * daysOfMonth
  const [withTickets, withCodes] = shape === 'C' ? [0, days] : [days, 0]
  return {
    sign_in_page: days,
    start_passkey_login: days,
    login: days,
    get_current_user: shape === 'A' ? days * habits.pages : 0,
    create_jwt: shape === 'B' ? days * jwtsPerDay : 0,
    create_auth_ticket: withTickets * habits.tickets,
    check_auth_ticket: withTickets * habits.tickets,
    ...Object.fromEntries(clientSignIn.map((id) => [id, withCodes])),
    // Browsers keep the files, so that a user loads them about once a month.
    get_script: users * signInPage.files,
  }
}

/** GB of audit events that a service older than their retention stores. */
export const getAuditGb = ({ auditEvent }: RecordedCosts, { dailyUsers }: Size, shape: Shape = 'A'): number =>
  (dailyUsers *
    auditEventsPerDay[shape] *
    (serviceSettings.auditRetentionDays.default ?? 0) *
    auditEvent.bytes) /
  bytesPerGb

export const countAuditEvents = ({ dailyUsers }: Size, shape: Shape = 'A'): number =>
  dailyUsers * daysOfMonth * auditEventsPerDay[shape]

const storedGb = (costs: RecordedCosts, size: Size, shape: Shape): number =>
  getAuditGb(costs, size, shape) + (size.users * bytesPerUser) / bytesPerGb

export const storagePrice = (): number => priceOf('tableGb') + priceOf('recoveryGb')

/** Signing and forwarding the events of a month. */
const priceEvents = ({ auditEvent }: RecordedCosts, size: Size, shape: Shape): number => {
  const events = countAuditEvents(size, shape)
  const runs = Math.max(Math.min(events, mostSmallRuns), events / eventsPerRun)
  const { signed, forwarded } = auditEvent
  const perEvent = priceUnits(signed) + priceUnits(forwarded) + priceOf('busEvents') + priceOf('streamReads')
  const perRun = priceRuns() + (logBytes / 1000) * priceOf('logGb')
  return (events * perEvent + runs * perRun) / 1e6
}

/** The dollars that the front door adds to a million requests. */
export const priceFrontDoorRequests = (): number =>
  priceOf('frontDoorRequests') + priceOf('wafRequests') + (bytesPerFrontDoorLog / 1000) * priceOf('logGb')

export interface Month {
  readonly requests: number
  /** The dollars of each part. */
  readonly lines: Readonly<Record<string, number>>
  readonly total: number
  /** The dollars that the settings add. */
  readonly withFrontDoor: number
  readonly withBackup: number
}

/** Prices a month of a product with a size and a shape. */
export const priceMonth = (costs: RecordedCosts, size: Size, shape: Shape): Month => {
  const { afterFiveMinutes, firstOfDay, sentEmail, signInPage, parts } = costs
  const { users, dailyUsers } = size
  const days = dailyUsers * daysOfMonth
  const counts = countRequests(costs, size, shape)
  const price = (...ids: readonly string[]) =>
    ids.reduce((sum, id) => sum + priceRequests(costs, id, counts[id] ?? 0), 0)
  const requests = Object.values(counts).reduce((sum, count) => sum + count, 0)
  const [gigabytes, auditGb] = [storedGb(costs, size, shape), getAuditGb(costs, size, shape)]
  const logMonths = (stackSettings.logRetention.default ?? 0) / daysOfMonth
  // With a session of its own, the product asks nothing after the sign-in.
  const seenAgain = shape === 'C' ? 0 : staleVisits - 1
  const answers = requests - (counts['get_script'] ?? 0)
  const lines = {
    'sign-ins with their page': price('login', 'sign_in_page', 'start_passkey_login'),
    'session checks': price('get_current_user'),
    'new JWTs': price('create_jwt'),
    tickets: price('create_auth_ticket', 'check_auth_ticket'),
    'codes and tokens of the client': price(...clientSignIn),
    'last seen, and the first request of the day':
      (days * (seenAgain * priceUnits(afterFiveMinutes) + priceUnits(firstOfDay))) / 1e6,
    'files of cold pages': price('get_script'),
    'audit events, stored with recovery': auditGb * storagePrice(),
    'audit events, signed and forwarded to the bus': priceEvents(costs, size, shape),
    'users and sessions, stored with recovery': (gigabytes - auditGb) * storagePrice(),
    emails: (users * emailsPerUser * (priceUnits(sentEmail) + priceOf('emails') + priceRuns())) / 1e6,
    'KMS for the key of the table': (parts.default.functions * keyRequests * priceOf('kmsRequests')) / 1e6,
    'stored logs': ((requests * logBytes) / bytesPerGb) * logMonths * priceOf('storedLogGb'),
    'transfer to browsers and products':
      ((answers * bytesPerAnswer + users * signInPage.bytes) / bytesPerGb) * priceOf('transferGb'),
    'metrics of the service': Object.keys(metrics).length * priceOf('ownMetric'),
    'a service without requests': priceFixedParts(costs, parts.default),
  }
  return {
    requests,
    lines,
    total: Object.values(lines).reduce((sum, dollars) => sum + dollars, 0),
    withFrontDoor:
      priceFixedParts(costs, parts.frontDoor) -
      priceFixedParts(costs, parts.default) +
      (requests * priceFrontDoorRequests()) / 1e6,
    withBackup: gigabytes * parts.backupRegion.backups * priceOf('backupGb'),
  }
}
