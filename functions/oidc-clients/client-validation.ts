import { validateNameField } from '../../lib/accounts/common/names.ts'
import type { FieldError } from '../../lib/errors/errors.ts'
import { findClientKeyError } from '../../lib/oidc/client-keys.ts'
import { findBackchannelUriError, findRedirectUriError } from '../../lib/oidc/client-uris.ts'
import type { Config } from '../../lib/settings/config.ts'
import type { ClientFields } from './client-fields.ts'

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
