import { buildListJoinSteps, type GroupRecord, groupKind } from '../../lib/accounts/groups/groups.records.ts'
import { buildMemberItem } from '../../lib/accounts/groups/member-items.records.ts'
import { buildUsernameMarker } from '../../lib/accounts/names/name-steps.records.ts'
import { findUsers } from '../../lib/accounts/users/find-users.records.ts'
import type { UserRecord } from '../../lib/accounts/users/stored-user.records.ts'
import { buildUserListing } from '../../lib/accounts/users/user-listing.records.ts'
import { newGroup } from '../../lib/features/directory/field-names.models.prebuilt.ts'
import { groupKey, memberKey, nameKey, userKey } from '../../lib/kernel/table/keys/keys.ts'
import { idListing, nameListing, userListing } from '../../lib/kernel/table/keys/listing-keys.ts'
import type { Step } from '../../lib/kernel/table/transaction.ts'
import { mapInBatches } from '../../lib/kernel/util/work.ts'
import { noClientFields } from '../../lib/published-clients/stored-fields.ts'
import { findNextPath } from './next-page.ts'
import { buildPerson } from './people.ts'
import type { TestService } from './service.ts'

/** Reads a list to its end and returns its pages. */
export const allPages = async <Row>(
  { client }: TestService,
  path: string,
  bearer: string,
  mostPages = 100,
): Promise<Row[][]> => {
  const pages: Row[][] = []
  for (let next: string | undefined = path; next !== undefined; ) {
    const answer = await client('GET', next, { bearer })
    if (answer.status !== 200) throw new Error(`${next}: ${answer.status} ${answer.text}`)
    pages.push(answer.body)
    if (pages.length > mostPages) throw new Error(`${path} does not end`)
    next = findNextPath(answer.headers)
  }
  return pages
}

/** The entry of a user in the list by ID without a text to search, as for very long names. */
export const buildBareListing = ({ id }: UserRecord) => userListing(id)

/** Writes users directly to the table, 50 in each transaction. Their ids start at `firstId`, above those of all others. */
export const seedUsers = async (
  { services }: Pick<TestService, 'services'>,
  count: number,
  firstId: number,
  fieldsOf: (at: number) => Partial<UserRecord> = () => ({}),
  buildListing: (user: UserRecord) => ReturnType<typeof userListing> = buildUserListing,
): Promise<void> => {
  const perCall = 50
  const buildSteps = (at: number): Step[] => {
    const id = firstId + at
    const fields = buildPerson({ username: `seeded-${String(at).padStart(7, '0')}`, ...fieldsOf(at) })
    const initialState = {
      version: 1,
      credentialEpoch: 1,
      knownAddresses: {},
    }
    const record: UserRecord = { ...fields, ...initialState, id, createdAt: 1, lastSeenAt: null }
    return [
      { put: { ...userKey(id), ...buildListing(record), ...record } },
      { put: { ...buildUsernameMarker(record), userId: id } },
    ]
  }
  const starts = Array.from({ length: Math.ceil(count / perCall) }, (_, call) => call * perCall)
  // A few calls at a time, so that this process and the engine both work.
  await mapInBatches(starts, 3, (from) =>
    services.table.transact(
      Array.from({ length: Math.min(perCall, count - from) }, (_, n) => buildSteps(from + n)).flat(),
    ),
  )
}

/** Returns the table calls and capacity units of each request that was logged at `logStart` or later. */
export const costsSince = ({ log }: TestService, logStart: number): { calls: number; units: number }[] =>
  log
    .slice(logStart)
    .map((line) => JSON.parse(line))
    .filter(({ event }) => event === 'request')
    .map(({ table_calls: calls, table_units: units }) => ({ calls, units }))

/** Writes groups directly to the table, each with the members that `membersOf` names. Their IDs start at `firstId`. */
export const seedGroups = async (
  { services }: TestService,
  count: number,
  firstId: number,
  membersOf: (at: number) => readonly number[] = () => [],
): Promise<void> => {
  const perCall = 15
  const ids = [...new Set(Array.from({ length: count }, (_, at) => membersOf(at)).flat())]
  const users = new Map((await findUsers(services.table, ids)).map((user, at) => [ids[at], user]))
  /** Some tests seed members that are no users. */
  const buildMember = (group: number, id: number): Step => {
    const user = users.get(id)
    return { put: user ? buildMemberItem(group, user) : { ...memberKey(group, id) } }
  }
  for (let from = 0; from < count; from += perCall)
    await services.table.transact(
      Array.from({ length: Math.min(perCall, count - from) }, (_, n) => from + n).flatMap((at): Step[] => {
        const id = firstId + at
        const name = `seeded-${String(at).padStart(7, '0')}`
        const record: GroupRecord = {
          ...newGroup,
          id,
          name,
          normalizedName: name,
          version: 1,
          clientFields: noClientFields,
        }
        return [
          { put: { ...groupKind.codec.encode(record), ...groupKey(id), ...idListing('group', id) } },
          { put: { ...nameKey('group', name), ...nameListing('group', name, id), id } },
          ...membersOf(at).map((userId) => buildMember(id, userId)),
          ...buildListJoinSteps(id, membersOf(at)),
        ]
      }),
    )
}
