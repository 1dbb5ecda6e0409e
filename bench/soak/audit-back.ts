import { partitions } from '../../lib/kernel/table/keys/partitions.ts'
import type { Item } from '../../lib/kernel/table/transaction.ts'
import type { Ledger } from './ledger.ts'

const isEvent = ({ pk, event }: Item): boolean => pk.startsWith(partitions.audit) && typeof event === 'string'

/** Records and the events of their creation and deletion. */
const lives = [
  { kind: 'group', isRecord: ({ sk }: Item) => sk === 'group' },
  { kind: 'api_token', isRecord: ({ sk }: Item) => sk.startsWith('api-token#') },
  { kind: 'access_token', isRecord: ({ sk }: Item) => sk === 'access-token' },
] as const

/** Finds changes without an audit event, and events without a change. Returns each as one line. */
export const findUnaudited = (items: readonly Item[], { expected }: Ledger): readonly string[] => {
  const counts = new Map<string, number>()
  const events = items.filter(isEvent)
  for (const { event } of events) counts.set(String(event), (counts.get(String(event)) ?? 0) + 1)
  const wrong: string[] = []
  for (const [event, { certain, possible }] of expected) {
    const found = counts.get(event) ?? 0
    if (found < certain || found > certain + possible)
      wrong.push(`${event}: ${found} events for ${certain} changes, and up to ${possible} more`)
  }
  const listTargets = (name: string) =>
    new Set(events.filter(({ event }) => event === name).map(({ target }) => String(target)))
  for (const { kind, isRecord } of lives) {
    const [created, deleted] = [listTargets(`${kind}.created`), listTargets(`${kind}.deleted`)]
    const ids = new Set(items.filter(isRecord).map(({ id }) => String(id)))
    for (const id of ids) if (!created.has(id)) wrong.push(`${kind} ${id} has no event of its creation`)
    for (const id of created)
      if (ids.has(id) === deleted.has(id)) wrong.push(`${kind} ${id} and the event of its deletion disagree`)
  }
  return wrong
}
