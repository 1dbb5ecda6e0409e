import { brandingCacheMs, brandingReadMs, organizationBrandingsKept } from '../../kernel/limits/limits.ts'
import type { Services } from '../../services.ts'
import type { Branding, ShownBranding } from '../branding/brand.models.ts'
import { fillIn } from '../branding/find-branding.ts'
import { createKeptRead } from '../branding/kept-read.ts'
import { containsName, getSenderName } from '../mail/user-text.ts'
import { findNamedActive, readOrganizationName } from './named-organization.ts'
import type { OrganizationRecord } from './records.ts'

type Branded = Pick<OrganizationRecord, 'id' | 'name' | 'slug' | 'branding'>

/**
 * Puts the branding of an organization over that of the product. An organization without one changes nothing. Names, links and texts
 * of the product stay, because anyone may have chosen those of the organization.
 */
export const addOrganizationBranding = (
  branding: Branding,
  organization: Branded | undefined,
): ShownBranding => {
  if (!organization?.branding) return branding
  const { name, sender_name: _, reply_to: __, ...look } = organization.branding
  const { id, slug } = organization
  const { product_name: product } = branding
  // The product can have got its name after the organization.
  const account = containsName(slug, product) ? `#${id}` : slug
  const sender = { name: name ?? organization.name, account }
  return { ...fillIn(look, branding), organization: getSenderName(sender, product) }
}

/**
 * Adds the branding of the organization that the address of a page names. One that does not exist or is suspended costs the same as
 * one without a branding, and is shown alike. It never fails and waits at most `brandingReadMs`.
 */
export const addNamedBranding = async (
  services: Services,
  query: Readonly<Record<string, unknown>>,
  branding: Branding,
): Promise<ShownBranding> => {
  const { organization, organization_id: alias } = query
  const parameters = { organization: readName(organization), organization_id: readName(alias) }
  const named = readOrganizationName(parameters)
  if (named === undefined || (alias !== undefined && alias !== named)) return branding
  return addOrganizationBranding(branding, await getNamed(services, named))
}

/** Longer than any slug. */
const longestName = 50

const readName = (value: unknown): string | undefined =>
  typeof value === 'string' && value.length <= longestName ? value : undefined

const getNamed = createKeptRead(
  'organization_branding',
  ({ table }, organization) => findNamedActive(table, { organization }),
  { keptMs: brandingCacheMs, waitMs: brandingReadMs, keysMax: organizationBrandingsKept },
)
