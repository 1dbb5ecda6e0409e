import { sortPermissions } from '../../accounts/callers/permissions.ts'
import { findGroups } from '../../accounts/groups/groups.records.ts'
import { normalizeUsername, validateNameField } from '../../accounts/names/names.ts'
import type { FieldError } from '../../kernel/errors/errors.ts'
import type { Config } from '../../kernel/settings/config.ts'
import type { Table } from '../../kernel/table/table.ts'
import { omitUndefined } from '../../kernel/util/object-fields.ts'
import { findClientKeyError } from './client-assertion.ts'
import { findBackchannelUriError, findRedirectUriError } from './client-uris.ts'
import {
  newClient,
  type OIDCClientPartialUpdate,
  type OIDCClientUpdate,
  openidScopes,
} from './clients.models.ts'
import type { ClientApi, ClientRecord } from './clients.records.ts'
import { findApiRights } from './protected-apis.records.ts'

/** What administrators can set. */
type ClientFields = Omit<ClientRecord, 'id' | 'clientId' | 'secrets' | 'createdBy' | 'createdAt' | 'version'>

/** The fields of a new client. `apis` are those of the body, looked up before. */
export const readClientFields = (body: OIDCClientUpdate, apis: ClientFields['apis'] = []): ClientFields => ({
  ...newClient,
  apis,
  name: body.name,
  normalizedName: normalizeUsername(body.name),
  redirect_uris: body.redirect_uris,
  ...readClientChanges(body, apis),
})

const withoutId = ({ client_id: _, ...body }: OIDCClientPartialUpdate) => body

/** The fields that a body contains. Lists whose order means nothing are stored in one order, so that the same values are no change. */
export const readClientChanges = (
  body: OIDCClientPartialUpdate,
  apis: ClientFields['apis'] | undefined,
): Partial<ClientFields> =>
  omitUndefined({
    ...withoutId(body),
    apis,
    normalizedName: body.name && normalizeUsername(body.name),
    scopes: body.scopes && openidScopes.filter((scope) => body.scopes?.includes(scope)),
    permissions: body.permissions && sortPermissions(body.permissions),
    machine_permissions: body.machine_permissions && sortPermissions(body.machine_permissions),
    machine_groups: body.machine_groups && [...body.machine_groups].sort((a, b) => a - b),
    public_keys: body.public_keys?.map((key) => omitUndefined(key)),
  })

/**
 * Returns what is wrong with the groups that a body names. Takes one table call, or none without new groups. A group that the
 * client has already is accepted, so that a body can be sent back after the group was deleted.
 */
export const findGroupErrors = async (
  table: Table,
  { machine_groups: given = [] }: Pick<OIDCClientPartialUpdate, 'machine_groups'>,
  { machine_groups: present }: Pick<ClientRecord, 'machine_groups'> = { machine_groups: [] },
): Promise<readonly FieldError[]> => {
  const found = await findGroups(
    table,
    given.filter((id) => !present.includes(id)),
  )
  const known = [...present, ...found.map(({ id }) => id)]
  return given.flatMap((id, at) => {
    const message =
      given.indexOf(id) < at
        ? 'must not be repeated'
        : known.includes(id)
          ? undefined
          : 'must be the ID of a group'
    return message === undefined ? [] : [{ field: `machine_groups.${at}`, message }]
  })
}

interface ClientApis {
  /** Undefined if the body names none. */
  readonly apis: readonly ClientApi[] | undefined
  readonly errors: readonly FieldError[]
}

/**
 * Finds the APIs that a body names. Takes one table call, or none without APIs. What the client has already is accepted as
 * it is, so that a body can be sent back after an API was changed or deleted.
 */
export const readClientApis = async (
  table: Table,
  { apis: given }: Pick<OIDCClientPartialUpdate, 'apis'>,
  { apis: present }: Pick<ClientRecord, 'apis'> = { apis: [] },
): Promise<ClientApis> => {
  if (!given) return { apis: undefined, errors: [] }
  const audiences = given.map(({ audience }) => audience)
  const found = await findApiRights(table, [...new Set(audiences)])
  const rights = new Map([...new Set(audiences)].map((audience, at) => [audience, found[at]]))
  const errors: FieldError[] = []
  const apis = given.flatMap(({ audience, scopes }, at): readonly ClientApi[] => {
    const known = present.find((api) => api.audience === audience)
    const api = rights.get(audience)
    const allowed = [...(api?.scopes.map(({ name }) => name) ?? []), ...(known?.scopes ?? [])]
    if (audiences.indexOf(audience) < at)
      errors.push({ field: `apis.${at}.audience`, message: 'must not be repeated' })
    if (!api && !known)
      errors.push({ field: `apis.${at}.audience`, message: 'must be the audience of a registered API' })
    else
      for (const [index, name] of scopes.entries())
        if (!allowed.includes(name))
          errors.push({ field: `apis.${at}.scopes.${index}`, message: 'must be a scope of this API' })
    const id = api?.id ?? known?.id
    return id === undefined ? [] : [{ id, audience, scopes: [...new Set(scopes)].sort() }]
  })
  return { apis, errors }
}

