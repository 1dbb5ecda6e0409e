import { getEffectivePermissions, sortPermissions } from '../../lib/accounts/common/permissions.ts'
import { productPermissions } from '../../lib/contract/permissions.ts'
import { scopes as serviceScopes } from '../../lib/contract/scopes.ts'
import { invalidRequest } from '../../lib/errors/errors.ts'
import type { Services } from '../../lib/services.ts'
import type { UserRecord } from '../../lib/store/records/user-record.ts'

/**
 * Returns the scopes of a new API token, sorted and without duplicates. Besides the scopes of this service, these are
 * known: the permissions of known products and every other permission that the owner holds.
 *
 * @throws AppError `invalid_request` that lists the known scopes, if one is unknown
 */
export const requireKnownScopes = async (
  { table }: Services,
  owner: UserRecord,
  given: readonly string[] | null | undefined,
): Promise<readonly string[] | undefined> => {
  if (!given) return undefined
  const known = sortPermissions([
    ...Object.keys(serviceScopes),
    ...productPermissions,
    ...(await getEffectivePermissions(table, owner)),
  ])
  if (given.some((scope) => !known.includes(scope)))
    throw invalidRequest([
      { field: 'scopes', message: `contains an unknown scope. Known scopes: ${known.join(', ')}` },
    ])
  return sortPermissions(given)
}
