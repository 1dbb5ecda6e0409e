import { auditStep } from '../../accounts/events/write-event.ts'
import { writeSettings } from '../../accounts/events/write-settings.ts'
import { hasVerifiedEmail } from '../../accounts/users/guest-state.records.ts'
import type { UseCase } from '../../http/use-case.ts'
import { project, readGiven } from '../../kernel/contract/projection.ts'
import { AppError } from '../../kernel/errors/errors.ts'
import { listNames } from '../../kernel/util/object-fields.ts'
import { auditMembership } from './audit-membership.ts'
import { toOrganizationBody } from './body.ts'
import { requireEffectiveRoles } from './effective-roles.ts'
import { beginMembership, buildFirstOwnerSteps, ownerRole } from './memberships.records.ts'
import { newOrganization } from './models.ts'
import { requireAllowedNames } from './name-rules.ts'
import { organizationPolicyFields } from './policy.models.ts'
import type { organizationPolicy } from './policy.operations.ts'
import {
  defaultOrganizationPolicy,
  findOrganizationPolicy,
  readOrganizationPolicy,
  replaceOrganizationPolicy,
} from './policy.records.ts'
import { createOrganization } from './records.ts'
import { requireAllowedSlug } from './use-cases.ts'

const names = listNames(defaultOrganizationPolicy)

export const getOrganizationPolicy: UseCase<typeof organizationPolicy.getOrganizationPolicy> = async (
  _request,
  { table },
) => {
  return { status: 200, body: project(names, await readOrganizationPolicy(table)) }
}

/** Replaces the policy. Organizations that exist stay, also above a lower number. */
export const updateOrganizationPolicy: UseCase<typeof organizationPolicy.updateOrganizationPolicy> = async (
  { body, context },
  { table },
) => {
  const policy = { ...defaultOrganizationPolicy, ...readGiven(names, body) }
  const before = await findOrganizationPolicy(table)
  const change = {
    fields: organizationPolicyFields,
    before: { ...defaultOrganizationPolicy, ...before?.policy },
    after: policy,
  }
  await writeSettings(context, { event: 'organization_policy.changed', ...change }, (steps) =>
    replaceOrganizationPolicy(table, before, policy, steps),
  )
  return { status: 200, body: project(names, policy) }
}

/** Creates an organization whose owner is the caller. */
export const createOwnOrganization: UseCase<typeof organizationPolicy.createOwnOrganization> = async (
  { body, principal: { user }, context },
  services,
) => {
  const { table, now } = services
  const policy = await readOrganizationPolicy(table)
  if (policy.creation !== 'everybody')
    throw new AppError('permission_denied', {
      reason: 'creation_off',
      detail: 'Only administrators of this service create organizations.',
    })
  if (!hasVerifiedEmail(user))
    throw new AppError('permission_denied', {
      reason: 'unconfirmed_email',
      detail: 'Confirm your email address first.',
    })
  requireAllowedSlug(body.slug)
  await requireAllowedNames(services, { isForService: false }, body)
  requireEffectiveRoles(user, { source: 'creation' })
  const fields = { ...newOrganization, ...body, createdBy: user.id, createdAt: now() }
  const ownership = { userId: user.id, roles: [ownerRole], joinedAt: now(), rolesGivenBy: user.id }
  const organization = await createOrganization(table, fields, (id) => {
    const membership = beginMembership({ ...ownership, organizationId: id, source: 'creation' })
    return [
      ...buildFirstOwnerSteps(membership, policy.creations_max),
      auditStep({ ...context, organization: id, byMember: true }, 'organization.created', {
        target: String(id),
      }),
      auditMembership(context, { after: membership }),
    ]
  })
  const location = `/api/2/organizations/${organization.id}`
  return {
    status: 201,
    headers: { location },
    body: toOrganizationBody(['member'], organization, { members: 1, owners: 1 }),
  }
}
