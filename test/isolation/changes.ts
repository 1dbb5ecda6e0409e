import { slugChangesMax } from '../../lib/kernel/limits/limits.ts'
import { mintCredential } from '../../lib/kernel/secrets/credentials.ts'
import { organizationInvitationKey } from '../../lib/kernel/table/keys/organization-keys.ts'
import type { JsonValue } from '../support/client.ts'
import type { TestService } from '../support/service.ts'
import { addOrganization } from './build-world.ts'
import { issueMachineToken, issueToken, switchOrganization } from './issue-token.ts'
import type { Subject } from './markers.ts'
import type { Received, Sent } from './send.ts'
import {
  countOwners,
  hasPermission,
  type Invitation,
  isUsable,
  living,
  mayGive,
  type Organization,
  organizationsOf,
  type Person,
  permissionsOf,
  roleKeys,
  type World,
} from './world.ts'

/** Sends a request of a change, and notes it. */
export type Apply = (sent: Sent, statuses: readonly number[]) => Promise<Received>

const path = '/api/2/organizations'
const openMost = 20
const organizationsLeast = 45

const readBody = ({ text }: Received): JsonValue => JSON.parse(text)
const isDone = ({ status }: Received): boolean => status < 300

const pickOf = <Value>({ random }: World, values: readonly Value[]): Value | undefined => {
  const [first, ...rest] = values
  return first === undefined ? undefined : random.pick([first, ...rest])
}

const endMembership = (world: World, organization: Organization, person: Person): void => {
  organization.roles.delete(person)
  for (const token of world.tokens)
    if (token.organization === organization && token.person === person) token.hasEnded = true
  for (const invitation of organization.invitations.values())
    if (invitation.invitedBy === person) invitation.hasEnded = true
  const session = organization.sessions.get(person)
  if (session !== undefined) organization.endedSessions.push(session)
  organization.sessions.delete(person)
}

const endInvitation = (world: World, organization: Organization, { id, token }: Invitation): void => {
  organization.invitations.delete(id)
  if (token !== undefined) world.deadInvitations.push(token)
}

const drawRoles = (world: World): readonly string[] => [
  ...new Set([
    world.random.pick(roleKeys),
    ...(world.random.chance(0.2) ? [world.random.pick(roleKeys)] : []),
  ]),
]

const hasSame = (a: readonly string[], b: readonly string[]): boolean =>
  a.length === b.length && a.every((role) => b.includes(role))

/** What happens when somebody changes or ends what another member has. */
const decideChange = (
  organization: Organization,
  actor: Person,
  before: readonly string[],
  after: readonly string[],
): number => {
  const own = organization.roles.get(actor) ?? []
  if (!hasPermission(organization, actor, 'org:members:manage')) return 403
  if (after.length > 0 && hasSame(before, after)) return 200
  if (!mayGive(own, [...before, ...after])) return 403
  if (before.includes('owner') && !after.includes('owner') && countOwners(organization) < 2) return 409
  return after.length > 0 ? 200 : 204
}

const newAddress = ({ markers }: World, subject: Subject): string => `${markers.draw(subject)}@people.example`

interface Parts {
  readonly world: World
  readonly organization: Organization
  readonly apply: Apply
  readonly service: TestService
}

type Change = (parts: Parts) => Promise<unknown>

const addMember: Change = async ({ world, organization, apply }) => {
  const person = pickOf(world, world.people)
  if (!person) return
  const roles = drawRoles(world)
  const isMember = organization.roles.has(person)
  const body = { user: person.id, roles }
  const sent = {
    method: 'POST',
    path: `${path}/${organization.id}/members`,
    bearer: world.staff.bearer,
    body,
  }
  await apply(sent, [isMember ? 409 : 201])
  if (isMember) return
  organization.roles.set(person, roles)
  organization.known.add(person.id)
}

const changeRoles: Change = async ({ world, organization, apply }) => {
  const [actor, target] = [
    pickOf(world, [...organization.roles.keys()]),
    pickOf(world, [...organization.roles]),
  ]
  if (!actor || !target) return
  const roles = drawRoles(world)
  const [person, before] = target
  const address = `${path}/${organization.id}/members/${person.id}`
  const sent = { method: 'PATCH', path: address, bearer: actor.bearer, body: { roles } }
  const answer = await apply(sent, [decideChange(organization, actor, before, roles)])
  if (isDone(answer)) organization.roles.set(person, roles)
}

