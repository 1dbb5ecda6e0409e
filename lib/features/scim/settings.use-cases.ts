import type { RequestContext } from '../../accounts/callers/request-context.ts'
import { describeFacts } from '../../accounts/events/change-event.ts'
import { auditStep } from '../../accounts/events/write-event.ts'
import { findUserAttributes } from '../../accounts/users/attributes.records.ts'
import type { UserRecord } from '../../accounts/users/stored-user.records.ts'
import type { UseCase } from '../../http/use-case.ts'
import type { AuditedFields } from '../../kernel/contract/field-changes.ts'
import { type FieldError, invalidRequest, notFound, requireFound } from '../../kernel/errors/errors.ts'
import { mintCredential } from '../../kernel/secrets/credentials.ts'
import { buildScimAudience } from '../../kernel/settings/jwt-audiences.ts'
import { retryConflicts } from '../../kernel/table/retry-conflicts.ts'
import type { Table } from '../../kernel/table/table.ts'
import { omitUndefined } from '../../kernel/util/object-fields.ts'
import { formatTime } from '../../kernel/util/time.ts'
import type { Services } from '../../services.ts'
import {
  type Connection,
  editConnection,
  type MappedAttribute,
  type ScimSettings,
} from '../connections/records.ts'
import { buildMadeStep } from '../leaked-credentials/made.records.ts'
import { findClient } from '../oauth/clients.records.ts'
import { findDirectoryClientError } from '../oauth/directory-tokens.ts'
import type { Membership } from '../organizations/memberships.records.ts'
import { findRights } from '../organizations/roles.records.ts'
import { isGivenByDirectories } from '../organizations/roles.ts'
import { readScimCalls } from '../provisioning/calls.records.ts'
import { readScimCount } from '../provisioning/counts.records.ts'
import type {
  ScimGroupRoles,
  ScimSettings as ScimSettingsBody,
  ScimState,
  ScimUserAttribute,
} from './models.ts'
import type { scim } from './operations.ts'
import { requireCompany, requireOwn } from './require-company.ts'
import { createScimToken, deleteScimToken, listScimTokens } from './tokens.records.ts'

/** What a connection does that never had a directory. */
export const initial: ScimSettings = {
  isOn: false,
  matchesTo: 'userName',
  attribute: null,
  createsUnknown: false,
}

const toState = async (
  { table, config, now }: Services,
  { id, scim: settings = initial }: Connection,
): Promise<ScimState> => {
  const [users, groups, tokens, [lastCall]] = await Promise.all([
    readScimCount(table, id, 'user'),
    readScimCount(table, id, 'group'),
    listScimTokens(table, id),
    readScimCalls(table, id, { nowMs: now(), limit: 1 }),
  ])
  // Calls are kept for some days, and the use of a token as long as the token.
  const lastSyncAt = Math.max(lastCall?.at ?? 0, ...tokens.map(({ lastUsedAt }) => lastUsedAt ?? 0))
  return {
    ...show(settings),
    base_url: buildScimAudience(config.publicUrl, id),
    user_count: users,
    group_count: groups,
    last_sync_at: formatTime(lastSyncAt || null),
    tokens: tokens.map((token) => ({
      id: token.id,
      created_by: token.createdBy,
      created_at: formatTime(token.createdAt),
      last_used_at: formatTime(token.lastUsedAt),
    })),
  }
}

/** The settings of a connection as bodies have them. Those of one that never had a directory are the defaults. */
export const readScimSettings = ({ scim: settings = initial }: Pick<Connection, 'scim'>): ScimSettingsBody =>
  show(settings)

/** The settings as bodies and events have them. */
export const show = ({
  isOn,
  matchesTo,
  attribute,
  createsUnknown,
  groupRoles = [],
  clientId,
  allowsLocalChanges,
  userAttributes = [],
}: ScimSettings) => ({
  enabled: isOn,
  match_to: matchesTo === 'externalId' ? ('external_id' as const) : ('user_name' as const),
  match_attribute: attribute,
  creates_unknown_users: createsUnknown,
  group_roles: groupRoles.map(({ group, roles }) => ({ group, roles: [...roles] })),
  client_id: clientId ?? null,
  allows_local_changes: allowsLocalChanges === true,
  user_attributes: userAttributes.map(({ from, to }) => ({ from, to })),
})

