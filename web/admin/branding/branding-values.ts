import type { Branding, BrandingSettings, ProductBranding } from '../../../lib/client/generated/models.ts'
import { client } from '../../session-kit/client.ts'

/** The settings as the form has them. Empty texts and colors set nothing. */
export interface BrandingValues {
  readonly product_name: string
  readonly accent_color: string
  readonly background_color: string
  readonly support_url: string
  readonly privacy_url: string
  readonly terms_url: string
}

/** The branding of the service, or of a product with what it inherits. */
export interface LoadedBranding {
  /** Null for the service. */
  readonly product: string | null
  readonly values: BrandingValues
  readonly logo: Branding['logo']
  readonly effective: Branding
}

const toValues = (set: Branding | ProductBranding): BrandingValues => ({
  product_name: set.product_name ?? '',
  accent_color: set.accent_color ?? '',
  background_color: set.background_color ?? '',
  support_url: set.support_url ?? '',
  privacy_url: set.privacy_url ?? '',
  terms_url: set.terms_url ?? '',
})

export const toLoaded = (branding: Branding | ProductBranding): LoadedBranding => ({
  product: 'effective' in branding ? branding.name : null,
  values: toValues(branding),
  logo: branding.logo,
  effective: 'effective' in branding ? branding.effective : branding,
})

/** The request body of these changes. */
export const toSettings = (changes: Partial<BrandingValues>): BrandingSettings =>
  Object.fromEntries(Object.entries(changes).map(([name, text]) => [name, text.trim() || null]))

/** The calls that change a branding. Without a name, it is that of the service. */
export const getBrandingCalls = (product: string | null) => {
  const { branding } = client
  return product === null
    ? {
        patch: async (body: BrandingSettings) => toLoaded(await branding.patchBranding(body)),
        upload: branding.uploadLogo,
        deleteLogo: branding.deleteLogo,
        reset: branding.resetBranding,
      }
    : {
        patch: async (body: BrandingSettings) => toLoaded(await branding.patchProductBranding(product, body)),
        upload: (body: Parameters<typeof branding.uploadLogo>[0]) =>
          branding.uploadProductLogo(product, body),
        deleteLogo: () => branding.deleteProductLogo(product),
        reset: () => branding.resetProductBranding(product),
      }
}

/** Reads the branding of the service, or of a product. Undefined if there is no such product. */
export const readBranding = async (
  product: string | null,
  options: { readonly signal?: AbortSignal } = {},
): Promise<{ readonly products: readonly string[]; readonly branding: LoadedBranding | undefined }> => {
  const products = await client.branding.getProductBrandings(options)
  const found =
    product === null
      ? await client.branding.getBranding({}, options)
      : products.find(({ name }) => name === product)
  return { products: products.map(({ name }) => name), branding: found && toLoaded(found) }
}
