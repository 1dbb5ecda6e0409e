import type {
  Branding,
  ProductBranding,
  ServiceBrandingSettings,
} from '../../../lib/client/generated/models.ts'
import { client } from '../../session-kit/client.ts'
import { isNewImage, type ReadImage } from '../../session-kit/read-image.ts'

/** The branding of the service, or of a product with what it inherits. */
export interface LoadedBranding {
  /** Null for the service. */
  readonly product: string | null
  readonly stored: Branding | ProductBranding
  readonly effective: Branding
}

export const imageKinds = ['logo', 'dark_logo', 'icon'] as const
export type ImageKind = (typeof imageKinds)[number]

/** What the form edits: the settings, and the images as they are stored, new, or removed. */
export type BrandingBody = ServiceBrandingSettings & Readonly<Record<ImageKind, Branding['logo'] | ReadImage>>

/** The image that pages show with these changes. A product without its own shows that of the service. */
export const findShownImage = (
  kind: ImageKind,
  { stored, effective }: LoadedBranding,
  value: BrandingBody,
): BrandingBody[ImageKind] => value[kind] ?? (stored[kind] ? null : effective[kind])

const toLoaded = (stored: Branding | ProductBranding): LoadedBranding =>
  'effective' in stored
    ? { product: stored.name, stored, effective: stored.effective }
    : { product: null, stored, effective: stored }

/**
 * Saves the changes of a branding, the images first, because the service checks their content. `onSaved` is called for each
 * image that is saved, so that a repeated attempt sends the rest.
 */
export const saveBranding = async (
  product: string | null,
  { logo, dark_logo, icon, ...fields }: Partial<BrandingBody>,
  onSaved: (kind: ImageKind) => void,
): Promise<void> => {
  const calls = getBrandingCalls(product)
  const images = { logo, dark_logo, icon }
  for (const kind of imageKinds) {
    const image = images[kind]
    if (isNewImage(image)) await calls.upload({ kind, content_type: image.content_type, data: image.data })
    else if (image === null) await calls.deleteLogo(kind)
    else continue
    onSaved(kind)
  }
  if (Object.keys(fields).length > 0) await calls.patch(fields)
}

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
