import { ConflictError } from '../../kernel/errors/errors.ts'
import { retryConflicts } from '../../kernel/table/retry-conflicts.ts'
import type { Step } from '../../kernel/table/transaction.ts'
import { omitUndefined } from '../../kernel/util/object-fields.ts'
import {
  buildRemoveMemberSteps,
  findScimGroupIds,
  membersPerTransaction,
} from '../provisioning/groups.records.ts'
import {
  buildBindingSteps,
  buildDeleteScimUserSteps,
  buildEditScimUserSteps,
  buildForgetFormerSteps,
  buildNewScimUserSteps,
  findFormerScimUser,
  findScimUser,
  ScimNameTaken,
  type ScimUserRecord,
} from '../provisioning/users.records.ts'
import { bringBack } from './bring-back.ts'
import { changeAccount, requireFreeAddress } from './change-account.ts'
import { endPerson } from './end-person.ts'
import { noteLeaver } from './leaver-notices.ts'
import { planBinding } from './plan-binding.ts'
import { createLastAdminError, createLastOwnerError } from './plan-end.ts'
import { requireApplicable } from './require-applicable.ts'
import { auditScim, type ScimContext } from './scim-context.ts'
import { ScimError } from './scim-error.ts'
import { isScimId, mintScimId } from './scim-ids.ts'
import { applyPatch } from './scim-patch.ts'
import { notFound, requireMatch } from './scim-reply.ts'
import { readResource, type ScimValues } from './scim-values.ts'
import { readUserValues } from './stored-values.ts'
import { syncAttributes, syncPerson } from './sync-people.ts'
import { toUserFields } from './user-resource.ts'
import { getUserType } from './user-type.ts'

const keptChanging = 'The person kept changing. Send the request again.'

/** A person as they are after a request. */
export interface ChangedUser {
  readonly record: ScimUserRecord
}

const toNameError = (error: unknown): unknown =>
  error instanceof ScimNameTaken
    ? new ScimError(409, 'uniqueness', 'Another person of this connection has this userName.')
    : error

const transact = async (scim: ScimContext, steps: readonly Step[]): Promise<void> => {
  try {
    await scim.services.table.transact(steps)
  } catch (error) {
    throw toNameError(error)
  }
}

/** Creates a person (RFC 7644 3.3), or brings one back whom the directory deleted. */
export const createScimUser = async (scim: ScimContext, body: unknown): Promise<ScimUserRecord> => {
  const values = readResource(getUserType(scim), body)
  await requireApplicable(scim, { before: undefined, values })
  const { now } = scim.services
  const { id: connectionId } = scim.caller.connection
  const fields = toUserFields(values)
  const wantsActive = values.get('active') !== false
  const created = await retryConflicts(async () => {
    const at = now()
    const id = mintScimId(at)
    const base = { ...fields, id, connectionId, createdAt: at, changedAt: at, version: 1 }
    const former = await findFormerScimUser(scim.services.table, connectionId, fields)
    if (former) return comeBack(scim, base, former)
    const { fields: bound, steps } = await planBinding(scim, base)
    const record: ScimUserRecord = {
      ...base,
      ...bound,
      isActive: wantsActive,
      ...(!wantsActive && { end: { by: 'directory', at, isComplete: bound.userId === undefined } }),
    }
    await transact(scim, [
      ...buildNewScimUserSteps(record),
      ...steps,
      auditScim(scim, 'scim.user_created', id, record.userId),
    ])
    return record
  }, keptChanging)
  const settled = await (wantsActive ? settle : finishEnd)(scim, created)
  if (settled.isActive) await syncPerson(scim, settled)
  return settled
}

