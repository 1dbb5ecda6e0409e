import { brandingCacheMs, brandingReadMs } from '../../kernel/limits/limits.ts'
import { listNames } from '../../kernel/util/object-fields.ts'
import type { Services } from '../../services.ts'
import { type Branding, defaultBranding } from './brand.models.ts'
import { createKeptRead } from './kept-read.ts'
import { type BrandingFields, type BrandingSettings, findBrandingRecord } from './records.ts'

/**
 * The branding of the service, or of a product that access links lead to. An unknown product has that of the service. It
 * is read at most once in `brandingCacheMs`. It never fails and waits at most `brandingReadMs`: without an answer of the
 * table, the last known branding or the default counts.
 */
export const findBranding = async (services: Services, product_name?: string): Promise<Branding> =>
  resolveBranding(await getStored(services), product_name)

/** Whether own words of emails were ever set for the service or a product. It costs no call more than the branding. */
export const hasEmailTexts = async (services: Services): Promise<boolean> =>
  (await getStored(services))?.hasEmailTexts === true

/** The names of the service and of its products, as pages and emails show them. */
export const listProductNames = async (services: Services): Promise<readonly string[]> => {
  const stored = await getStored(services)
  const products = (stored?.products ?? []).map(({ product_name: name }) => name)
  return [resolveBranding(stored).product_name, ...products].filter((name) => typeof name === 'string')
}

/** Fills in what is not set: for a product from the service, for the service from the defaults. */
export const resolveBranding = (stored: BrandingFields | undefined, product_name?: string): Branding => {
  const service = fillIn(stored?.service, defaultBranding)
  return fillIn(
    stored?.products.find(({ name }) => name === product_name),
    service,
  )
}

/** Fills in what is not set from another branding. */
export const fillIn = (set: Partial<BrandingSettings> | undefined, fallback: Branding): Branding => {
  const fields = listNames(fallback).map((name) => [name, set?.[name] ?? fallback[name]])
  return { ...(Object.fromEntries(fields) as Branding), dark_logo: chooseDarkLogo(set, fallback) }
}

/** With a logo of its own, a product or an organization does not inherit the dark logo, which shows another name. */
const chooseDarkLogo = (
  set: Partial<BrandingSettings> | undefined,
  fallback: Branding,
): Branding['dark_logo'] => set?.dark_logo ?? (set?.logo ? null : fallback.dark_logo)

/** A page or an email waits no longer than this, and shows the last known branding. */
const getStored = createKeptRead('branding', ({ table }) => findBrandingRecord(table), {
  keptMs: brandingCacheMs,
  waitMs: brandingReadMs,
})
