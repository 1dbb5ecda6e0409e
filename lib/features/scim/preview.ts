import { findUser } from '../../accounts/users/find-users.records.ts'
import { areScimMembers, findScimGroupByName } from '../provisioning/groups.records.ts'
import {
  findFormerScimUser,
  findScimUserByName,
  findScimUsers,
  type ScimUserRecord,
} from '../provisioning/users.records.ts'
import { resourceTypes } from './attributes.models.ts'
import { requireFreeAddress } from './change-account.ts'
import { requireScimGroup } from './change-group.ts'
import { requireScimUser } from './change-user.ts'
import type { ScimPlanStep, ScimPreviewRequest } from './directory.models.ts'
import { findOwnerId } from './find-owner.ts'
import { toGroupFields } from './group-resource.ts'
import { planBinding } from './plan-binding.ts'
import {
  createLastAdminError,
  createLastOwnerError,
  isRefusedAsLastAdmin,
  planMembershipEnd,
  planServiceEnd,
} from './plan-end.ts'
import { requireApplicable } from './require-applicable.ts'
import type { ScimContext } from './scim-context.ts'
import { badRequest, ScimError } from './scim-error.ts'
import { mintScimId } from './scim-ids.ts'
import { applyPatch, type EntryChange, patchMembersMax } from './scim-patch.ts'
import { type ScimReply, toErrorReply } from './scim-reply.ts'
import { findOwn, isObject, readResource, type ScimValues } from './scim-values.ts'
import { readEntries, readGroupValues, readUserValues } from './stored-values.ts'
import { toUserBody, toUserFields } from './user-resource.ts'
import { getUserType } from './user-type.ts'

/*
 * What a request of a directory would do. It is checked as the request itself is, and nothing is written, so that people can paste what a
 * directory sent or is going to send.
 */

export interface ScimPreview {
  readonly reply: ScimReply
  readonly plan: readonly ScimPlanStep[]
}

/** @throws ScimError what the request would be refused with */
export const previewRequest = (scim: ScimContext, request: ScimPreviewRequest): Promise<ScimPreview> => {
  const { method, resource, resource_id: id } = request
  const body = method === 'DELETE' ? undefined : parseBody(request.body ?? '')
  if (method === 'POST') return resource === 'Users' ? createPerson(scim, body) : createGroup(scim, body)
  const key = id ?? ''
  if (resource === 'Groups')
    return method === 'DELETE' ? deleteGroup(scim, key) : changeGroup(scim, method, key, body)
  return method === 'DELETE' ? deletePerson(scim, key) : changePerson(scim, method, key, body)
}

const parseBody = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    throw badRequest('invalidSyntax', 'The body is not valid JSON.')
  }
}

const step = (
  action: ScimPlanStep['action'],
  { names = [], count = null }: Partial<Omit<ScimPlanStep, 'action'>> = {},
): ScimPlanStep => ({ action, names, count })

const showAll = { has: () => true }

const showPerson = async (scim: ScimContext, status: number, record: ScimUserRecord): Promise<ScimReply> => ({
  status,
  body: await toUserBody(scim, record, showAll, { hasGroups: false }),
})

const createPerson = async (scim: ScimContext, body: unknown): Promise<ScimPreview> => {
  const { services, caller } = scim
  const values = readResource(getUserType(scim), body)
  await requireApplicable(scim, { before: undefined, values })
  const fields = toUserFields(values)
  const connectionId = caller.connection.id
  await requireFreeName(scim, fields.userName, undefined)
  const at = services.now()
  const isActive = values.get('active') !== false
  const base = { ...fields, connectionId, isActive, createdAt: at, changedAt: at, version: 1 }
  const record = { ...base, id: mintScimId(at) }
  const former = await findFormerScimUser(services.table, connectionId, fields)
  const plan = former
    ? [step('create_person'), ...(isActive ? planReturn(former) : [step('refuse_sign_in')])]
    : [
        step('create_person'),
        ...(await planAccount(scim, record)),
        ...(isActive ? [] : [step('refuse_sign_in')]),
      ]
  const isKept = former?.end?.by === 'here'
  return { reply: await showPerson(scim, 201, { ...record, isActive: isActive && !isKept }), plan }
}

