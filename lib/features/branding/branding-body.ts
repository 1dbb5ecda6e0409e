import { toBodyFor } from '../../kernel/contract/model.ts'
import { logoKinds } from '../../kernel/limits/limits.ts'
import type { Config } from '../../kernel/settings/config.ts'
import { isServiceReplyTo } from '../mail/email-sender.ts'
import { type Branding, getLogoUrl, type LogoKind } from './brand.models.ts'
import { resolveBranding } from './find-branding.ts'
import {
  type Branding as BrandingBody,
  brandingFields,
  type ProductBranding as ProductBody,
  productBrandingFields,
} from './models.ts'
import {
  type BrandingFields,
  type BrandingSettings,
  type ProductBrandingSettings,
  unsetBranding,
} from './records.ts'

/** What was set for the service, or for a product with this name. */
export const getSettings = (
  fields: BrandingFields | undefined,
  product: string | undefined,
): BrandingSettings => {
  const { name: _, ...settings }: Partial<ProductBrandingSettings> =
    (product === undefined ? fields?.service : fields?.products.find(({ name }) => name === product)) ?? {}
  return { ...unsetBranding, ...settings }
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

/** Logos are stored by their hash, and shown by their address. Whether answers go to an address, its domain decides. */
const addAddresses = <Shown extends Pick<BrandingSettings, LogoKind | 'reply_to'>>(
  config: Config,
  shown: Shown,
) => {
  const logos = logoKinds.map((kind) => {
    const logo = shown[kind]
    return [kind, logo && { ...logo, url: getLogoUrl(config.publicUrl, logo) }]
  })
  return {
    ...shown,
    ...(Object.fromEntries(logos) as Pick<BrandingBody, LogoKind>),
    reply_to_used: isServiceReplyTo(config, shown.reply_to),
  }
}
