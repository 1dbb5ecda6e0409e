import { retryConflicts } from '../../kernel/table/retry-conflicts.ts'
import type { Step } from '../../kernel/table/transaction.ts'
import { givesRights } from '../connections/directory-groups.ts'
import {
  buildAddMemberSteps,
  buildDeleteScimGroupSteps,
  buildEditScimGroupSteps,
  buildNewScimGroupSteps,
  buildRemoveMemberSteps,
  findScimGroup,
  membersPerTransaction,
  readScimMemberIds,
  ScimGroupNameTaken,
  type ScimGroupRecord,
} from '../provisioning/groups.records.ts'
import { findScimUsers } from '../provisioning/users.records.ts'
import { resourceTypes } from './attributes.models.ts'
import { toGroupFields } from './group-resource.ts'
import { auditScim, type ScimContext } from './scim-context.ts'
import { badRequest, ScimError } from './scim-error.ts'
import { isScimId, mintScimId } from './scim-ids.ts'
import { applyPatch, type EntryChange, patchMembersMax } from './scim-patch.ts'
import { notFound, requireMatch } from './scim-reply.ts'
import { readResource, type ScimValues } from './scim-values.ts'
import { readEntries, readGroupValues } from './stored-values.ts'
import { syncPeople } from './sync-people.ts'

const keptChanging = 'The group kept changing. Send the request again.'
const membersReadAtOnce = 1000

const transact = async (scim: ScimContext, steps: readonly Step[]): Promise<void> => {
  try {
    await scim.services.table.transact(steps)
  } catch (error) {
    throw error instanceof ScimGroupNameTaken
      ? new ScimError(409, 'uniqueness', 'Another group of this connection has this displayName.')
      : error
  }
}

/** Creates a group with its members. */
export const createScimGroup = async (scim: ScimContext, body: unknown): Promise<ScimGroupRecord> => {
  const values = readResource(resourceTypes.Group, body)
  const members = await requireMembers(scim, readMembers(values) ?? [])
  const at = scim.services.now()
  const record: ScimGroupRecord = {
    ...toGroupFields(values),
    id: mintScimId(at),
    connectionId: scim.caller.connection.id,
    createdAt: at,
    changedAt: at,
    version: 1,
  }
  const [first, ...rest] = splitMembers(members)
  await transact(scim, [
    ...buildNewScimGroupSteps(record),
    ...buildAddMemberSteps(toRows(record, first ?? [])),
    auditScim(scim, 'scim.group_created', record.id),
  ])
  for (const batch of rest) await scim.services.table.transact(buildAddMemberSteps(toRows(record, batch)))
  if (givesRights(scim.caller.connection, record.displayName)) await syncPeople(scim, members)
  return record
}

/** @throws ScimError 404 */
export const requireScimGroup = async (
  { services, caller }: ScimContext,
  id: string,
): Promise<ScimGroupRecord> => {
  const found = isScimId(id) ? await findScimGroup(services.table, caller.connection.id, id) : undefined
  if (!found) throw notFound()
  return found
}

/** Replaces a group. Without `members`, they stay, and an empty list removes all of them. */
export const replaceScimGroup = (
  scim: ScimContext,
  id: string,
  body: unknown,
  ifMatch: string | undefined,
): Promise<ScimGroupRecord> => {
  const values = readResource(resourceTypes.Group, body)
  const members = readMembers(values) ?? (sendsMembers(body) ? [] : undefined)
  return change(scim, id, ifMatch, () => ({
    values,
    entryChanges: members ? [{ kind: 'replace', values: members }] : [],
  }))
}

/** Whether a body has the attribute, also with an empty list. A null counts as left out. */
const sendsMembers = (body: unknown): boolean =>
  typeof body === 'object' &&
  body !== null &&
  Object.entries(body).some(([name, value]) => name.toLowerCase() === 'members' && Array.isArray(value))

/** Changes a group, or some of its members. */
export const patchScimGroup = (
  scim: ScimContext,
  id: string,
  body: unknown,
  ifMatch: string | undefined,
): Promise<ScimGroupRecord> =>
  change(scim, id, ifMatch, (before) => applyPatch(resourceTypes.Group, readGroupValues(before), body))

interface GroupChange {
  readonly values: ScimValues
  readonly entryChanges: readonly EntryChange[]
}