/** A former person is inactive until `settle` has brought back what the directory ended. */
const comeBack = async (
  scim: ScimContext,
  base: Omit<ScimUserRecord, 'isActive'>,
  former: ScimUserRecord,
): Promise<ScimUserRecord> => {
  const { userId, identity, madeUser, end } = former
  const record: ScimUserRecord = {
    ...base,
    ...omitUndefined({ userId, identity, madeUser }),
    isActive: false,
    end: end ?? { by: 'directory', at: base.createdAt, isComplete: true },
  }
  const binding =
    userId === undefined || identity === undefined
      ? []
      : buildBindingSteps(record, { userId, identity }, former.id)
  await transact(scim, [
    ...buildNewScimUserSteps(record),
    ...buildForgetFormerSteps(former),
    ...binding,
    auditScim(scim, 'scim.user_created', record.id, userId),
  ])
  return record
}

/** Makes somebody active whom a request wants to be, unless something here ended them. */
const settle = async (scim: ScimContext, record: ScimUserRecord): Promise<ScimUserRecord> => {
  if (record.isActive) return record
  const mayReturn = await bringBack(scim, record)
  const { end: _, ...rest } = record
  const at = scim.services.now()
  const changed: ScimUserRecord = mayReturn
    ? { ...rest, isActive: true, changedAt: at }
    : { ...rest, end: { by: 'here', at, isComplete: true } }
  if (!mayReturn && record.end?.by === 'here') return record
  await transact(scim, [
    ...buildEditScimUserSteps(record, changed),
    ...(mayReturn ? [auditScim(scim, 'scim.user_returned', record.id, record.userId)] : []),
  ])
  return { ...changed, version: record.version + 1 }
}

/**
 * Ends what somebody has who is inactive, and notes that nothing is left.
 *
 * @throws ScimError 409 for the last owner of an organization, and for the last administrator
 */
const finishEnd = async (scim: ScimContext, record: ScimUserRecord): Promise<ScimUserRecord> => {
  const { end } = record
  if (!end || end.isComplete) return record
  const { isLastOwner, ...ended } = await endPerson(scim, record).catch((error: unknown): never => {
    throw error instanceof ConflictError && error.kind === 'last_admin' ? createLastAdminError() : error
  })
  if (isLastOwner) throw createLastOwnerError()
  const changed = { ...record, end: { ...end, ...ended, isComplete: true } }
  await transact(scim, buildEditScimUserSteps(record, changed))
  return { ...changed, version: record.version + 1 }
}

/** @throws ScimError 404 */
export const requireScimUser = async (
  { services, caller }: ScimContext,
  id: string,
): Promise<ScimUserRecord> => {
  const found = isScimId(id) ? await findScimUser(services.table, caller.connection.id, id) : undefined
  if (!found) throw notFound()
  return found
}

/** Replaces the attributes of a person (RFC 7644 3.5.1). Without `active`, they stay as active as they are. */
export const replaceScimUser = (
  scim: ScimContext,
  id: string,
  body: unknown,
  ifMatch: string | undefined,
): Promise<ScimUserRecord> => {
  const values = readResource(getUserType(scim), body)
  return change(scim, id, ifMatch, () => values)
}

/** Changes some attributes (RFC 7644 3.5.2). */
export const patchScimUser = (
  scim: ScimContext,
  id: string,
  body: unknown,
  ifMatch: string | undefined,
): Promise<ScimUserRecord> =>
  change(
    scim,
    id,
    ifMatch,
    (before) => applyPatch(getUserType(scim), readUserValues(before), body).values,
    body,
  )

/**
 * Makes somebody active whom the directory ended. Whom something here ended stays so. Names, groups and roles follow with the next
 * request of the directory, or the next sign-in.
 *
 * @throws ScimError 404
 */
export const returnScimUser = (scim: ScimContext, id: string): Promise<ScimUserRecord> =>
  retryConflicts(async () => settle(scim, await requireScimUser(scim, id)), keptChanging)