const removeMember: Change = async ({ world, organization, apply }) => {
  const [actor, target] = [
    pickOf(world, [...organization.roles.keys()]),
    pickOf(world, [...organization.roles]),
  ]
  if (!actor || !target) return
  const [person, before] = target
  const address = `${path}/${organization.id}/members/${person.id}`
  const status = decideChange(organization, actor, before, [])
  if (isDone(await apply({ method: 'DELETE', path: address, bearer: actor.bearer }, [status])))
    endMembership(world, organization, person)
}

const leave: Change = async ({ world, organization, apply }) => {
  const [person, roles] = pickOf(world, [...organization.roles]) ?? []
  if (!person || !roles) return
  const isLast = roles.includes('owner') && countOwners(organization) < 2
  const address = `/api/2/users/me/organizations/${organization.id}`
  const answer = await apply({ method: 'DELETE', path: address, bearer: person.bearer }, [isLast ? 409 : 204])
  if (isDone(answer)) endMembership(world, organization, person)
}

const invite: Change = async ({ world, organization, apply }) => {
  const actor = pickOf(world, [...organization.roles.keys()])
  const invited = pickOf(world, world.people)
  if (!actor || !invited) return
  const isNew = world.random.chance(0.3)
  const roles = drawRoles(world)
  const email = isNew ? newAddress(world, `organization ${organization.id}`) : invited.email
  const mayInvite =
    hasPermission(organization, actor, 'org:members:manage') &&
    mayGive(organization.roles.get(actor) ?? [], roles)
  const isFull =
    organization.invitations.size >= openMost ||
    [...organization.invitations.values()].some((one) => one.email === email)
  const status = mayInvite ? (organization.isActive && !isFull ? 201 : 409) : 403
  const body = { email, roles }
  const answer = await apply(
    { method: 'POST', path: `${path}/${organization.id}/invitations`, bearer: actor.bearer, body },
    [status],
  )
  if (!isDone(answer)) return
  const { id } = readBody(answer)
  world.markers.note(id, `organization ${organization.id}`)
  organization.invitations.set(id, { id, email, roles, invitedBy: actor, hasEnded: false })
}

const mail: Change = async ({ world, organization, service }) => {
  const invitation = pickOf(world, [...organization.invitations.values()])
  if (!invitation) return
  // The mailer makes the token when it sends the email.
  const { value, hash } = mintCredential('organization_invitation', invitation.id)
  await service.services.table.update(organizationInvitationKey(invitation.id), (x) => ({
    set: [`${x.path('hash')} = ${x.value(hash)}`],
  }))
  if (invitation.token !== undefined) world.deadInvitations.push(invitation.token)
  invitation.token = value
}

const accept: Change = async ({ world, organization, apply }) => {
  const invitation = pickOf(
    world,
    [...organization.invitations.values()].filter(({ token }) => token !== undefined),
  )
  const person = world.people.find(({ email }) => email === invitation?.email)
  if (!invitation || !person) return
  const { token } = invitation
  const own = organization.roles.get(invitation.invitedBy) ?? []
  const isOpen =
    !invitation.hasEnded &&
    organization.isActive &&
    permissionsOf(own).has('org:members:manage') &&
    mayGive(own, invitation.roles)
  const find = { method: 'POST', path: '/api/2/auth/organization-invitation', body: { token } }
  const found = await apply(find, [isOpen ? 200 : 409])
  if (!isDone(found)) return
  const isMember = organization.roles.has(person)
  const { shown } = readBody(found)
  const address = '/api/2/users/me/organization-invitations/accept'
  const body = { token, shown }
  await apply({ method: 'POST', path: address, bearer: person.bearer, body }, [isMember ? 409 : 200])
  if (isMember) return
  organization.roles.set(person, invitation.roles)
  organization.known.add(person.id)
  endInvitation(world, organization, invitation)
}