/** All of a request is checked before its first write. Members beyond one transaction follow in others, which a repetition finishes. */
const change = (
  scim: ScimContext,
  id: string,
  ifMatch: string | undefined,
  apply: (before: ScimGroupRecord) => GroupChange,
): Promise<ScimGroupRecord> =>
  retryConflicts(async () => {
    const before = await requireScimGroup(scim, id)
    requireMatch(ifMatch, before.version)
    const { values, entryChanges } = apply(before)
    const { added, removed, named } = await planMembers(scim, before, entryChanges)
    const fields = toGroupFields(values)
    const isSame =
      fields.values === before.values &&
      fields.displayName === before.displayName &&
      fields.externalId === before.externalId
    const { externalId: _, ...kept } = before
    const after = { ...kept, ...fields, changedAt: scim.services.now(), version: before.version + 1 }
    const isRenamed = fields.displayName !== before.displayName
    const gives = [before, after].some(({ displayName }) => givesRights(scim.caller.connection, displayName))
    // An interruption leaves nobody with what the group gave: what they lose goes first.
    if (gives) await syncPeople(scim, removed, { without: id })
    const batches = splitMembers([
      ...added.map((userId) => ({ userId, isAdded: true })),
      ...removed.map((userId) => ({ userId, isAdded: false })),
    ]).map((batch) => [
      ...buildAddMemberSteps(
        toRows(
          before,
          batch.filter((one) => one.isAdded).map((one) => one.userId),
        ),
      ),
      ...buildRemoveMemberSteps(
        toRows(
          before,
          batch.filter((one) => !one.isAdded).map((one) => one.userId),
        ),
      ),
    ])
    if (isSame && batches.length === 0) {
      // A repetition finishes what was interrupted.
      if (gives) await syncPeople(scim, named)
      return before
    }
    const [first = [], ...rest] = batches
    await transact(scim, [
      ...(isSame ? [] : buildEditScimGroupSteps(before, after)),
      ...first,
      auditScim(scim, 'scim.group_changed', id),
    ])
    for (const steps of rest) await scim.services.table.transact(steps)
    if (gives)
      await syncPeople(scim, isRenamed ? [...(await readAllMembers(scim, before)), ...removed] : named)
    return isSame ? before : after
  }, keptChanging)

/** What becomes of members by the changes of a request, one after the other. */
const planMembers = async (
  scim: ScimContext,
  group: ScimGroupRecord,
  changes: readonly EntryChange[],
): Promise<{
  readonly added: readonly string[]
  readonly removed: readonly string[]
  /** Everybody whom the changes concern. */
  readonly named: readonly string[]
}> => {
  const wanted = new Map<string, boolean>()
  const replaces = changes.some(({ kind }) => kind === 'replace')
  const present = replaces ? await readAllMembers(scim, group) : []
  for (const { kind, values } of changes) {
    if (kind === 'replace') for (const id of [...present, ...wanted.keys()]) wanted.set(id, false)
    for (const id of values) wanted.set(id, kind !== 'remove')
  }
  const known = new Set(present)
  const changed = [...wanted].filter(([id, isMember]) => !replaces || known.has(id) !== isMember)
  const added = changed.filter(([, isMember]) => isMember).map(([id]) => id)
  const removed = changed.filter(([id, isMember]) => !isMember && isScimId(id)).map(([id]) => id)
  return { added: await requireMembers(scim, added), removed, named: [...wanted.keys()].filter(isScimId) }
}

const readAllMembers = async (
  { services: { table }, caller }: ScimContext,
  { id: groupId }: ScimGroupRecord,
): Promise<readonly string[]> => {
  const all: string[] = []
  for (let after: string | undefined; ; ) {
    const ids = await readScimMemberIds(
      table,
      { connectionId: caller.connection.id, groupId },
      { after, limit: membersReadAtOnce },
    )
    all.push(...ids)
    if (ids.length < membersReadAtOnce) return all
    after = ids.at(-1)
  }
}

/** @throws ScimError 400 if one of them is no person of the connection. The answer is the same for people of others. */
const requireMembers = async (scim: ScimContext, ids: readonly string[]): Promise<readonly string[]> => {
  const unique = [...new Set(ids)]
  if (unique.length > patchMembersMax)
    throw badRequest('invalidValue', `A request must not name more than ${patchMembersMax} members.`)
  const found = unique.every(isScimId)
    ? await findScimUsers(scim.services.table, scim.caller.connection.id, unique)
    : []
  if (found.length < unique.length)
    throw badRequest('invalidValue', '"members" contains an ID that no person of this connection has.')
  return unique
}

const readMembers = (values: ScimValues): readonly string[] | undefined =>
  values.has('members')
    ? readEntries(values, 'members').map((entry) => String(entry.get('value') ?? ''))
    : undefined

const toRows = ({ id: groupId, connectionId }: ScimGroupRecord, userIds: readonly string[]) =>
  userIds.map((userId) => ({ connectionId, groupId, userId }))

const splitMembers = <Member>(members: readonly Member[]): readonly (readonly Member[])[] =>
  Array.from({ length: Math.ceil(members.length / membersPerTransaction) }, (_, at) =>
    members.slice(at * membersPerTransaction, (at + 1) * membersPerTransaction),
  )

/** Deletes a group, its members first, so that a repetition finishes what was interrupted. */
export const deleteScimGroup = async (
  scim: ScimContext,
  id: string,
  ifMatch: string | undefined,
): Promise<void> => {
  const group = await requireScimGroup(scim, id)
  requireMatch(ifMatch, group.version)
  const { table } = scim.services
  const gives = givesRights(scim.caller.connection, group.displayName)
  for (const batch of splitMembers(await readAllMembers(scim, group))) {
    if (gives) await syncPeople(scim, batch, { without: id })
    await table.transact(buildRemoveMemberSteps(toRows(group, batch)))
    // A sign-in since could have given it again.
    if (gives) await syncPeople(scim, batch)
  }
  await retryConflicts(async () => {
    const current = await findScimGroup(table, group.connectionId, id)
    if (!current) return
    await table.transact([...buildDeleteScimGroupSteps(current), auditScim(scim, 'scim.group_deleted', id)])
  }, keptChanging)
}
