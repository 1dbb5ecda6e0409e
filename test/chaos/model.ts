import type { Item } from '../../lib/kernel/table/transaction.ts'
import type { Answer, JsonValue, RequestOptions } from '../support/client.ts'

/** What a request did, as its caller knows: everything, nothing, or one of the two. */
export type Outcome = 'acked' | 'refused' | 'unknown'

/** A request that a life made, and what came of it. */
export interface Reply {
  readonly outcome: Outcome
  /** 0 if there was no answer. */
  readonly status: number
  readonly body: JsonValue
  readonly headers: Headers
}

export interface SendOptions extends RequestOptions {
  /** The audit event that the request leaves if it is acknowledged. */
  readonly event?: string
  /** The refusals that the model allows here. */
  readonly allows?: readonly number[]
}

/** Everything that the service shows when the storm is over. */
export interface Snapshot {
  readonly users: ReadonlyMap<string, JsonValue>
  readonly groups: ReadonlyMap<string, JsonValue>
  /** How often an event belongs to a request: by the ID of the request and the name of the event. */
  readonly events: ReadonlyMap<string, number>
  readonly items: readonly Item[]
  readonly read: (method: string, path: string, options?: RequestOptions) => Promise<Answer>
}

/** Returns what is wrong, or undefined. */
export type Check = (snapshot: Snapshot) => Promise<string | undefined> | string | undefined

/** Objects that belong together, with everything that happened to them. */
export interface Life {
  readonly name: string
  readonly history: string[]
  readonly checks: Check[]
  /** Whether any request had no clear answer. */
  isUnclear: boolean
}

interface Violation {
  readonly life: Life
  readonly what: string
}

/** Describes the violations of each life, followed by the history of its objects. */
export const describeViolations = (violations: readonly Violation[]): readonly string[] =>
  [...Map.groupBy(violations, ({ life }) => life)].map(([{ name, history }, found]) =>
    [...found.map(({ what }) => `${name}: ${what}`), ...history.map((line) => `    ${line}`)].join('\n'),
  )

export const eventKey = (requestId: string, event: string): string => `${requestId} ${event}`

/** Collects lives, counts and violations of a run. */
export const createBook = () => {
  const lives: Life[] = []
  const violations: Violation[] = []
  const counts: Record<Outcome | 'busy', number> = { acked: 0, refused: 0, unknown: 0, busy: 0 }
  return {
    lives,
    violations,
    counts,
    countOperations: (): number => counts.acked + counts.refused + counts.unknown,
    openLife: (kind: string): Life => {
      const life = { name: `${kind} ${lives.length + 1}`, history: [], checks: [], isUnclear: false }
      lives.push(life)
      return life
    },
    /** Notes what must not happen. */
    violate: (life: Life, what: string): void => {
      violations.push({ life, what })
    },
  }
}

export type Book = ReturnType<typeof createBook>

/** With these reasons, a refused request changed something, or may have. */
const unclearReasons: readonly unknown[] = ['partly_changed', 'outcome_unknown']

/** The refusals for load. They change nothing, and no model forbids them. */
const isBusy = (status: number, body: JsonValue): boolean =>
  status === 429 ||
  (status === 503 && body?.code === 'temporarily_unavailable' && !unclearReasons.includes(body.reason))

export const judge = ({ status, body }: { readonly status: number; readonly body: JsonValue }): Outcome => {
  if (isBusy(status, body)) return 'refused'
  if (status === 0 || status >= 500) return 'unknown'
  return status >= 400 ? 'refused' : 'acked'
}

/** Notes a reply in the history of a life, and what the model demands because of it. */
export const noteReply = (
  book: Book,
  life: Life,
  request: string,
  { outcome, status, body, headers }: Reply,
  { event, allows = [] }: SendOptions,
): void => {
  const requestId = headers.get('x-request-id') ?? ''
  life.history.push(`${request} → ${status} ${outcome} ${requestId}`)
  book.counts[outcome]++
  if (outcome === 'unknown') life.isUnclear = true
  if (isBusy(status, body)) book.counts.busy++
  else if (outcome === 'refused' && !life.isUnclear && !allows.includes(status))
    book.violate(life, `${request} was refused with ${status}: ${JSON.stringify(body)?.slice(0, 300)}`)
  if (outcome !== 'acked' || event === undefined) return
  life.checks.push(({ events }) => {
    const count = events.get(eventKey(requestId, event)) ?? 0
    return count === 1 ? undefined : `${request} left ${count} events ${event} (request ${requestId})`
  })
}

/** The values that a stored field can have after the answers so far. */
export const createRegister = <Value>(first: Value) => {
  let possible: readonly Value[] = [first]
  return {
    note: (outcome: Outcome, value: Value): void => {
      if (outcome === 'acked') possible = [value]
      if (outcome === 'unknown') possible = [...possible, value]
    },
    allows: (value: Value): boolean => possible.includes(value),
    show: (): string => possible.map((value) => JSON.stringify(value)).join(' or '),
  }
}
