import { brandingCacheMs, brandingReadMs } from '../../kernel/limits/limits.ts'
import type { Services } from '../../services.ts'
import { type Branding, defaultBranding } from './brand.models.ts'
import { createKeptRead } from './kept-read.ts'
import { type BrandingFields, type BrandingSettings, findBrandingRecord } from './records.ts'

/**
 * The branding of the service, or of a product that access links lead to. An unknown product has that of the service. It
 * is read at most once in `brandingCacheMs`. It never fails and waits at most `brandingReadMs`: without an answer of the
 * table, the last known branding or the default counts.
 */
export const findBranding = async (services: Services, productName?: string): Promise<Branding> =>
  resolveBranding(await getStored(services), productName)

/** Fills in what is not set: for a product from the service, for the service from the defaults. */
export const resolveBranding = (stored: BrandingFields | undefined, productName?: string): Branding => {
  const service = fillIn(stored?.service, defaultBranding)
  return fillIn(
    stored?.products.find(({ name }) => name === productName),
    service,
  )
}

const fillIn = (set: BrandingSettings | undefined, fallback: Branding): Branding => ({
  productName: set?.productName ?? fallback.productName,
  ...chooseLogos(set, fallback),
  icon: set?.icon ?? fallback.icon,
  accentColor: set?.accentColor ?? fallback.accentColor,
  backgroundColor: set?.backgroundColor ?? fallback.backgroundColor,
  cornerRadius: set?.cornerRadius ?? fallback.cornerRadius,
  supportUrl: set?.supportUrl ?? fallback.supportUrl,
  privacyUrl: set?.privacyUrl ?? fallback.privacyUrl,
  termsUrl: set?.termsUrl ?? fallback.termsUrl,
  texts: set?.texts ?? fallback.texts,
})

/** A product with a logo of its own does not inherit the dark logo of the service, which shows another name. */
const chooseLogos = (
  set: BrandingSettings | undefined,
  fallback: Branding,
): Pick<Branding, 'logo' | 'darkLogo'> => ({
  logo: set?.logo ?? fallback.logo,
  darkLogo: set?.darkLogo ?? (set?.logo ? null : fallback.darkLogo),
})

/** A page or an email waits no longer than this, and shows the last known branding. */
const getStored = createKeptRead('branding', ({ table }) => findBrandingRecord(table), {
  keptMs: brandingCacheMs,
  waitMs: brandingReadMs,
})
