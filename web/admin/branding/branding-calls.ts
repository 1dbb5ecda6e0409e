import type {
  Branding,
  ProductBranding,
  ServiceBrandingSettings,
} from '../../../lib/client/generated/models.ts'
import { client } from '../../session-kit/client.ts'

/** The branding of the service, or of a product with what it inherits. */
export interface LoadedBranding {
  /** Null for the service. */
  readonly product: string | null
  readonly stored: Branding | ProductBranding
  readonly effective: Branding
}

export type ImageKind = 'logo' | 'dark_logo' | 'icon'

const toLoaded = (stored: Branding | ProductBranding): LoadedBranding =>
  'effective' in stored
    ? { product: stored.name, stored, effective: stored.effective }
    : { product: null, stored, effective: stored }

/** The calls that change a branding. Without a name, it is that of the service. */
export const getBrandingCalls = (product: string | null) => {
  const { branding } = client
  return product === null
    ? {
        patch: (body: ServiceBrandingSettings): Promise<Branding | ProductBranding> =>
          branding.patchBranding(body),
        upload: branding.uploadLogo,
        deleteLogo: (kind: ImageKind) => branding.deleteLogo({ kind }),
        reset: branding.resetBranding,
      }
    : {
        // A product has no texts, so the form does not change them.
        patch: ({ texts: _, ...body }: ServiceBrandingSettings) =>
          branding.patchProductBranding(product, body),
        upload: (body: Parameters<typeof branding.uploadLogo>[0]) =>
          branding.uploadProductLogo(product, body),
        deleteLogo: (kind: ImageKind) => branding.deleteProductLogo(product, { kind }),
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
