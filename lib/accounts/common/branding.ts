import { type Branding, defaultBranding } from '../../core/branding.ts'
import { brandingCacheMs, brandingReadMs } from '../../core/limits.ts'
import type { Services } from '../../services.ts'
import {
  type BrandingFields,
  type BrandingSettings,
  findBrandingRecord,
  type StoredBranding,
} from '../../store/records/branding-record.ts'

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
  logo: set?.logo ?? fallback.logo,
  accentColor: set?.accentColor ?? fallback.accentColor,
  backgroundColor: set?.backgroundColor ?? fallback.backgroundColor,
  supportUrl: set?.supportUrl ?? fallback.supportUrl,
  privacyUrl: set?.privacyUrl ?? fallback.privacyUrl,
  termsUrl: set?.termsUrl ?? fallback.termsUrl,
})

interface CachedBranding {
  readonly at: number
  readonly stored: Promise<StoredBranding | undefined>
}

const cached = new WeakMap<Services, CachedBranding>()

/** Concurrent calls share one read. A failed read is repeated no sooner than a successful one. */
const getStored = (services: Services): Promise<StoredBranding | undefined> => {
  const known = cached.get(services)
  const age = known ? services.now() - known.at : Number.POSITIVE_INFINITY
  // A clock that was set back must not keep the branding for longer.
  if (known && age >= 0 && age < brandingCacheMs) return known.stored
  const stored = readInTime(services).catch((error: unknown) => {
    services.log.warn('branding.not_read', { error })
    return known?.stored
  })
  cached.set(services, { at: services.now(), stored })
  return stored
}

/** @throws Error if the table does not answer in time. */
const readInTime = async ({ table }: Services): Promise<StoredBranding | undefined> => {
  const { promise: timeout, reject } = Promise.withResolvers<never>()
  const timer = setTimeout(() => reject(new Error('the table did not answer in time')), brandingReadMs)
  try {
    return await Promise.race([findBrandingRecord(table), timeout])
  } finally {
    clearTimeout(timer)
  }
}