/** Whose account somebody becomes who has none. */
const planAccount = async (
  scim: ScimContext,
  person: Pick<ScimUserRecord, 'id' | 'connectionId' | 'userName' | 'externalId' | 'addresses'>,
): Promise<readonly ScimPlanStep[]> => {
  const { userId } = (await planBinding(scim, person)).fields
  const user = userId === undefined ? undefined : await findUser(scim.services.table, userId)
  return [user ? step('use_account', { names: [user.username] }) : step('wait_for_sign_in')]
}

const planReturn = ({ end }: ScimUserRecord): readonly ScimPlanStep[] => [
  step(end?.by === 'here' ? 'stay_ended' : 'bring_back'),
]

const requireFreeName = async (
  { services, caller }: ScimContext,
  userName: string,
  ownId: string | undefined,
): Promise<void> => {
  const holder = await findScimUserByName(services.table, caller.connection.id, userName)
  if (holder && holder.id !== ownId)
    throw new ScimError(409, 'uniqueness', 'Another person of this connection has this userName.')
}

const changePerson = async (
  scim: ScimContext,
  method: 'PUT' | 'PATCH',
  id: string,
  body: unknown,
): Promise<ScimPreview> => {
  const sent = method === 'PUT' ? readResource(getUserType(scim), body) : undefined
  const before = await requireScimUser(scim, id)
  const old = readUserValues(before)
  const values = sent ?? applyPatch(getUserType(scim), old, body).values
  const fields = toUserFields(values)
  await requireFreeName(scim, fields.userName, id)
  const active = values.get('active')
  if (active !== false) await requireApplicable(scim, { before, values, ...(!sent && { patch: body }) })
  const leaves = active === false && before.isActive
  const returns = active === true && !before.isActive
  const names = listChanged(old, values)
  if (names.length > 0 && !leaves)
    await requireFreeAddress(scim, before, { ...fields, isActive: before.isActive })
  const end: EndPlan = leaves ? await planEnd(scim, before) : { steps: [] }
  const plan = [
    ...(names.length > 0 ? [step('change_attributes', { names })] : []),
    ...(before.userId === undefined && names.length > 0
      ? await planAccount(scim, { ...before, ...fields })
      : []),
    ...end.steps,
    ...(returns ? planReturn(before) : []),
  ]
  if (end.refusal) return { reply: toErrorReply(end.refusal), plan }
  const isActive = leaves ? false : before.isActive || (returns && before.end?.by !== 'here')
  const { externalId: _, ...kept } = before
  return {
    reply: await showPerson(scim, 200, {
      ...kept,
      ...fields,
      isActive,
      version: before.version + (plan.length > 0 ? 1 : 0),
    }),
    plan: plan.length > 0 ? plan : [step('change_nothing')],
  }
}

/** The attributes that differ. Whether somebody is active is a step of its own. */
const listChanged = (before: ScimValues, after: ScimValues): string[] =>
  [...new Set([...before.keys(), ...after.keys()])].filter(
    (name) => name !== 'active' && name !== 'members' && toText(before, name) !== toText(after, name),
  )

const toText = (values: ScimValues, name: string): string =>
  JSON.stringify(values.get(name), (_, value) => (value instanceof Map ? [...value] : value)) ?? ''

interface EndPlan {
  readonly steps: readonly ScimPlanStep[]
  /** What the directory gets if the last owner or the last administrator stays. */
  readonly refusal?: ScimError
}

const planEnd = async (scim: ScimContext, person: ScimUserRecord): Promise<EndPlan> => {
  const { services, caller } = scim
  const { organization_id: organizationId } = caller.connection
  const userId = await findOwnerId(scim, person)
  const user = userId === undefined ? undefined : await findUser(services.table, userId)
  const refused = step('refuse_sign_in')
  if (!user) return { steps: [refused] }
  const names = [user.username]
  const endsSessions = [refused, step('end_sessions', { names })]
  if (organizationId === null) {
    const end = await planServiceEnd(scim, person, user)
    if (!end) return { steps: endsSessions }
    return (await isRefusedAsLastAdmin(scim, end, user))
      ? { steps: [refused, step('keep_last_admin', { names })], refusal: createLastAdminError() }
      : { steps: [refused, step('end_account', { names })] }
  }
  const end = await planMembershipEnd(scim, user.id, organizationId)
  if (!end) return { steps: endsSessions }
  return end.isLastOwner
    ? { steps: [...endsSessions, step('keep_last_owner', { names })], refusal: createLastOwnerError() }
    : { steps: [...endsSessions, step('end_membership', { names })] }
}

