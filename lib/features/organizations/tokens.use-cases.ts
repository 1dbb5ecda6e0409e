import { listUsedNetworks } from '../../accounts/callers/credential-use.records.ts'
import { sortPermissions } from '../../accounts/callers/permissions.ts'
import { describeNew } from '../../accounts/events/change-event.ts'
import { auditStep } from '../../accounts/events/write-event.ts'
import { readPageRequest, toListReply } from '../../http/paging.ts'
import type { UseCase } from '../../http/use-case.ts'
import type { AuditedFields } from '../../kernel/contract/field-changes.ts'
import { AppError, invalidRequest, notFound, requireFound } from '../../kernel/errors/errors.ts'
import { mintCredential } from '../../kernel/secrets/credentials.ts'
import { buildPage } from '../../kernel/table/listing.ts'
import { omitUndefined } from '../../kernel/util/object-fields.ts'
import { sortableId } from '../../kernel/util/sortable-id.ts'
import { formatTime } from '../../kernel/util/time.ts'
import { requireFutureExpiry } from '../api-tokens/expiry.ts'
import { buildMadeStep } from '../leaked-credentials/made.records.ts'
import type { OrganizationAccess } from './access.ts'
import { isInJoining, type Membership, ownerRole, readMemberships } from './memberships.records.ts'
import { toOrganizationClaims } from './organization-claims.ts'
import { buildChangeSteps } from './owner-notices.ts'
import { listKnownPermissions, listMemberPermissions } from './roles.ts'
import type { OrganizationToken } from './tokens.models.ts'
import type { organizationTokens } from './tokens.operations.ts'
import {
  createOrganizationToken,
  deleteOrganizationToken,
  listOrganizationTokens,
  type OrganizationTokenRecord,
} from './tokens.records.ts'

/** `creator` is the membership that the creator has now. */
const toBody = (
  { id, name, permissions, expiresAt, createdBy, joining, createdAt, lastUsedAt }: OrganizationTokenRecord,
  creator: Membership | undefined,
): OrganizationToken => ({
  id,
  name,
  permissions: [...permissions],
  expires: formatTime(expiresAt ?? null),
  created_by: createdBy,
  // Staff of the service are no members, so they cannot leave.
  creator_left: joining !== undefined && !isInJoining(creator, { joining }),
  created_at: formatTime(createdAt),
  last_used_at: formatTime(lastUsedAt),
})

/** Says which organization an API token belongs to. */
export const getCurrentOrganization: UseCase<typeof organizationTokens.getCurrentOrganization> = async ({
  organization: { organization, permissions },
  organizationToken: { id, name, expiresAt },
}) => ({
  status: 200,
  body: {
    token_id: id,
    token_name: name,
    expires: formatTime(expiresAt ?? null),
    ...toOrganizationClaims(organization),
    permissions: [...permissions],
  },
})

/** Lists the API tokens of an organization. There are only a few, so all of them are read at once and sorted here. */
export const getOrganizationApiTokens: UseCase<typeof organizationTokens.getOrganizationApiTokens> = async (
  request,
  { table, config, now },
) => {
  const tokens = await listOrganizationTokens(table, request.organization.organization.id)
  const { rows, next } = buildPage(tokens, ({ id }) => sortableId(id), readPageRequest(request))
  const { id } = request.organization.organization
  const creators = await readMemberships(
    table,
    id,
    rows.map(({ row }) => row.createdBy),
  )
  const bodies = rows.map(({ indexKey, row }, at) => ({
    indexKey,
    row: {
      ...toBody(row, creators[at]),
      ...(request.organization.isForService && {
        used_networks: listUsedNetworks(row.usedNetworks ?? [], now()),
      }),
    },
  }))
  return { status: 200, ...toListReply(request, config, { rows: bodies, next }) }
}

/** What a token may do, and until when. */
const auditedFields: AuditedFields = {
  permissions: { inEvents: 'value', seenBy: ['member'] },
  expiry: { inEvents: 'value', seenBy: ['member'] },
}

/** Creates an API token of an organization. Only this response contains its value. */
export const createOrganizationApiToken: UseCase<
  typeof organizationTokens.createOrganizationApiToken
> = async ({ body, principal: { user }, organization: access, context }, services) => {
  const { table, now } = services
  const { id: organizationId } = access.organization
  const permissions = sortPermissions(body.permissions)
  requireGrantable(access, permissions)
  const expiresAt = requireFutureExpiry(body.expires, now())
  const { value, hash } = mintCredential('organization_token', organizationId)
  const token = await createOrganizationToken(
    table,
    {
      hash,
      organizationId,
      name: body.name,
      permissions,
      createdBy: user.id,
      createdAt: now(),
      ...omitUndefined({ expiresAt, joining: access.membership?.joining }),
    },
    { user, membership: access.isForService ? undefined : access.membership },
    (id) => [
      auditStep(context, 'organization.api_token_created', {
        target: `${organizationId} ${id}`,
        ...describeNew({
          fields: auditedFields,
          before: {},
          after: { permissions, ...omitUndefined({ expiresAt }) },
        }),
      }),
      buildMadeStep(user.id, { kind: 'organization_token', organizationId, hash }, now()),
      ...buildChangeSteps(services, context, access, user, {
        change: 'organization_token_created',
        name: body.name,
      }),
    ],
  )
  const { id, ...rest } = toBody(token, access.membership)
  return { status: 201, body: { id, token: value, ...rest } }
}

/**
 * Keeps members from giving a token more than they have, or could give themselves as owners.
 *
 * @throws AppError `invalid_request` for a permission that no role has, `permission_denied` for one that the caller lacks
 */
const requireGrantable = (
  { permissions, declaredRoles, membership, isForService }: OrganizationAccess,
  wanted: readonly string[],
): void => {
  // A program could otherwise give itself more than it has.
  const known = listKnownPermissions(declaredRoles).filter((name) => name !== 'org:keys:manage')
  const unknown = wanted.filter((name) => !known.includes(name))
  if (unknown.length > 0)
    throw invalidRequest([
      {
        field: 'permissions',
        message: `contains permissions that no API token of an organization can have: ${unknown.join(', ')}. Known are: ${known.join(', ')}`,
      },
    ])
  if (isForService) return
  const givable = membership?.roles.includes(ownerRole)
    ? [...permissions, ...listMemberPermissions(declaredRoles)]
    : permissions
  const missing = wanted.find((name) => !givable.includes(name))
  if (missing !== undefined)
    throw new AppError('permission_denied', {
      detail: `Only a member with the permission \`${missing}\` may give it to an API token.`,
    })
}

/** Deletes an API token of an organization, which stops working at once. */
export const deleteOrganizationApiToken: UseCase<
  typeof organizationTokens.deleteOrganizationApiToken
> = async ({ params, organization: { organization }, context }, { table }) => {
  const tokens = await listOrganizationTokens(table, organization.id)
  const token = requireFound(
    tokens.find(({ id }) => id === params.token_id),
    'API token',
  )
  const step = auditStep(context, 'organization.api_token_deleted', {
    target: `${organization.id} ${token.id}`,
  })
  if (!(await deleteOrganizationToken(table, token, [step]))) throw notFound('API token')
  return { status: 204 }
}