const change = async (
  scim: ScimContext,
  id: string,
  ifMatch: string | undefined,
  apply: (before: ScimUserRecord) => ScimValues,
  patch?: unknown,
): Promise<ScimUserRecord> => {
  const {
    before: old,
    changed,
    wantsActive,
  } = await retryConflicts(async () => {
    const before = await requireScimUser(scim, id)
    requireMatch(ifMatch, before.version)
    const values = apply(before)
    const active = values.get('active')
    const wants = typeof active === 'boolean' ? active : undefined
    // Nothing about their attributes keeps somebody who leaves.
    if (wants !== false) await requireApplicable(scim, { before, values, patch })
    return { before, changed: await edit(scim, before, values, wants === false), wantsActive: wants }
  }, keptChanging)
  const settled = await (wantsActive ? settle : finishEnd)(scim, changed)
  if (old.isActive && !settled.isActive) await noteLeaver(scim)
  if (settled.isActive) {
    await changeAccount(scim, settled)
    if (!old.isActive || old.userId !== settled.userId) await syncPerson(scim, settled)
    else await syncAttributes(scim, settled)
  }
  return settled
}

/** Stores the attributes, and ends the person if they leave. The write that ends them is the first one. */
const edit = async (
  scim: ScimContext,
  before: ScimUserRecord,
  values: ScimValues,
  leaves: boolean,
): Promise<ScimUserRecord> => {
  const { externalId: _, ...kept } = before
  const fields = toUserFields(values)
  const ends = leaves && before.isActive
  const isSame =
    fields.values === before.values &&
    fields.userName === before.userName &&
    fields.externalId === before.externalId
  // A leaver of whom something was left is taken up again.
  if (isSame && !ends) return before
  if (!isSame && !ends) await requireFreeAddress(scim, before, { ...fields, isActive: before.isActive })
  const at = scim.services.now()
  const { fields: bound, steps } =
    before.userId === undefined
      ? await planBinding(scim, { ...before, ...fields })
      : { fields: {}, steps: [] }
  const hasAccount = (before.userId ?? bound.userId) !== undefined
  const after: ScimUserRecord = {
    ...kept,
    ...fields,
    ...bound,
    changedAt: at,
    ...(ends && { isActive: false, end: { by: 'directory', at, isComplete: !hasAccount } }),
    version: before.version + 1,
  }
  await transact(scim, [
    ...buildEditScimUserSteps(before, after),
    ...steps,
    auditScim(scim, ends ? 'scim.user_ended' : 'scim.user_changed', before.id, after.userId),
  ])
  return after
}

/** Deletes a person (RFC 7644 3.6). Everything ends as with `active: false`. */
export const deleteScimUser = async (
  scim: ScimContext,
  id: string,
  ifMatch: string | undefined,
): Promise<void> => {
  const before = await requireScimUser(scim, id)
  requireMatch(ifMatch, before.version)
  const ended = await change(scim, id, undefined, (record) =>
    new Map(readUserValues(record)).set('active', false),
  )
  const { table } = scim.services
  await retryConflicts(async () => {
    const current = await findScimUser(table, ended.connectionId, id)
    if (!current) return
    // A request at the same time brought them back.
    if (current.isActive) throw new ScimError(409, undefined, 'The person was changed at the same time.')
    await transact(scim, [
      ...buildDeleteScimUserSteps(current),
      auditScim(scim, 'scim.user_deleted', id, current.userId),
    ])
  }, keptChanging)
  await leaveGroups(scim, id)
}

/** Removes the rows of the groups of a person who is gone. A group shows nobody else meanwhile. */
const leaveGroups = async ({ services: { table }, caller }: ScimContext, userId: string): Promise<void> => {
  const { id: connectionId } = caller.connection
  const groupIds = await findScimGroupIds(table, connectionId, userId)
  for (let at = 0; at < groupIds.length; at += membersPerTransaction)
    await table.transact(
      buildRemoveMemberSteps(
        groupIds.slice(at, at + membersPerTransaction).map((groupId) => ({ connectionId, groupId, userId })),
      ),
    )
}
