import type { OrganizationRecord } from './records.ts'

/** What tokens state about their organization. Flat claims, because the JWT authorizer of API Gateway does not read nested ones. */
export const toOrganizationClaims = ({
  id,
  slug,
  name,
}: Pick<OrganizationRecord, 'id' | 'slug' | 'name'>) => ({
  org_id: String(id),
  org_slug: slug,
  org_name: name,
})

/** Permissions as tokens and introspection state them. */
export interface StatedPermissions {
  /** Effective permissions of the account: its own, and those of its groups. Empty in an organization. */
  readonly permissions: readonly string[]
  /** What the roles in the organization allow. Missing without one. */
  readonly org_permissions?: readonly string[]
}

/**
 * States permissions where they count. Those in an organization are a claim of their own: a user chooses the organization, and may
 * have made it, so a server that knows no organizations must not find them.
 */
export const statePermissions = (
  permissions: readonly string[],
  { isInOrganization }: { readonly isInOrganization: boolean },
): StatedPermissions =>
  isInOrganization ? { permissions: [], org_permissions: permissions } : { permissions }