const declineOrRevoke: Change = async ({ world, organization, apply }) => {
  const invitation = pickOf(world, [...organization.invitations.values()])
  if (!invitation) return
  const invited = world.people.find(({ email }) => email === invitation.email)
  const actor = pickOf(world, [...organization.roles.keys()])
  if (invited && world.random.chance(0.5)) {
    const address = `/api/2/users/me/organization-invitations/${invitation.id}`
    await apply({ method: 'DELETE', path: address, bearer: invited.bearer }, [204])
    endInvitation(world, organization, invitation)
  } else if (actor) {
    const status = hasPermission(organization, actor, 'org:members:manage') ? 204 : 403
    const address = `${path}/${organization.id}/invitations/${invitation.id}`
    if (isDone(await apply({ method: 'DELETE', path: address, bearer: actor.bearer }, [status])))
      endInvitation(world, organization, invitation)
  }
}

const createKey: Change = async ({ world, organization, apply }) => {
  const actor = pickOf(world, [...organization.roles.keys()])
  if (!actor) return
  const permissions = world.random.pick<readonly string[]>([
    ['films:edit', 'org:members:view'],
    ['org:members:view', 'org:members:manage'],
    ['org:settings:manage'],
    ['films:edit'],
  ])
  const roles = organization.roles.get(actor) ?? []
  const mayCreate =
    hasPermission(organization, actor, 'org:keys:manage') &&
    (roles.includes('owner') || permissions.every((name) => permissionsOf(roles).has(name)))
  const body = { name: world.markers.draw(`organization ${organization.id}`), permissions }
  const address = `${path}/${organization.id}/api-tokens`
  const answer = await apply({ method: 'POST', path: address, bearer: actor.bearer, body }, [
    mayCreate ? 201 : 403,
  ])
  if (!isDone(answer)) return
  const { id, token } = readBody(answer)
  world.markers.note(id, `organization ${organization.id}`)
  organization.keys.set(id, { id, value: token, permissions })
  // Its first use is written down. Uses after it make the same calls.
  await apply({ method: 'GET', path: `${path}/current`, bearer: token }, [organization.isActive ? 200 : 401])
}

const deleteKey: Change = async ({ world, organization, apply }) => {
  const [key, actor] = [
    pickOf(world, [...organization.keys.values()]),
    pickOf(world, [...organization.roles.keys()]),
  ]
  if (!key || !actor) return
  const status = hasPermission(organization, actor, 'org:keys:manage') ? 204 : 403
  const address = `${path}/${organization.id}/api-tokens/${key.id}`
  if (!isDone(await apply({ method: 'DELETE', path: address, bearer: actor.bearer }, [status]))) return
  organization.keys.delete(key.id)
  world.deadKeys.push({ organization, value: key.value })
}

const makeLink: Change = async ({ world, organization, apply }) => {
  const actor = pickOf(world, world.random.chance(0.8) ? [...organization.roles.keys()] : world.people)
  if (!actor) return
  const subject = `organization ${organization.id}` as const
  const bundle = { id: 7, name: `Cut ${world.markers.draw(subject)}` }
  const body = { bundles: [bundle], email: newAddress(world, subject), organization: organization.id }
  const mayMake = organization.isActive && hasPermission(organization, actor, 'org:links:manage')
  const sent = { method: 'POST', path: '/api/2/auth/access-tokens', bearer: actor.bearer, body }
  const answer = await apply(sent, [mayMake ? 201 : 403])
  if (!isDone(answer)) return
  const { id } = readBody(answer)
  world.markers.note(id, subject)
  organization.links.add(id)
}

const deleteLink: Change = async ({ world, organization, apply }) => {
  const [id, actor] = [pickOf(world, [...organization.links]), pickOf(world, [...organization.roles.keys()])]
  if (id === undefined || !actor) return
  const status = hasPermission(organization, actor, 'org:links:manage') ? 204 : 403
  const address = `${path}/${organization.id}/links/${id}`
  if (isDone(await apply({ method: 'DELETE', path: address, bearer: actor.bearer }, [status])))
    organization.links.delete(id)
}

