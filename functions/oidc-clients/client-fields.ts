import { normalizeUsername } from '../../lib/accounts/common/names.ts'
import { sortPermissions } from '../../lib/accounts/common/permissions.ts'
import type { OIDCClientPartialUpdate, OIDCClientUpdate } from '../../lib/contract/models/oidc-clients.ts'
import { oidcScopes } from '../../lib/contract/models/oidc-clients.ts'
import type { OidcClient } from '../../lib/store/oidc/clients.ts'
import { day, minute } from '../../lib/util/durations.ts'
import { omitUndefined } from '../../lib/util/omit-undefined.ts'

/** What administrators can set. */
export type ClientFields = Omit<
  OidcClient,
  'id' | 'clientId' | 'secrets' | 'createdBy' | 'createdAt' | 'version'
>

const defaults = {
  type: 'confidential',
  postLogoutRedirectUris: [],
  // Each further scope is one that somebody chose.
  scopes: ['openid'],
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

/** The APIs are looked up before: see `client-apis.ts`. */
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
