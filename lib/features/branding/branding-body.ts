import { toBodyFor } from '../../kernel/contract/model.ts'
import { logoKinds } from '../../kernel/limits/limits.ts'
import type { Config } from '../../kernel/settings/config.ts'
import { type Branding, getLogoUrl, type LogoKind } from './brand.models.ts'
import { resolveBranding } from './find-branding.ts'
import {
  type Branding as BrandingBody,
  brandingFields,
  type ProductBranding as ProductBody,
  productBrandingFields,
} from './models.ts'
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

/** The branding as pages show it to everyone. */
export const toBrandingBody = (config: Config, branding: Branding): BrandingBody =>
  toBodyFor(['everyone'], brandingFields, addAddresses(config, branding))

/** The branding of a product as administrators see it. */
export const toProductBody = (
  config: Config,
  fields: BrandingFields | undefined,
  name: string,
): ProductBody =>
  toBodyFor(['service'], productBrandingFields, {
    ...addAddresses(config, getSettings(fields, name)),
    name,
    effective: addAddresses(config, resolveBranding(fields, name)),
  })

/** Logos are stored by their hash, and shown by their address. */
const addAddresses = <Shown extends Pick<Branding, LogoKind>>({ publicUrl }: Config, shown: Shown) => {
  const logos = logoKinds.map((kind) => {
    const logo = shown[kind]
    return [kind, logo && { ...logo, url: getLogoUrl(publicUrl, logo) }]
  })
  return { ...shown, ...(Object.fromEntries(logos) as Pick<BrandingBody, LogoKind>) }
}
