import type { TokenAuthentication } from '../../accounts/callers/credential-use.records.ts'
import { noteUse } from '../../accounts/callers/note-use.ts'
import { nameOrganizationToken } from '../../kernel/contract/text-rules.ts'
import { parseCredential } from '../../kernel/secrets/credentials.ts'
import type { Services } from '../../services.ts'
import type { OrganizationAccess } from './access.ts'
import { statePermissions, toOrganizationClaims } from './organization-claims.ts'
import { listKnownPermissions } from './roles.ts'
import {
  findTokenAndOrganization,
  type OrganizationTokenRecord,
  storeOrganizationTokenUse,
} from './tokens.records.ts'

/** An organization that calls with an API token of its own. There is no user. */
export interface OrganizationCaller {
  readonly token: OrganizationTokenRecord
  readonly access: OrganizationAccess
}

/**
 * Finds the organization behind the value of an API token, in one table call. Undefined for any other value, an expired token, and one
 * of an organization that is suspended or was deleted. Only those who know the value learn that it expired.
 */
export const findOrganizationCaller = async (
  services: Pick<Services, 'table' | 'now' | 'log'>,
  value: string,
  { onExpired, address }: TokenAuthentication = {},
): Promise<OrganizationCaller | undefined> => {
  const credential = parseCredential(value)
  if (credential?.kind !== 'organization_token') return undefined
  const { token, organization, declaredRoles } = await findTokenAndOrganization(
    services.table,
    credential.subject,
    credential.hash,
  )
  if (!token || organization?.state !== 'active') return undefined
  if (token.expiresAt !== undefined && token.expiresAt <= services.now()) {
    onExpired?.()
    return undefined
  }
  await noteUse(services, token, address, (use) => storeOrganizationTokenUse(services.table, token, use))
  const known = listKnownPermissions(declaredRoles)
  const permissions = token.permissions.filter((name) => known.includes(name))
  return {
    token,
    access: { organization, membership: undefined, declaredRoles, permissions, isForService: false },
  }
}

/** What products get to know of such a caller, flat as in tokens of users. */
export const describeOrganizationCaller = ({ token, access }: OrganizationCaller) => ({
  sub: nameOrganizationToken(token.id),
  ...toOrganizationClaims(access.organization),
  ...statePermissions(access.permissions, { isInOrganization: true }),
})
