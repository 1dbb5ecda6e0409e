import { toFailure } from '../../kit/call-api.ts'
import type { Page } from '../../session-kit/use-list.ts'
import { type ConnectionEntry, kinds, type NamedRequest, type ReadOptions } from './kinds.ts'

/** A page of the list of one kind, and how many of its entries were shown. */
interface Position {
  readonly limit: number
  readonly cursor?: string
  readonly shown: number
}

interface List {
  readonly position: Position
  /** Those that were not shown yet, in order. */
  readonly entries: readonly ConnectionEntry[]
  readonly nextCursor: string | undefined
}

/**
 * Lists the connections of all kinds in one order. The service has a list for each kind. The cursor says how far each of them
 * was shown.
 */
export const listConnections = async (
  { cursor, ...request }: NamedRequest,
  options: ReadOptions,
): Promise<Page<ConnectionEntry>> => {
  const { limit, ordering } = request
  const positions: readonly (Position | null)[] =
    cursor === undefined ? kinds.map(() => ({ limit, shown: 0 })) : JSON.parse(cursor)
  const lists = await Promise.all(
    kinds.map((kind, at) => {
      const position = positions[at]
      return position ? readList(kind, position, { ordering }, options) : undefined
    }),
  )
  const [items, taken] = merge(lists, ordering === '-name')
  const next = lists.map((list, at) => list && goOn(list, taken[at] ?? 0, limit))
  return { items, nextCursor: next.some((position) => position) ? JSON.stringify(next) : undefined }
}

const readList = async (
  { list }: (typeof kinds)[number],
  position: Position,
  { ordering }: Pick<NamedRequest, 'ordering'>,
  options: ReadOptions,
): Promise<List> => {
  const { limit, shown, ...from } = position
  const page: Page<ConnectionEntry> = await list({ ...from, limit, ordering }, options).catch(refuse)
  return { position, entries: page.items.slice(shown), nextCursor: page.nextCursor }
}

/** People see no connections of a kind that they may not list. */
const refuse = (error: unknown): Page<ConnectionEntry> => {
  if (toFailure(error).status === 403) return { items: [], nextCursor: undefined }
  throw error
}

/** Takes entries in order, until a list is used up that goes on. Returns how many it took of each list, too. */
const merge = (
  lists: readonly (List | undefined)[],
  isDescending: boolean,
): readonly [ConnectionEntry[], readonly number[]] => {
  const taken = lists.map(() => 0)
  const items: ConnectionEntry[] = []
  for (;;) {
    const heads = lists.map((list, at) => list?.entries[taken[at] ?? 0])
    const isUnknown = lists.some((list, at) => list?.nextCursor !== undefined && !heads[at])
    const [first] = heads.filter((head) => head !== undefined).sort(compare(isDescending))
    if (isUnknown || !first) return [items, taken]
    const at = heads.indexOf(first)
    taken[at] = (taken[at] ?? 0) + 1
    items.push(first)
  }
}

/** The order of the service. */
const compare =
  (isDescending: boolean) =>
  (one: ConnectionEntry, other: ConnectionEntry): number => {
    const [first, second] = isDescending ? [other, one] : [one, other]
    const names = [first, second].map(({ name }) => name.normalize('NFKC').toLowerCase())
    if (names[0] === names[1]) return first.id - second.id
    return (names[0] ?? '') < (names[1] ?? '') ? -1 : 1
  }

const goOn = ({ position, entries, nextCursor }: List, taken: number, limit: number): Position | null => {
  if (taken < entries.length) return { ...position, shown: position.shown + taken }
  return nextCursor === undefined ? null : { limit, cursor: nextCursor, shown: 0 }
}
