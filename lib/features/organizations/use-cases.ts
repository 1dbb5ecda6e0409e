import type { Principal } from '../../accounts/callers/principal.ts'
import { changeSteps, describeNew } from '../../accounts/events/change-event.ts'
import { listValueFields, requireUnchanged } from '../../accounts/events/require-unchanged.ts'
import { auditStep } from '../../accounts/events/write-event.ts'
import { buildNameMatcher } from '../../accounts/users/search-users.records.ts'
import { diffFields } from '../../accounts/users/user-changes.ts'
import { readPageRequest, toListReply } from '../../http/paging.ts'
import type { UseCase, UseCaseRequest } from '../../http/use-case.ts'
import { listSettableBy } from '../../kernel/contract/field-rights.ts'
import { AppError, invalidRequest, requireFound } from '../../kernel/errors/errors.ts'
import { buildPage, mapRows, type Page } from '../../kernel/table/listing.ts'
import type { Table } from '../../kernel/table/table.ts'
import { foldText } from '../../kernel/util/fold-text.ts'
import { omitUndefined } from '../../kernel/util/object-fields.ts'
import type { Services } from '../../services.ts'
import { buildExistingConnectionStep, findConnection } from '../connections/records.ts'
import { requireRecentAuthentication } from '../sign-in/recent-authentication.ts'
import { listFieldCallers, type OrganizationAccess, requireSettable } from './access.ts'
import { noMembers, toOrganizationBodies, toOrganizationBody } from './body.ts'
import { readOrganizationPage } from './list.records.ts'
import { newOrganization, organizationFields } from './models.ts'
import { requireAllowedNames } from './name-rules.ts'
import type { organizations } from './operations.ts'
import {
  createOrganization as create,
  editOrganization,
  findIdByExternalId,
  findIdBySlug,
  type OrganizationFields,
  type OrganizationRecord,
  readCounts,
  readOrganizations,
  releaseSlug,
  deleteOrganization as remove,
} from './records.ts'
import { describeLacking, findLackingSignIn } from './sign-in-rules.ts'
import { slugForm } from './text-rules.models.ts'

/** Lists organizations, or finds one by its slug or its ID in another system. */
export const getAllOrganizations: UseCase<typeof organizations.getAllOrganizations> = async (
  request,
  { table, config },
) => {
  const page = await mapRows(await findPage(table, request), (rows) => toOrganizationBodies(table, rows))
  return { status: 200, ...toListReply(request, config, page) }
}

const findPage = async (
  table: Table,
  request: UseCaseRequest<typeof organizations.getAllOrganizations>,
): Promise<Page<OrganizationRecord>> => {
  const { slug, external_id: externalId, ordering } = request.query
  const page = readPageRequest(request)
  const matches = buildNameMatcher(request.query)
  const keep = (one: OrganizationRecord): boolean => matches?.([one.slug, foldText(one.name)]) ?? true
  if (slug !== undefined || externalId !== undefined) {
    const id =
      slug === undefined ? await findIdByExternalId(table, externalId ?? '') : await findIdBySlug(table, slug)
    const found = await readOrganizations(table, id === undefined ? [] : [id])
    const isMeant = (one: OrganizationRecord) =>
      (slug ?? one.slug) === one.slug && (externalId ?? one.external_id) === one.external_id
    const rows = found.flatMap((one) => (one && isMeant(one) && keep(one) ? [one] : []))
    return buildPage(rows, (one) => String(one.id), page)
  }
  const search = matches && { matches, keep }
  return readOrganizationPage(table, ordering.field, search, page)
}

export const createOrganization: UseCase<typeof organizations.createOrganization> = async (
  { body, context },
  services,
) => {
  const { table, now } = services
  requireAllowedSlug(body.slug)
  await requireAllowedNames(services, { isForService: true }, body)
  const fields = {
    ...newOrganization,
    ...omitUndefined(body),
    createdBy: context.actor,
    createdAt: now(),
  }
  const organization = await create(table, fields, (id) => [
    auditStep({ ...context, organization: id }, 'organization.created', {
      target: String(id),
      ...describeNew({ fields: organizationFields, before: newOrganization, after: fields }),
    }),
  ])
  const location = `/api/2/organizations/${organization.id}`
  return {
    status: 201,
    headers: { location },
    body: toOrganizationBody(['service'], organization, noMembers),
  }
}

/** Names of pages and of this interface, which would be read as that. */
const reservedSlugs: readonly string[] = [
  'me',
  'new',
  'all',
  'none',
  'api',
  'admin',
  'account',
  'organization',
]

/** @throws AppError `invalid_request` for a slug that would be read as something else */
export const requireAllowedSlug = (slug: string | undefined): void => {
  if (slug !== undefined && reservedSlugs.includes(slug))
    throw invalidRequest([{ field: 'slug', message: `must not be one of ${reservedSlugs.join(', ')}` }])
}

