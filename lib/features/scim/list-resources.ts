import { readScimCount } from '../provisioning/counts.records.ts'
import { decodeScimGroup } from '../provisioning/groups.records.ts'
import { findScimPlace, keepScimPlace, readScimItems } from '../provisioning/pages.records.ts'
import { decodeScimUser } from '../provisioning/users.records.ts'
import { resourceTypes, type ScimResourceType } from './attributes.models.ts'
import { findMatchingGroups, findMatchingUsers } from './find-matching.ts'
import { toGroupBody } from './group-resource.ts'
import type { ScimContext } from './scim-context.ts'
import { badRequest } from './scim-error.ts'
import { parseFilter } from './scim-filter.ts'
import { isScimId } from './scim-ids.ts'
import { listUrn, type ScimReply } from './scim-reply.ts'
import { readProjection } from './scim-resource.ts'
import { toUserBody } from './user-resource.ts'
import { getUserType } from './user-type.ts'

export interface ListQuery {
  readonly filter?: string | undefined
  readonly startIndex?: string | undefined
  readonly count?: string | undefined
  readonly cursor?: string | undefined
  readonly attributes?: string | undefined
  readonly excludedAttributes?: string | undefined
}

/** Results of a page. */
export const pageMax = 100
/** The farthest number that a page without a known place can begin with. */
const farthestJump = 10_000
const skippedAtOnce = 1000

type Row = { readonly id: string }

interface Kind<Record extends Row> {
  readonly kind: 'user' | 'group'
  readonly type: ScimResourceType
  readonly decode: (item: Parameters<typeof decodeScimUser>[0]) => Record
  readonly find: (filter: string) => Promise<readonly Record[]>
  readonly toBody: (record: Record) => Promise<object>
}

/** Lists people (RFC 7644 3.4.2). */
export const listUsers = (scim: ScimContext, query: ListQuery): Promise<ScimReply> => {
  const { table } = scim.services
  const { id } = scim.caller.connection
  const type = getUserType(scim)
  const projection = readProjection(type, query.attributes, query.excludedAttributes)
  // Looking up the groups takes two calls for each person.
  const hasGroups = query.attributes !== undefined
  return list(scim, query, {
    kind: 'user',
    type,
    decode: decodeScimUser,
    find: (filter) => findMatchingUsers(table, id, parseFilter(type, filter)),
    toBody: (record) => toUserBody(scim, record, projection, { hasGroups }),
  })
}

/** Lists groups. */
export const listGroups = (scim: ScimContext, query: ListQuery): Promise<ScimReply> => {
  const { table } = scim.services
  const { id } = scim.caller.connection
  const projection = readProjection(resourceTypes.Group, query.attributes, query.excludedAttributes)
  return list(scim, query, {
    kind: 'group',
    type: resourceTypes.Group,
    decode: decodeScimGroup,
    find: (filter) => findMatchingGroups(table, id, parseFilter(resourceTypes.Group, filter)),
    toBody: (record) => toGroupBody(scim, record, projection),
  })
}

interface ReadPage<Record> {
  readonly rows: readonly Record[]
  readonly total: number
  readonly hasMore: boolean
}

const list = async <Record extends Row>(
  scim: ScimContext,
  query: ListQuery,
  kind: Kind<Record>,
): Promise<ScimReply> => {
  const count = readCount(query.count)
  const start = readStart(query.startIndex)
  const cursor = query.cursor
  const { rows, total, hasMore } =
    query.filter === undefined
      ? await readInOrder(scim, kind, { count, start, cursor })
      : cutPage(await kind.find(query.filter), { count, start, cursor })
  const resources = await Promise.all(rows.map(kind.toBody))
  const last = rows.at(-1)
  return {
    status: 200,
    body: {
      schemas: [listUrn],
      totalResults: total,
      itemsPerPage: resources.length,
      ...(cursor === undefined ? { startIndex: start } : hasMore && last && { nextCursor: last.id }),
      Resources: resources,
    },
  }
}

interface PageBounds {
  readonly count: number
  readonly start: number
  readonly cursor: string | undefined
}

const cutPage = <Record extends Row>(
  found: readonly Record[],
  { count, start, cursor }: PageBounds,
): ReadPage<Record> => {
  const after = readCursor(cursor)
  const rest =
    cursor === undefined
      ? found.slice(start - 1)
      : found.filter(({ id }) => after === undefined || id > after)
  return { rows: rest.slice(0, count), total: found.length, hasMore: rest.length > count }
}

const readInOrder = async <Record extends Row>(
  { services: { table, now }, caller }: ScimContext,
  { kind, decode }: Kind<Record>,
  { count, start, cursor }: PageBounds,
): Promise<ReadPage<Record>> => {
  const { id: connectionId } = caller.connection
  const total = readScimCount(table, connectionId, kind)
  const read = (after: string | undefined, limit: number) =>
    readScimItems(table, connectionId, kind, { after, limit })
  const findStart = async (): Promise<string | undefined | 'end'> => {
    if (cursor !== undefined) return readCursor(cursor)
    if (start === 1) return undefined
    const known = await findScimPlace(table, now(), { connectionId, kind, start })
    if (known !== undefined) return known
    if (start > farthestJump)
      throw badRequest('tooMany', `Use cursor to read beyond the result ${farthestJump}.`)
    let after: string | undefined
    for (let left = start - 1; left > 0; ) {
      const items = await read(after, Math.min(left, skippedAtOnce))
      const last = items.at(-1)
      if (!last || items.length < Math.min(left, skippedAtOnce)) return 'end'
      after = decode(last).id
      left -= items.length
    }
    return after
  }
  const after = await findStart()
  if (after === 'end' || count === 0) return { rows: [], total: await total, hasMore: false }
  const rows = (await read(after, count + 1)).map(decode)
  const page = rows.slice(0, count)
  const last = page.at(-1)
  const hasMore = rows.length > count
  if (hasMore && last && cursor === undefined)
    await keepScimPlace(table, now(), { connectionId, kind, start: start + count, after: last.id })
  return { rows: page, total: await total, hasMore }
}

const readCursor = (cursor: string | undefined): string | undefined => {
  if (cursor === undefined || cursor === '') return undefined
  if (!isScimId(cursor)) throw badRequest('invalidCursor', '"cursor" must be a nextCursor of a response.')
  return cursor
}

const readNumber = (text: string): number | undefined => (/^-?\d{1,9}$/.test(text) ? Number(text) : undefined)

/** A negative count means 0 (RFC 7644 3.4.2.4). */
const readCount = (text: string | undefined): number => {
  if (text === undefined) return pageMax
  const count = readNumber(text)
  if (count === undefined) throw badRequest('invalidCount', '"count" must be a whole number.')
  return Math.min(Math.max(count, 0), pageMax)
}

const readStart = (text: string | undefined): number => {
  if (text === undefined) return 1
  const start = readNumber(text)
  if (start === undefined) throw badRequest('invalidValue', '"startIndex" must be a whole number.')
  return Math.max(start, 1)
}
