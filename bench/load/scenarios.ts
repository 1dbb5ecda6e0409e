import type { Plan } from './plan.ts'

/** What is measured, in the order of the table. Lists come once for each number of rows. */
export const scenarioTitles = {
  'sign-in': 'sign-in, bcrypt cost 10',
  'who-am-i': 'who am I, by session',
  'api-token': 'who am I, by API token',
  ticket: 'ticket: create and check',
  saml: 'SAML response to session',
  page: 'page of 20 users',
} as const

export type ScenarioName = keyof typeof scenarioTitles

/** A scenario of a target. */
export interface Job {
  readonly url: string
  readonly expectedStatus: number
  /** Creates the plan of one run. `count` limits plans whose requests can be sent only once. */
  readonly plan: (count: number) => Promise<Plan>
}

/** Creates a job that repeats the same requests. */
export const repeatJob = (
  url: string,
  requests: readonly (Plan & { readonly kind: 'repeat' })['requests'][number][],
  expectedStatus = 200,
): Job => ({ url, expectedStatus, plan: async () => ({ kind: 'repeat', requests }) })

/** A service that is measured, or a floor: what a service cannot be faster than. */
export interface Target {
  readonly name: string
  /** The processes whose CPU time counts, with their descendants. */
  readonly roots: readonly number[]
  readonly jobs: Partial<Readonly<Record<ScenarioName | FloorName, Job>>>
  /** Adds users until there are so many. */
  readonly seed?: (rows: number) => Promise<void>
  readonly close: () => Promise<void>
}

/** What the aims compare with. */
export const floorTitles = {
  gateway: 'floor: bare gateway, empty handler',
  'sdk-call': 'floor: bare gateway and one SDK call',
  'sdk-query': 'floor: bare gateway and an SDK query of 20 keys',
  'sdk-page': 'floor: the same, and an SDK read of these 20 users',
  bcrypt: 'floor: bcryptjs alone, cost 10',
  'bcrypt-threads': 'floor: the same, in a thread for each core',
  'node-saml': 'floor: node-saml alone',
} as const

export type FloorName = keyof typeof floorTitles

/** The people of all services, with the same password. */
export const people = 10
export const password = 'The passphrase of 10 people.'
export const usernameOf = (at: number): string => `person-${at}`
export const emailOf = (at: number): string => `person-${at}@example.com`
export const eachPerson = <Value>(create: (at: number) => Value): Value[] =>
  Array.from({ length: people }, (_, at) => create(at))
