import type { FieldError } from '../../kernel/errors/errors.ts'
import type { Config } from '../../kernel/settings/config.ts'
import type { Table } from '../../kernel/table/table.ts'
import { omitUndefined } from '../../kernel/util/object-fields.ts'
import { day, minute } from '../../kernel/util/time.ts'
import { sortPermissions } from '../access/permissions.ts'
import { findGroups } from '../directory/groups.records.ts'
import { normalizeUsername, validateNameField } from '../directory/names.ts'
import { findClientKeyError } from './client-assertion.ts'
import { findBackchannelUriError, findRedirectUriError } from './client-uris.ts'
import { type OIDCClientPartialUpdate, type OIDCClientUpdate, oidcScopes } from './clients.models.ts'
import type { OidcClient, OidcClientApi } from './clients.records.ts'
import { defaultOidcScopes } from './default-scopes.models.ts'
import { findApiRights } from './protected-apis.records.ts'

/** What administrators can set. */
type ClientFields = Omit<OidcClient, 'id' | 'clientId' | 'secrets' | 'createdBy' | 'createdAt' | 'version'>

const defaults = {
  type: 'confidential',
  postLogoutRedirectUris: [],
  // Each further scope is one that somebody chose.
  scopes: defaultOidcScopes,
  apis: [],
  permissions: [],
  machinePermissions: null,
  deviceAuthorization: false,
  backchannelLogoutUri: null,
  accessTokenLifetimeMs: 10 * minute,
  idTokenLifetimeMs: 10 * minute,
  // The default lifetime of a session, which refresh tokens end with.
  refreshTokenLifetimeMs: 14 * day,
} as const

/** The APIs are looked up before: see `readClientApis`. */
type Apis = ClientFields['apis'] | undefined

/** The fields of a new client. */
export const readClientFields = (body: OIDCClientUpdate, apis: Apis): ClientFields => ({
  ...defaults,
  ...readName(body.name),
  redirectUris: body.redirect_uris,
  ...readGiven(body),
  ...omitUndefined({ apis }),
})

/** The fields that a body contains. */
export const readClientChanges = (body: OIDCClientPartialUpdate, apis: Apis): Partial<ClientFields> => ({
  ...readGiven(body),
  ...omitUndefined({ apis }),
  ...(body.name === undefined ? {} : readName(body.name)),
})

const readName = (name: string) => ({ name, normalizedName: normalizeUsername(name) })

const readGiven = (body: OIDCClientPartialUpdate): Partial<ClientFields> =>
  omitUndefined({
    type: body.type,
    redirectUris: body.redirect_uris,
    postLogoutRedirectUris: body.post_logout_redirect_uris,
    // In one order, so that the same scopes are no change.
    scopes: body.scopes && oidcScopes.filter((scope) => body.scopes?.includes(scope)),
    permissions: body.permissions && sortPermissions(body.permissions),
    machinePermissions: body.machine_permissions && sortPermissions(body.machine_permissions),
    machineGroups: body.machine_groups && [...body.machine_groups].sort((a, b) => a - b),
    publicKeys: body.public_keys?.map((key) => omitUndefined(key)),
    requiresPkce: body.requires_pkce,
    requiresPar: body.requires_par,
    requiresDpop: body.requires_dpop,
    subjectSource: body.subject_source,
    deviceAuthorization: body.device_authorization,
    backchannelLogoutUri: body.backchannel_logout_uri,
    accessTokenLifetimeMs: toMs(body.access_token_lifetime),
    idTokenLifetimeMs: toMs(body.id_token_lifetime),
    refreshTokenLifetimeMs: toMs(body.refresh_token_lifetime),
  })

const toMs = (seconds: number | undefined): number | undefined =>
  seconds === undefined ? undefined : seconds * 1000

/**
 * Returns what is wrong with the groups that a body names. Takes one table call, or none without new groups. A group that the
 * client has already is accepted, so that a body can be sent back after the group was deleted.
 */
export const findGroupErrors = async (
  table: Table,
  { machine_groups: given = [] }: Pick<OIDCClientPartialUpdate, 'machine_groups'>,
  { machineGroups: present = [] }: Pick<OidcClient, 'machineGroups'> = {},
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
  readonly apis: readonly OidcClientApi[] | undefined
  readonly errors: readonly FieldError[]
}

/**
 * Finds the APIs that a body names. Takes one table call, or none without APIs. What the client has already is accepted as
 * it is, so that a body can be sent back after an API was changed or deleted.
 */
export const readClientApis = async (
  table: Table,
  { apis: given }: Pick<OIDCClientPartialUpdate, 'apis'>,
  { apis: present }: Pick<OidcClient, 'apis'> = { apis: [] },
): Promise<ClientApis> => {
  if (!given) return { apis: undefined, errors: [] }
  const audiences = given.map(({ audience }) => audience)
  const found = await findApiRights(table, [...new Set(audiences)])
  const rights = new Map([...new Set(audiences)].map((audience, at) => [audience, found[at]]))
  const errors: FieldError[] = []
  const apis = given.flatMap(({ audience, scopes }, at): readonly OidcClientApi[] => {
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
  ...(fields.requiresPkce === false && fields.type === 'public'
    ? [{ field: 'requires_pkce', message: 'must be true for a public client' }]
    : []),
  ...(fields.redirectUris.length === 0 && fields.machinePermissions === null && !fields.deviceAuthorization
    ? [{ field: 'redirect_uris', message: 'must not be empty' }]
    : []),
  ...validateList('redirect_uris', fields.redirectUris, (uri) => findRedirectUriError(uri, fields.type)),
  ...validateList('post_logout_redirect_uris', fields.postLogoutRedirectUris, (uri) =>
    findRedirectUriError(uri, fields.type),
  ),
  ...(fields.scopes.includes('openid') ? [] : [{ field: 'scopes', message: 'must contain openid' }]),
  ...validateMachine(fields),
  ...(fields.publicKeys ?? []).flatMap((key, at) => {
    const message = fields.type === 'public' ? 'must be empty for a public client' : findClientKeyError(key)
    return message === undefined ? [] : [{ field: `public_keys.${at}`, message }]
  }),
  ...validateBackchannelUri(fields.backchannelLogoutUri, publicUrl),
]

const adminPermission = 'system:admin-access'

/** A client that acts for itself proves who it is, and its tokens are for an API. */
const validateMachine = ({
  type,
  machinePermissions,
  machineGroups = [],
  apis,
}: ClientFields): readonly FieldError[] => {
  const field = 'machine_permissions'
  if (machinePermissions === null)
    return machineGroups.length > 0
      ? [{ field: 'machine_groups', message: 'must be empty for a client that gets no tokens for itself' }]
      : []
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
