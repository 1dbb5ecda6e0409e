import { readFileSync, writeFileSync } from 'node:fs'

/** What an operation takes, as a run of it was measured. All pages about cost and scale compute with this. */
export interface RecordedOperation {
  readonly calls: number
  readonly readUnits: number
  readonly writeUnits: number
  /** Requests to KMS. */
  readonly kmsCalls: number
  /** Emails that the request itself sends. The mailer sends all others later. */
  readonly emails: number
  readonly memoryMb: number
  /** The CPU time of the process for the request, with its client, gateway and table endpoint, to a tenth. */
  readonly cpuMs: number
}

export interface Units {
  readonly readUnits: number
  readonly writeUnits: number
}

/** The parts of the templates of all stacks that cost something each month. */
export interface StackParts {
  readonly keys: number
  readonly secrets: number
  readonly alarmMetrics: number
  readonly dashboards: number
  readonly webAcls: number
  readonly webAclRules: number
  readonly functions: number
  /** The copies of the table that AWS Backup keeps at most, and those in another region. */
  readonly backups: number
  readonly copies: number
  /** Functions that run every minute. */
  readonly minuteRuns: Readonly<Record<MinuteRun, number>>
}

export const minuteRuns = ['audit-chain', 'backchannel-logout'] as const
export type MinuteRun = (typeof minuteRuns)[number]

/** The settings of each column of parts. */
export const variants = ['default', 'frontDoor', 'backupRegion'] as const
export type Variant = (typeof variants)[number]

/** What the page about scale computes with: see `measure-flows.ts`. */
export const flowNames = [
  'signInFromKnownNetwork',
  'signInFromNewNetwork',
  'signInWithNotice',
  'signInAtClient',
  'visit',
  'firstVisitOfDay',
  'authorizer',
  'visitInOrganization',
  'visitWithManyRoles',
  'authorizerInOrganization',
  'authorizerWithManyRoles',
  'organizationToken',
  'introspection',
  'userinfo',
  'refresh',
  'ticket',
  'linkRedemption',
] as const
export type FlowName = (typeof flowNames)[number]

/** The requests whose calls of functions are counted: see `function-calls-child.ts`. */
export const countedRequestNames = [
  'whoAmI',
  'whoAmIWithApiToken',
  'whoAmIInOrganization',
  'ticket',
  'authorizer',
  'login',
  'pageOfUsers',
] as const
export type CountedRequestName = (typeof countedRequestNames)[number]

/** What a warm request runs of the code of this project: how many of its files, and how many calls of their functions. */
export interface RecordedCalls {
  readonly files: number
  readonly calls: number
}

/** Units of one partition key. */
export interface KeyUnits {
  readonly reads: number
  readonly writes: number
}

export interface RecordedFlow extends Units {
  readonly calls: number
  /** The busiest key of each kind. */
  readonly keys: Readonly<Record<string, KeyUnits>>
}

export interface RecordedCosts {
  readonly operations: Readonly<Record<string, RecordedOperation>>
  /** What a request with a session takes beyond `get_current_user`: after five minutes, and as the first one of a UTC day. */
  readonly afterFiveMinutes: Units
  readonly firstOfDay: Units
  /** An audit event: its bytes as DynamoDB bills them, and what signing and forwarding it take. */
  readonly auditEvent: { readonly bytes: number; readonly signed: Units; readonly forwarded: Units }
  /** Sending an email from the outbox, without the request that asked for it. */
  readonly sentEmail: Units
  /** The files of the sign-in page, and the bytes of it and of them as they are sent. */
  readonly signInPage: { readonly files: number; readonly bytes: number }
  /** Read units of a run that finds nothing to do. */
  readonly idleReads: Readonly<Record<MinuteRun, number>>
  readonly parts: Readonly<Record<Variant, StackParts>>
  readonly flows: Readonly<Record<FlowName, RecordedFlow>>
  readonly functionCalls: Readonly<Record<CountedRequestName, RecordedCalls>>
}

const path = 'bench/recorded-costs.json'

export const readRecordedCosts = (): RecordedCosts => JSON.parse(readFileSync(path, 'utf8'))

export const writeRecordedCosts = (costs: RecordedCosts): void =>
  writeFileSync(path, `${JSON.stringify(costs, null, 2)}\n`)
