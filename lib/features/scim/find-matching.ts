import type { Table } from '../../kernel/table/table.ts'
import {
  areScimMembers,
  decodeScimGroup,
  findScimGroup,
  findScimGroupByName,
  findScimGroupIds,
  findScimGroups,
  findScimGroupsByExternalId,
  type ScimGroupRecord,
} from '../provisioning/groups.records.ts'
import { readScimItems } from '../provisioning/pages.records.ts'
import {
  decodeScimUser,
  findScimUser,
  findScimUserByName,
  findScimUsersByAddress,
  findScimUsersByExternalId,
  type ScimUserRecord,
} from '../provisioning/users.records.ts'
import { badRequest } from './scim-error.ts'
import { matches, type Operand, type ScimFilter } from './scim-filter.ts'
import { isScimId } from './scim-ids.ts'
import { readGroupValues, readUserValues } from './stored-values.ts'

/** Records that a filter without an index reads. */
const recordsRead = 1000

/** Where the resources of one kind are found by a value. */
interface Lookup<Row> {
  readonly kind: 'user' | 'group'
  /** Finds the resources with a value of an attribute. Undefined for one that no index has. */
  readonly find: (attribute: string, value: string) => Promise<readonly Row[]> | undefined
  readonly decode: (item: Parameters<typeof decodeScimUser>[0]) => Row
}

const one = async <Row>(found: Promise<Row | undefined>): Promise<readonly Row[]> => {
  const row = await found
  return row === undefined ? [] : [row]
}

const userLookup = (table: Table, connectionId: number): Lookup<ScimUserRecord> => ({
  kind: 'user',
  decode: decodeScimUser,
  find: (attribute, value) => {
    if (attribute === 'id') return isScimId(value) ? one(findScimUser(table, connectionId, value)) : none()
    if (attribute === 'userName') return one(findScimUserByName(table, connectionId, value))
    if (attribute === 'externalId') return findScimUsersByExternalId(table, connectionId, value)
    return attribute === 'emails' ? findScimUsersByAddress(table, connectionId, value) : undefined
  },
})

const groupLookup = (table: Table, connectionId: number): Lookup<ScimGroupRecord> => ({
  kind: 'group',
  decode: decodeScimGroup,
  find: (attribute, value) => {
    if (attribute === 'id') return isScimId(value) ? one(findScimGroup(table, connectionId, value)) : none()
    if (attribute === 'displayName') return one(findScimGroupByName(table, connectionId, value))
    if (attribute === 'externalId') return findScimGroupsByExternalId(table, connectionId, value)
    if (attribute !== 'members') return undefined
    return isScimId(value)
      ? findScimGroupIds(table, connectionId, value).then((ids) => findScimGroups(table, connectionId, ids))
      : none()
  },
})

const none = async (): Promise<readonly never[]> => []

/** Finds the people that match a filter, in the order of their IDs. @throws ScimError `tooMany` or `invalidFilter` */
export const findMatchingUsers = async (
  table: Table,
  connectionId: number,
  filter: ScimFilter,
): Promise<readonly ScimUserRecord[]> => {
  requireSearchable(filter, ['groups', 'meta'])
  const found = await findCandidates(table, connectionId, userLookup(table, connectionId), filter)
  return found.filter((record) => matches(filter, new Map(readUserValues(record)).set('id', record.id)))
}

/** The same for groups. Of members, only `eq` is understood. */
export const findMatchingGroups = async (
  table: Table,
  connectionId: number,
  filter: ScimFilter,
): Promise<readonly ScimGroupRecord[]> => {
  requireSearchable(filter, ['meta'])
  const named = [...new Set(listNamedMembers(filter))]
  const found = await findCandidates(table, connectionId, groupLookup(table, connectionId), filter)
  const rows = await Promise.all(
    found.map(async (record) => {
      const isMember = await areScimMembers(table, { connectionId, groupId: record.id }, named)
      const members = named.filter((_, at) => isMember[at]).map((id) => new Map([['value', id]]))
      return { record, values: new Map(readGroupValues(record)).set('id', record.id).set('members', members) }
    }),
  )
  return rows.filter(({ values }) => matches(filter, values)).map(({ record }) => record)
}

