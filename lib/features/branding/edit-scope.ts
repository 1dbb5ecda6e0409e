import type { RequestContext } from '../../accounts/callers/request-context.ts'
import { changeSteps } from '../../accounts/events/change-event.ts'
import { diffFields } from '../../accounts/users/user-changes.ts'
import { requireFound } from '../../kernel/errors/errors.ts'
import { brandedProductsMax } from '../../kernel/limits/limits.ts'
import type { Config } from '../../kernel/settings/config.ts'
import type { LinkProduct } from '../../kernel/settings/link-products.ts'
import { retryConflicts } from '../../kernel/table/retry-conflicts.ts'
import type { Services } from '../../services.ts'
import { getSettings, toBrandingBody, toProductBody } from './branding-body.ts'
import { resolveBranding } from './find-branding.ts'
import type { Branding, ProductBranding } from './models.ts'
import { brandingFields } from './models.ts'
import type { ReadLogo } from './read-logo.ts'
import {
  type BrandingFields,
  type BrandingSettings,
  findBrandingRecord,
  type ProductBrandingSettings,
  replaceBranding,
  unsetBranding,
} from './records.ts'

/** Returns the name of a product that access links lead to. @throws AppError `not_found` for any other name */
export const requireProduct = ({ linkProducts }: Config, name: string): string =>
  requireFound(
    linkProducts.find((product) => product.name === name),
    'product',
    'Use a name in the setting `linkUrl`.',
  ).name

type Edit = Omit<BrandingEdit, 'context' | 'product'>

/** Changes the branding of the service, and answers with it. */
export const editServiceBranding = async (
  services: Services,
  context: RequestContext,
  edit: Edit,
): Promise<{ readonly status: 200; readonly body: Branding }> => {
  const fields = await editBranding(services, { ...edit, context, product: undefined })
  return { status: 200, body: toBrandingBody(services.config, resolveBranding(fields)) }
}

/**
 * Changes the branding of the product in the path, and answers with it.
 *
 * @throws AppError `not_found` if access links do not lead to it
 */
export const editProductBranding = async (
  services: Services,
  { params, context }: { readonly params: { readonly name: string }; readonly context: RequestContext },
  edit: Edit,
): Promise<{ readonly status: 200; readonly body: ProductBranding }> => {
  const product = requireProduct(services.config, params.name)
  const fields = await editBranding(services, { ...edit, context, product })
  return { status: 200, body: toProductBody(services.config, fields, product) }
}

interface BrandingEdit {
  readonly context: RequestContext
  /** The product whose branding changes. Undefined for that of the service. */
  readonly product: string | undefined
  readonly change: (settings: BrandingSettings) => BrandingSettings
  readonly isReset?: boolean
  /** The images of the change, which are written together with it. */
  readonly images?: readonly ReadLogo[]
}

/**
 * Changes the branding of the service or of a product, and returns all of it. Concurrent changes of different fields or
 * products are all kept. Nothing is written if nothing changes.
 *
 * @throws AppError `conflict` if it was changed concurrently again and again
 */
export const editBranding = (
  { table, config, now }: Services,
  { context, product, change, isReset = false, images = [] }: BrandingEdit,
): Promise<BrandingFields | undefined> =>
  retryConflicts(async () => {
    const before = await findBrandingRecord(table)
    const settings = getSettings(before, product)
    // Audit events list the fields in this order.
    const changed = { ...unsetBranding, ...change(settings) }
    const changes = diffFields<BrandingSettings>(settings, changed)
    if (Object.keys(changes).length === 0) return before
    const after = replaceSettingsOf(before, product, changed, config.linkProducts)
    const target = product === undefined ? 'service' : `product:${product}`
    const described = { fields: brandingFields, before: settings, after: changes }
    const steps = isReset
      ? changeSteps(context, 'branding.reset', { target, change: described })
      : changeSteps(context, 'branding.changed', { of: target, change: described })
    await replaceBranding(table, { before, after, images, nowMs: now() }, steps)
    return after
  }, 'The branding was modified concurrently. Try again.')

const replaceSettingsOf = (
  before: BrandingFields | undefined,
  name: string | undefined,
  settings: BrandingSettings,
  linkProducts: readonly LinkProduct[],
): BrandingFields => {
  const { service = unsetBranding, products = [] } = before ?? {}
  if (name === undefined) return { service: settings, products }
  const others = products.filter((product) => product.name !== name)
  const all = isUnset(settings) ? others : [{ ...settings, name }, ...others]
  // Products can leave the setting by mistake, so their branding is kept while there is room.
  const isKnown = (product: ProductBrandingSettings) => linkProducts.some((one) => one.name === product.name)
  const ordered = [...all.filter(isKnown), ...all.filter((product) => !isKnown(product))]
  return { service, products: ordered.slice(0, brandedProductsMax) }
}

const isUnset = (settings: BrandingSettings): boolean =>
  Object.values(settings).every((value) => value === null)