/** Returns what is wrong with the fields of a client. */
export const validateClient = (
  { publicUrl }: Pick<Config, 'publicUrl'>,
  fields: ClientFields,
): readonly FieldError[] => [
  ...validateNameField(fields.name),
  ...(!fields.requires_pkce && fields.type === 'public'
    ? [{ field: 'requires_pkce', message: 'must be true for a public client' }]
    : []),
  // A client with keys alone can be the one of a directory.
  ...(fields.redirect_uris.length === 0 &&
  fields.machine_permissions === null &&
  !fields.device_authorization &&
  fields.public_keys.length === 0
    ? [{ field: 'redirect_uris', message: 'must not be empty' }]
    : []),
  ...validateList('redirect_uris', fields.redirect_uris, (uri) => findRedirectUriError(uri, fields.type)),
  ...validateList('post_logout_redirect_uris', fields.post_logout_redirect_uris, (uri) =>
    findRedirectUriError(uri, fields.type),
  ),
  ...(fields.scopes.includes('openid') ? [] : [{ field: 'scopes', message: 'must contain openid' }]),
  ...(fields.organizations === 'none' && fields.scopes.includes('organization')
    ? [{ field: 'organizations', message: 'must not be none for a client with the scope organization' }]
    : []),
  // A device shows no page to choose one on.
  ...(fields.organizations === 'required' && fields.device_authorization
    ? [
        {
          field: 'organizations',
          message: 'must not be required for a client that signs users in on devices',
        },
      ]
    : []),
  ...validateMachine(fields),
  ...fields.public_keys.flatMap((key, at) => {
    const message = fields.type === 'public' ? 'must be empty for a public client' : findClientKeyError(key)
    return message === undefined ? [] : [{ field: `public_keys.${at}`, message }]
  }),
  ...validateBackchannelUri(fields.backchannel_logout_uri, publicUrl),
]

const adminPermission = 'system:admin-access'

/** A client that acts for itself proves who it is, and its tokens are for an API. */
const validateMachine = ({
  type,
  machine_permissions: machinePermissions,
  machine_groups: machineGroups,
  machine_organizations: machineOrganizations,
  apis,
}: ClientFields): readonly FieldError[] => {
  const field = 'machine_permissions'
  if (machinePermissions === null)
    return [
      ...(machineGroups.length > 0
        ? [{ field: 'machine_groups', message: 'must be empty for a client that gets no tokens for itself' }]
        : []),
      ...(machineOrganizations
        ? [
            {
              field: 'machine_organizations',
              message: 'must be false for a client that gets no tokens for itself',
            },
          ]
        : []),
    ]
  return [
    ...(type === 'public'
      ? [{ field, message: 'must be null for a public client, which has no secret' }]
      : []),
    // It would include every permission of every product.
    ...(machinePermissions.includes(adminPermission)
      ? [{ field, message: `must not contain ${adminPermission}` }]
      : []),
    ...(apis.length === 0
      ? [{ field: 'apis', message: 'must not be empty for a client that gets tokens for itself' }]
      : []),
  ]
}

const validateBackchannelUri = (uri: string | null, publicUrl: string): readonly FieldError[] => {
  const message = uri === null ? undefined : findBackchannelUriError(uri, publicUrl)
  return message === undefined ? [] : [{ field: 'backchannel_logout_uri', message }]
}

const validateList = (
  field: string,
  values: readonly string[],
  findError: (value: string) => string | undefined,
): readonly FieldError[] =>
  values.flatMap((value, at) => {
    const message = values.indexOf(value) < at ? 'must not be repeated' : findError(value)
    return message === undefined ? [] : [{ field: `${field}.${at}`, message }]
  })