const attributeOf = ({ path }: Operand): string | undefined =>
  path && !path.extension ? path.attribute.name : undefined

const listOperands = (filter: ScimFilter): readonly Operand[] => {
  if ('of' in filter) return listOperands(filter.of)
  return 'all' in filter ? filter.all.flatMap(listOperands) : [filter.operand]
}

const requireSearchable = (filter: ScimFilter, refused: readonly string[]): void => {
  for (const operand of listOperands(filter)) {
    const name = attributeOf(operand)
    if (name !== undefined && refused.includes(name))
      throw badRequest('invalidFilter', `A filter cannot compare "${name}".`)
  }
}

/** The value that a part of a filter demands of an attribute. */
const readDemand = (
  filter: ScimFilter,
): { readonly attribute: string; readonly value: string } | undefined => {
  if (filter.kind !== 'compare' && filter.kind !== 'present') return undefined
  const attribute = attributeOf(filter.operand)
  if (attribute === undefined) return undefined
  const { entries, path } = filter.operand
  const isValue = path?.part === undefined || path.part.name === 'value'
  if (filter.kind === 'compare' && filter.operator === 'eq' && isValue && typeof filter.value === 'string')
    return { attribute, value: filter.value }
  // `emails[value eq "…"]`
  const inner = entries && listDemanded(entries).find((part) => part.kind === 'compare' && isEqualValue(part))
  return inner?.kind === 'compare' && typeof inner.value === 'string'
    ? { attribute, value: inner.value }
    : undefined
}

const isEqualValue = (filter: Extract<ScimFilter, { readonly kind: 'compare' }>): boolean =>
  filter.operator === 'eq' && filter.operand.path?.part?.name === 'value'

/** The parts of a filter that all have to be true. */
const listDemanded = (filter: ScimFilter): readonly ScimFilter[] =>
  filter.kind === 'and' ? filter.all.flatMap(listDemanded) : [filter]

const listNamedMembers = (filter: ScimFilter): readonly string[] => {
  if ('of' in filter) return listNamedMembers(filter.of)
  if ('all' in filter) return filter.all.flatMap(listNamedMembers)
  if (attributeOf(filter.operand) !== 'members') return []
  const demand = readDemand(filter)
  if (!demand) throw badRequest('invalidFilter', 'Compare "members" with eq and the ID of a person.')
  return isScimId(demand.value) ? [demand.value] : []
}

/** Finds what can match by an index, or undefined if no index answers. */
const findIndexed = async <Row extends { readonly id: string }>(
  lookup: Lookup<Row>,
  filter: ScimFilter,
): Promise<readonly Row[] | undefined> => {
  if (filter.kind === 'or') {
    const parts = await Promise.all(filter.all.map((part) => findIndexed(lookup, part)))
    const known = parts.filter((rows) => rows !== undefined)
    return known.length < parts.length ? undefined : uniqueById(known.flat())
  }
  for (const part of listDemanded(filter)) {
    const demand = readDemand(part)
    const found = demand
      ? await lookup.find(demand.attribute, demand.value)
      : part.kind === 'or'
        ? await findIndexed(lookup, part)
        : undefined
    if (found) return found
  }
  return undefined
}

const uniqueById = <Row extends { readonly id: string }>(rows: readonly Row[]): readonly Row[] => [
  ...new Map(rows.map((row) => [row.id, row])).values(),
]

const findCandidates = async <Row extends { readonly id: string }>(
  table: Table,
  connectionId: number,
  lookup: Lookup<Row>,
  filter: ScimFilter,
): Promise<readonly Row[]> => {
  const indexed = await findIndexed(lookup, filter)
  if (indexed) return indexed.toSorted((a, b) => (a.id < b.id ? -1 : 1))
  const items = await readScimItems(table, connectionId, lookup.kind, {
    after: undefined,
    limit: recordsRead + 1,
  })
  if (items.length > recordsRead)
    throw badRequest(
      'tooMany',
      `The filter needs an equal id, userName, externalId, emails, displayName or members: there are more than ${recordsRead} resources.`,
    )
  return items.map(lookup.decode)
}