export const auditedFields: AuditedFields = {
  enabled: { inEvents: 'value' },
  match_to: { inEvents: 'value' },
  match_attribute: { inEvents: 'value' },
  creates_unknown_users: { inEvents: 'value' },
  group_roles: { inEvents: 'value' },
  client_id: { inEvents: 'value' },
  allows_local_changes: { inEvents: 'value' },
  user_attributes: { inEvents: 'value' },
}

/** @throws AppError `invalid_request` for roles that no group of a directory gives */
const requireGivable = async (
  table: Table,
  { organization_id: organizationId }: Connection,
  given: readonly ScimGroupRoles[],
): Promise<void> => {
  if (given.length === 0) return
  if (organizationId === null)
    throw invalidRequest([
      { field: 'group_roles', message: 'must be empty without an organization. See allowed_groups' },
    ])
  const declared = await findRights(table)
  const errors = given.flatMap(({ roles }, at) => {
    const refused = roles.filter((role) => !isGivenByDirectories(declared, role))
    return refused.length === 0
      ? []
      : [
          {
            field: `group_roles.${at}.roles`,
            message: `contains roles that no group of a directory can give: ${refused.join(', ')}`,
          },
        ]
  })
  if (errors.length > 0) throw invalidRequest(errors)
}

/** The client that a body names. Without the field, that stays as it is. @throws AppError `invalid_request` if it cannot be the one of a directory */
const readClientId = async (
  table: Table,
  { client_id: given }: ScimSettingsBody,
  { clientId: present }: Pick<ScimSettings, 'clientId'> = {},
): Promise<string | undefined> => {
  if (given === null) return undefined
  if (given === undefined || given === present) return present
  const message = findDirectoryClientError(await findClient(table, given))
  if (message !== undefined) throw invalidRequest([{ field: 'client_id', message }])
  return given
}

/**
 * Finds the user attributes that a body names. Those of the service are no matter of an organization. What was removed since stays named, so that
 * clients can send back a body that they read.
 *
 * @throws AppError `invalid_request`
 */
const readUserAttributes = async (
  table: Table,
  given: readonly ScimUserAttribute[],
  present: readonly MappedAttribute[],
  isByManager: boolean,
): Promise<readonly MappedAttribute[]> => {
  const find = ({ from, to }: ScimUserAttribute) => present.find((one) => one.from === from && one.to === to)
  if (isByManager) {
    if (given.length === present.length && given.every((one, at) => find(one) === present[at])) return present
    throw invalidRequest([
      { field: 'user_attributes', message: 'can only be changed by administrators of the service' },
    ])
  }
  const defined = given.length === 0 ? [] : await findUserAttributes(table)
  const errors: FieldError[] = []
  const found = given.flatMap((one, at) => {
    const { from, to } = one
    const key = defined.find(({ name }) => name === to)?.key ?? find(one)?.key
    const field = `user_attributes.${at}.to`
    if (key === undefined) errors.push({ field, message: 'is not the name of a user attribute' })
    else if (given.findIndex((other) => other.to === to) < at)
      errors.push({ field, message: 'must not be repeated' })
    return key === undefined ? [] : [{ from, to, key }]
  })
  if (errors.length > 0) throw invalidRequest(errors)
  return found
}

type FindConnection = () => Promise<Connection>

