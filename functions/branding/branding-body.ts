import { resolveBranding } from '../../lib/accounts/common/branding.ts'
import { type Branding, getLogoUrl, type Logo } from '../../lib/branding/branding.ts'
import type { Branding as BrandingBody, ProductBranding } from '../../lib/contract/models/branding.ts'
import type { Config } from '../../lib/settings/config.ts'
import {
  type BrandingFields,
  type BrandingSettings,
  unsetBranding,
} from '../../lib/store/branding/branding.ts'

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
  logo: toLogoBody(config, branding.logo),
  accent_color: branding.accentColor,
  background_color: branding.backgroundColor,
  support_url: branding.supportUrl,
  privacy_url: branding.privacyUrl,
  terms_url: branding.termsUrl,
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
    logo: toLogoBody(config, settings.logo),
    accent_color: settings.accentColor,
    background_color: settings.backgroundColor,
    support_url: settings.supportUrl,
    privacy_url: settings.privacyUrl,
    terms_url: settings.termsUrl,
    effective: toBrandingBody(config, resolveBranding(fields, name)),
  }
}

const toLogoBody = ({ publicUrl }: Config, logo: Logo | null): BrandingBody['logo'] =>
  logo && { url: getLogoUrl(publicUrl, logo), width: logo.width, height: logo.height }