const rename: Change = async ({ world, organization, apply }) => {
  const actor = pickOf(world, [...organization.roles.keys()])
  if (!actor) return
  const subject = `organization ${organization.id}` as const
  const [name, slug] = [world.markers.draw(subject), world.markers.draw(subject)]
  // Members change the slug twice in 30 days.
  const changed = organization.formerSlugs.length < slugChangesMax ? 200 : 409
  const status = hasPermission(organization, actor, 'org:settings:manage') ? changed : 403
  const body = { name: `Company ${name}`, slug }
  const sent = { method: 'PATCH', path: `${path}/${organization.id}`, bearer: actor.bearer, body }
  if (!isDone(await apply(sent, [status]))) return
  organization.formerSlugs.push(organization.slug)
  organization.slug = slug
}

const takeSlug: Change = async ({ world, organization, apply }) => {
  const actor = [...organization.roles.keys()].find((one) =>
    hasPermission(organization, one, 'org:settings:manage'),
  )
  const other = pickOf(
    world,
    world.organizations.filter((one) => one !== organization),
  )
  const slug = other && pickOf(world, [other.slug, ...other.formerSlugs])
  if (!actor || slug === undefined) return
  const sent = { method: 'PATCH', path: `${path}/${organization.id}`, bearer: actor.bearer, body: { slug } }
  await apply(sent, [409])
}

const suspendOrActivate: Change = async ({ world, organization, apply }) => {
  const isActive = !organization.isActive || world.random.chance(0.5)
  const body = { state: isActive ? 'active' : 'suspended' }
  const sent = { method: 'PATCH', path: `${path}/${organization.id}`, bearer: world.staff.bearer, body }
  await apply(sent, [200])
  organization.isActive = isActive
  // Keys that were made while it was suspended are used for the first time now, which is written down.
  for (const { value } of isActive ? organization.keys.values() : [])
    await apply({ method: 'GET', path: `${path}/current`, bearer: value }, [200])
}

const end: Change = async ({ world, organization, apply }) => {
  if (world.random.chance(0.7)) return
  if (living(world).length > organizationsLeast) {
    const sent = { method: 'DELETE', path: `${path}/${organization.id}`, bearer: world.staff.bearer }
    await apply(sent, [204])
    organization.isDeleted = true
    for (const person of [...organization.roles.keys()]) endMembership(world, organization, person)
    for (const { value } of organization.keys.values()) world.deadKeys.push({ organization, value })
    organization.keys.clear()
    for (const invitation of [...organization.invitations.values()])
      endInvitation(world, organization, invitation)
    organization.links.clear()
  } else await addOrganization(world, world.random.chance(0.5) ? pickOf(world, world.people) : undefined)
}

const issue: Change = async ({ world, organization }) => {
  const person = pickOf(world, [...organization.roles.keys()])
  if (!person || !organization.isActive || world.random.chance(0.5)) return
  world.tokens.push(await issueToken(world, organization, person, world.random.chance(0.5)))
  if (world.random.chance(0.3)) world.machineTokens.push(await issueMachineToken(world, organization))
}

const switchTo: Change = async ({ world }) => {
  const token = pickOf(world, world.tokens.filter(isUsable))
  const next =
    token &&
    pickOf(
      world,
      organizationsOf(world, token.person).filter((one) => one.isActive && one !== token.organization),
    )
  if (next) world.tokens.push(await switchOrganization(world, token, next))
}

const changes: readonly Change[] = [
  addMember,
  changeRoles,
  removeMember,
  leave,
  invite,
  mail,
  accept,
  declineOrRevoke,
  createKey,
  deleteKey,
  makeLink,
  deleteLink,
  rename,
  takeSlug,
  suspendOrActivate,
  end,
  issue,
  switchTo,
]

/** Invites people to all organizations and creates keys, as far as those who try may do it. */
export const fillWorld = async (world: World, service: TestService, apply: Apply): Promise<void> => {
  for (const organization of world.organizations)
    for (let round = 0; round < 3; round++)
      for (const change of [invite, createKey, mail, makeLink])
        await change({ world, organization, apply, service })
}

/** Changes something in an organization, and in the model. */
export const makeChange = async (world: World, service: TestService, apply: Apply): Promise<void> => {
  const change = pickOf(world, changes)
  const organization = pickOf(world, living(world))
  if (change && organization) await change({ world, organization, apply, service })
}