export const getOrganization: UseCase<typeof organizations.getOrganization> = async (
  { organization: access },
  { table },
) => ({ status: 200, body: await toBodyWithCounts(table, access) })

/** The organization as the caller sees it, also after a change. */
export const toBodyWithCounts = async (
  table: Table,
  access: OrganizationAccess,
  organization: OrganizationRecord = access.organization,
) => {
  const [counts = noMembers] = await readCounts(table, [organization.id])
  return toOrganizationBody(listFieldCallers(access), organization, counts)
}

/** Changes the fields that the body contains. */
export const patchOrganization: UseCase<typeof organizations.patchOrganization> = async (
  { body, principal, organization: access, context },
  services,
) => {
  const { table } = services
  const { organization } = access
  const seen = toOrganizationBody(listFieldCallers(access), organization, noMembers)
  const comparable = listValueFields(organizationFields).filter((name) => Object.hasOwn(seen, name))
  requireUnchanged(context, { comparable, before: organization })
  requireAllowedSlug(body.slug)
  const changes = diffFields<OrganizationFields>(organization, { ...organization, ...omitUndefined(body) })
  requireSettable(access, organizationFields, changes)
  await requireAllowedNames(services, access, { name: changes.name, slug: changes.slug })
  if (signInFields.some((name) => name in changes))
    await requireRightToSignInRules(services, principal, access, { ...organization, ...changes })
  if (Object.keys(changes).length === 0) return { status: 200, body: await toBodyWithCounts(table, access) }
  const steps = [
    ...changeSteps(context, 'organization.changed', {
      of: organization.id,
      change: { fields: organizationFields, before: organization, after: changes },
    }),
    ...(changes.required_connection ? [buildExistingConnectionStep(changes.required_connection)] : []),
  ]
  const edited = await editOrganization(table, organization, changes, steps, {
    nowMs: services.now(),
    isLimited: !access.isForService,
  })
  return { status: 200, body: await toBodyWithCounts(table, access, edited) }
}

/** How members have to sign in. */
const signInFields = listSettableBy(organizationFields, 'org:sign-in:manage')

/**
 * Members change how they sign in only if it leaves them in: with the sign-in that they would require.
 *
 * @throws AppError `permission_denied` without a person, or with a session that is not recent
 * @throws AppError `invalid_request` for a connection that is not of the organization, or rules that the caller does not meet
 */
const requireRightToSignInRules = async (
  services: Services,
  principal: Principal | undefined,
  { isForService, membership }: OrganizationAccess,
  after: OrganizationRecord,
): Promise<void> => {
  if (!principal)
    throw new AppError('permission_denied', {
      detail: 'Only people change how members sign in. Sign in for it.',
    })
  await requireRecentAuthentication(services, principal)
  const { id, required_connection: connectionId } = after
  if (connectionId !== null) {
    const connection = await findConnection(services.table, connectionId)
    if (connection?.organization_id !== id || connection.setup)
      throw invalidRequest([
        {
          field: 'required_connection',
          message: 'is not the ID of a connection of the organization that people can sign in with',
        },
      ])
  }
  const lacking =
    isForService || !membership
      ? undefined
      : findLackingSignIn(principal, { organization: after, membership }, services.now())
  if (lacking)
    throw invalidRequest([
      {
        field: fieldOfLacking[lacking.lacks],
        message: `would lock you out: first ${describeLacking(lacking)}`,
      },
    ])
}

const fieldOfLacking = {
  connection: 'required_connection',
  second_factor: 'requires_second_factor',
  age: 'sign_in_max_age',
} as const

/** Deletes an organization. Nobody is a member any more, with the same write. */
export const deleteOrganization: UseCase<typeof organizations.deleteOrganization> = async (
  { organization: { organization }, context },
  { table, now },
) => {
  await remove(table, organization, now(), [
    auditStep(context, 'organization.deleted', { target: String(organization.id) }),
  ])
  return { status: 204 }
}

/** Lets other organizations have a former slug. */
export const releaseOrganizationSlug: UseCase<typeof organizations.releaseOrganizationSlug> = async (
  { params, context },
  { table },
) => {
  const { slug } = params
  const id = slugForm.test(slug)
    ? await releaseSlug(table, slug, (organization) => [
        auditStep({ ...context, organization }, 'organization.slug_released', {
          target: `${organization} ${slug}`,
        }),
      ])
    : undefined
  requireFound(id, 'slug', 'Only former slugs can be released.')
  return { status: 204 }
}

/** Repairs the counts of an organization. */
export const recountOrganization: UseCase<typeof organizations.recountOrganization> = async (
  { organization: access, context },
  services,
) => {
  const { recountOrganization: recount } = await import('./recount.ts')
  await recount(services, context, access.organization.id)
  return { status: 200, body: await toBodyWithCounts(services.table, access) }
}