const setSettings = (
  services: Services,
  context: RequestContext,
  find: FindConnection,
  body: ScimSettingsBody,
  { isByManager }: { readonly isByManager: boolean },
) =>
  retryConflicts(async () => {
    const connection = await find()
    const clientId = await readClientId(services.table, body, connection.scim)
    const present = connection.scim?.userAttributes ?? []
    const userAttributes = body.user_attributes
      ? await readUserAttributes(services.table, body.user_attributes, present, isByManager)
      : present
    const settings: ScimSettings = {
      isOn: body.enabled,
      matchesTo: body.match_to === 'external_id' ? 'externalId' : 'userName',
      attribute: body.match_attribute,
      createsUnknown: body.creates_unknown_users,
      ...omitUndefined({ groupRoles: body.group_roles ?? connection.scim?.groupRoles }),
      ...omitUndefined({ clientId }),
      ...((body.allows_local_changes ?? connection.scim?.allowsLocalChanges) && { allowsLocalChanges: true }),
      ...(userAttributes.length > 0 && { userAttributes }),
    }
    if (body.group_roles) await requireGivable(services.table, connection, body.group_roles)
    const change = { fields: auditedFields, before: show(connection.scim ?? initial), after: show(settings) }
    const facts = describeFacts(change)
    const isSame =
      facts.changes === undefined &&
      connection.scim !== undefined &&
      userAttributes.every(({ key }, at) => key === present[at]?.key)
    const edited = isSame
      ? connection
      : await editConnection(services.table, connection, { scim: settings }, [
          auditStep(context, 'scim.changed', { target: String(connection.id), ...facts }),
        ])
    return { status: 200, body: await toState(services, edited) } as const
  }, 'The connection kept changing. Send the request again.')

const makeToken = async (
  { table, now }: Services,
  context: RequestContext,
  { id: connectionId, organization_id: organization }: Connection,
  maker: { readonly user: UserRecord; readonly membership: Membership | undefined },
) => {
  const { value, hash } = mintCredential('scim_token', connectionId)
  const at = now()
  const { id } = await createScimToken(
    table,
    { hash, connectionId, createdBy: maker.user.id, createdAt: at },
    maker,
    (tokenId) => [
      auditStep(context, 'scim.token_created', {
        target: `${connectionId} ${tokenId}`,
        ...(organization !== null && { organization }),
      }),
      buildMadeStep(maker.user.id, { kind: 'scim_token', connectionId, hash }, at),
    ],
  )
  return { status: 201, body: { id, token: value } } as const
}

const removeToken = async (
  { table }: Services,
  context: RequestContext,
  { id: connectionId, organization_id: organization }: Connection,
  tokenId: number,
) => {
  const token = requireFound(
    (await listScimTokens(table, connectionId)).find(({ id }) => id === tokenId),
    'token',
  )
  const step = auditStep(context, 'scim.token_deleted', {
    target: `${connectionId} ${token.id}`,
    ...(organization !== null && { organization }),
  })
  if (!(await deleteScimToken(table, token, [step]))) throw notFound('token')
  return { status: 204 } as const
}

export const getConnectionScim: UseCase<typeof scim.getConnectionScim> = async ({ params }, services) => ({
  status: 200,
  body: await toState(services, await requireCompany(services.table, params.id)),
})

export const setConnectionScim: UseCase<typeof scim.setConnectionScim> = (
  { params, body, context },
  services,
) =>
  setSettings(services, context, () => requireCompany(services.table, params.id), body, {
    isByManager: false,
  })

export const createConnectionScimToken: UseCase<typeof scim.createConnectionScimToken> = async (
  { params, principal, context },
  services,
) =>
  makeToken(services, context, await requireCompany(services.table, params.id), {
    user: principal.user,
    membership: undefined,
  })

export const deleteConnectionScimToken: UseCase<typeof scim.deleteConnectionScimToken> = async (
  { params, context },
  services,
) => removeToken(services, context, await requireCompany(services.table, params.id), params.token_id)

export const getOrganizationScim: UseCase<typeof scim.getOrganizationScim> = async (
  { params, organization },
  services,
) => ({
  status: 200,
  body: await toState(services, await requireOwn(services.table, organization, params.connection_id)),
})

export const setOrganizationScim: UseCase<typeof scim.setOrganizationScim> = (
  { params, body, organization, context },
  services,
) =>
  setSettings(services, context, () => requireOwn(services.table, organization, params.connection_id), body, {
    isByManager: !organization.isForService,
  })

export const createOrganizationScimToken: UseCase<typeof scim.createOrganizationScimToken> = async (
  { params, principal, organization, context },
  services,
) =>
  makeToken(services, context, await requireOwn(services.table, organization, params.connection_id), {
    user: principal.user,
    membership: organization.isForService ? undefined : organization.membership,
  })

export const deleteOrganizationScimToken: UseCase<typeof scim.deleteOrganizationScimToken> = async (
  { params, organization, context },
  services,
) =>
  removeToken(
    services,
    context,
    await requireOwn(services.table, organization, params.connection_id),
    params.token_id,
  )