const deletePerson = async (scim: ScimContext, id: string): Promise<ScimPreview> => {
  const before = await requireScimUser(scim, id)
  const { steps, refusal }: EndPlan = before.isActive ? await planEnd(scim, before) : { steps: [] }
  return refusal
    ? { reply: toErrorReply(refusal), plan: steps }
    : { reply: { status: 204 }, plan: [...steps, step('delete_person')] }
}

const requireFreeGroupName = async (
  { services, caller }: ScimContext,
  displayName: string,
  ownId: string | undefined,
): Promise<void> => {
  const holder = await findScimGroupByName(services.table, caller.connection.id, displayName)
  if (holder && holder.id !== ownId)
    throw new ScimError(409, 'uniqueness', 'Another group of this connection has this displayName.')
}

const createGroup = async (scim: ScimContext, body: unknown): Promise<ScimPreview> => {
  const values = readResource(resourceTypes.Group, body)
  await requireFreeGroupName(scim, toGroupFields(values).displayName, undefined)
  const members = readEntries(values, 'members').map((entry) => String(entry.get('value') ?? ''))
  await requirePeople(scim, members)
  return {
    reply: { status: 201 },
    plan: [
      step('create_group'),
      ...(members.length > 0 ? [step('add_members', { count: new Set(members).size })] : []),
    ],
  }
}

const requirePeople = async ({ services, caller }: ScimContext, ids: readonly string[]): Promise<void> => {
  const unique = [...new Set(ids)]
  if (unique.length > patchMembersMax)
    throw badRequest('invalidValue', `A request must not name more than ${patchMembersMax} members.`)
  const found = await findScimUsers(services.table, caller.connection.id, unique)
  if (found.length < unique.length)
    throw badRequest('invalidValue', '"members" contains an ID that no person of this connection has.')
}

const changeGroup = async (
  scim: ScimContext,
  method: 'PUT' | 'PATCH',
  id: string,
  body: unknown,
): Promise<ScimPreview> => {
  const group = await requireScimGroup(scim, id)
  const old = readGroupValues(group)
  const { values, entryChanges } =
    method === 'PUT' ? readReplacement(body) : applyPatch(resourceTypes.Group, old, body)
  await requireFreeGroupName(scim, toGroupFields(values).displayName, id)
  const names = listChanged(old, values)
  const plan = [
    ...(names.length > 0 ? [step('change_attributes', { names })] : []),
    ...(await planMembers(scim, id, entryChanges)),
  ]
  return {
    reply: { status: method === 'PUT' ? 200 : 204 },
    plan: plan.length > 0 ? plan : [step('change_nothing')],
  }
}

const readReplacement = (body: unknown) => {
  const values = readResource(resourceTypes.Group, body)
  const isGiven = isObject(body) && Array.isArray(findOwn(body, 'members'))
  const members = readEntries(values, 'members').map((entry) => String(entry.get('value') ?? ''))
  const entryChanges: readonly EntryChange[] = isGiven ? [{ kind: 'replace', values: members }] : []
  return { values, entryChanges }
}

/** How many members each change of a request adds or removes. */
const planMembers = async (
  scim: ScimContext,
  groupId: string,
  changes: readonly EntryChange[],
): Promise<readonly ScimPlanStep[]> => {
  const { services, caller } = scim
  const steps: ScimPlanStep[] = []
  for (const { kind, values } of changes) {
    const ids = [...new Set(values)]
    if (kind !== 'remove') await requirePeople(scim, ids)
    const group = { connectionId: caller.connection.id, groupId }
    const areMembers = await areScimMembers(services.table, group, ids)
    const count =
      kind === 'replace'
        ? ids.length
        : areMembers.filter((isMember) => isMember === (kind === 'remove')).length
    if (kind === 'replace') steps.push(step('replace_members', { count }))
    else if (count > 0) steps.push(step(kind === 'remove' ? 'remove_members' : 'add_members', { count }))
  }
  return steps
}

const deleteGroup = async (scim: ScimContext, id: string): Promise<ScimPreview> => {
  await requireScimGroup(scim, id)
  return { reply: { status: 204 }, plan: [step('delete_group')] }
}
