import {
  backgroundWriters,
  listAuditEvents,
  type Writer,
} from '../../lib/features/audit/audit-writers.models.ts'
import { operations } from '../../lib/features/operations.ts'
import type { AuditEventName } from '../../lib/kernel/contract/audit-events.ts'
import { listMethods } from '../../lib/kernel/contract/operation.ts'
import type { RateLimitName } from '../../lib/kernel/limits/rate-limits.ts'
import type { CallBody } from '../../lib/kernel/table/call-body.ts'
import { partitions } from '../../lib/kernel/table/keys/partitions.ts'
import type { JsonValue } from './client.ts'

interface Writes {
  /** The audit events as they are stored. */
  readonly items: readonly JsonValue[]
  readonly limits: readonly RateLimitName[]
}

/** The audit events and counts of rate limits that a call writes. */
const readWrites = (action: string, input: JsonValue): Writes => {
  const steps: readonly JsonValue[] =
    action === 'TransactWriteItems'
      ? input.TransactItems
      : [action === 'UpdateItem' ? { Update: input } : action === 'PutItem' ? { Put: input } : {}]
  return {
    items: steps.flatMap(({ Put }) => (Put?.Item.pk.startsWith(partitions.audit) ? [Put.Item] : [])),
    limits: steps.flatMap(({ Update }) => (Update && isCount(Update) ? [Update.Key.pk.split('#')[1]] : [])),
  }
}

/** Whether an update counts a use. Those that take one back subtract it, and those that forget them have no condition. */
const isCount = ({ Key, UpdateExpression, ConditionExpression }: JsonValue): boolean =>
  Key.pk.startsWith(partitions.rate) && ConditionExpression !== undefined && !UpdateExpression.includes(' - ')

const writers = new Map<string, Writer>([
  ...Object.entries<Writer>(backgroundWriters),
  ...operations.flatMap((op) =>
    listMethods(op).map((method): [string, Writer] => [
      `${method} ${op.path}`,
      { audit: listAuditEvents(op), limits: op.limits ?? [] },
    ]),
  ),
])

/** The audit events of this test file by what wrote them: the method and path of an operation, or the name of a function. */
export const writtenEvents = new Map<string, Set<AuditEventName>>()
/** The same events as they are stored. */
export const writtenItems = new Map<string, JsonValue[]>()

/** Collects what operations and functions write without declaring it. */
export const watchDeclaredWrites = () => {
  const undeclared = new Set<string>()
  const note = (name: string, { items, limits }: Writes): void => {
    const writer = writers.get(name)
    if (items.length > 0) writtenItems.set(name, [...(writtenItems.get(name) ?? []), ...items])
    for (const { event } of items) {
      writtenEvents.set(name, (writtenEvents.get(name) ?? new Set()).add(event))
      if (!writer?.audit.includes(event)) undeclared.add(`${name}: ${event}`)
    }
    for (const limit of limits)
      if (!writer?.limits.includes(limit)) undeclared.add(`${name}: the rate limit ${limit}`)
  }
  return {
    noteAs:
      (name: string) =>
      (action: string, input: CallBody): void =>
        note(name, readWrites(action, input)),
    /** @throws Error that lists what is not declared. */
    verify: (): void => {
      if (undeclared.size > 0) throw new Error(`undeclared writes: ${[...undeclared].sort().join(', ')}`)
    },
  }
}
