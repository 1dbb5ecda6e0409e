import type {
  Branding,
  BrandingTexts,
  ProductBranding,
  ServiceBrandingSettings,
} from '../../../lib/client/generated/models.ts'
import { type Language, languages } from '../../../lib/kernel/i18n/languages.ts'
import { client } from '../../session-kit/client.ts'

/** The texts of a language as the form has them. Empty ones set nothing. */
export interface TextValues {
  readonly language: Language
  readonly greeting: string
  readonly footer: string
  readonly support_url: string
}

/** The settings as the form has them. Empty texts and colors set nothing. */
export interface BrandingValues {
  readonly product_name: string
  readonly accent_color: string
  readonly background_color: string
  readonly corner_radius: Branding['corner_radius'] | ''
  readonly support_url: string
  readonly privacy_url: string
  readonly terms_url: string
  /** One entry for each language. */
  readonly texts: readonly TextValues[]
}

/** The branding of the service, or of a product with what it inherits. */
export interface LoadedBranding {
  /** Null for the service. */
  readonly product: string | null
  readonly values: BrandingValues
  readonly images: Pick<Branding, ImageKind>
  readonly effective: Branding
}

export type ImageKind = 'logo' | 'dark_logo' | 'icon'

const toValues = (set: Branding | ProductBranding): BrandingValues => ({
  product_name: set.product_name ?? '',
  accent_color: set.accent_color ?? '',
  background_color: set.background_color ?? '',
  corner_radius: set.corner_radius ?? '',
  support_url: set.support_url ?? '',
  privacy_url: set.privacy_url ?? '',
  terms_url: set.terms_url ?? '',
  texts: languages.map((language) => {
    const own = 'texts' in set ? set.texts.find((texts) => texts.language === language) : undefined
    return {
      language,
      greeting: own?.greeting ?? '',
      footer: own?.footer ?? '',
      support_url: own?.support_url ?? '',
    }
  }),
})

export const toLoaded = (branding: Branding | ProductBranding): LoadedBranding => ({
  product: 'effective' in branding ? branding.name : null,
  values: toValues(branding),
  images: { logo: branding.logo, dark_logo: branding.dark_logo, icon: branding.icon },
  effective: 'effective' in branding ? branding.effective : branding,
})

/** The languages that have texts, in the order in which they are sent. */
export const listTexts = (texts: readonly TextValues[]): readonly TextValues[] =>
  texts.filter((one) => [one.greeting, one.footer, one.support_url].some((text) => text.trim() !== ''))

const toBodyTexts = ({ language, greeting, footer, support_url }: TextValues): BrandingTexts => ({
  language,
  greeting: greeting.trim() || null,
  footer: footer.trim() || null,
  support_url: support_url.trim() || null,
})

/** The request body of these changes. */
export const toSettings = ({ texts, ...changes }: Partial<BrandingValues>): ServiceBrandingSettings => ({
  ...Object.fromEntries(Object.entries(changes).map(([name, text]) => [name, text.trim() || null])),
  ...(texts && { texts: listTexts(texts).map(toBodyTexts) }),
})

/** The calls that change a branding. Without a name, it is that of the service. */
export const getBrandingCalls = (product: string | null) => {
  const { branding } = client
  return product === null
    ? {
        patch: async (body: ServiceBrandingSettings) => toLoaded(await branding.patchBranding(body)),
        upload: branding.uploadLogo,
        deleteLogo: (kind: ImageKind) => branding.deleteLogo({ kind }),
        reset: branding.resetBranding,
      }
    : {
        // A product has no texts, so the form does not change them.
        patch: async ({ texts: _, ...body }: ServiceBrandingSettings) =>
          toLoaded(await branding.patchProductBranding(product, body)),
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
