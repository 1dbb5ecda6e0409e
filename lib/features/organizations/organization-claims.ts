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
