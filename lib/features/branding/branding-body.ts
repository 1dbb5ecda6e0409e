import type { Config } from '../../kernel/settings/config.ts'
import { type Branding, getLogoUrl, type Logo } from './brand.models.ts'
import { resolveBranding } from './find-branding.ts'
import type { Branding as BrandingBody, ProductBranding } from './models.ts'
import { type BrandingFields, type BrandingSettings, unsetBranding } from './records.ts'

/** What was set for the service, or for a product with this name. */
export const getSettings = (
  fields: BrandingFields | undefined,
  product: string | undefined,
): BrandingSettings => {
  if (product === undefined) return fields?.service ?? unsetBranding
  const { name, ...settings } = fields?.products.find((one) => one.name === product) ?? {
    name: product,
    ...unsetBranding,
  }
  return settings
}

export const toBrandingBody = (config: Config, branding: Branding): BrandingBody => ({
  product_name: branding.productName,
  ...toLogoBodies(config, branding),
  accent_color: branding.accentColor,
  background_color: branding.backgroundColor,
  corner_radius: branding.cornerRadius,
  support_url: branding.supportUrl,
  privacy_url: branding.privacyUrl,
  terms_url: branding.termsUrl,
  texts: branding.texts.map(({ language, greeting, footer, supportUrl }) => ({
    language,
    greeting,
    footer,
    support_url: supportUrl,
  })),
})

export const toProductBody = (
  config: Config,
  fields: BrandingFields | undefined,
  name: string,
): ProductBranding => {
  const settings = getSettings(fields, name)
  return {
    name,
    product_name: settings.productName,
    ...toLogoBodies(config, settings),
    accent_color: settings.accentColor,
    background_color: settings.backgroundColor,
    corner_radius: settings.cornerRadius,
    support_url: settings.supportUrl,
    privacy_url: settings.privacyUrl,
    terms_url: settings.termsUrl,
    effective: toBrandingBody(config, resolveBranding(fields, name)),
  }
}

const toLogoBodies = (
  config: Config,
  { logo, darkLogo, icon }: Pick<Branding, 'logo' | 'darkLogo' | 'icon'>,
) => ({
  logo: toLogoBody(config, logo),
  dark_logo: toLogoBody(config, darkLogo),
  icon: toLogoBody(config, icon),
})

const toLogoBody = ({ publicUrl }: Config, logo: Logo | null): BrandingBody['logo'] =>
  logo && { url: getLogoUrl(publicUrl, logo), width: logo.width, height: logo.height }
