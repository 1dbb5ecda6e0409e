import * as z from 'zod/mini'
import { anyText, int32, nonEmptyText, text } from './fields.ts'

const maxLogoBytes = 128 * 1024
/** Base64 has four characters for three bytes. */
const maxLogoCharacters = Math.ceil(maxLogoBytes / 3) * 4

export const BrandingLogo = z.strictObject({ url: anyText, width: int32, height: int32 })

/** The branding as pages show it: everything that was not set is filled in. */
export const Branding = z.strictObject({
  product_name: anyText,
  logo: z.nullable(BrandingLogo),
  accent_color: anyText,
  background_color: z.nullable(anyText),
  support_url: z.nullable(anyText),
  privacy_url: z.nullable(anyText),
  terms_url: z.nullable(anyText),
})
export type Branding = z.output<typeof Branding>

const maybeColor = z.optional(
  z.nullable(z.string().check(z.regex(/^#[0-9a-fA-F]{6}$/, 'must be a color of the form #rrggbb'))),
)
const maybeUrl = z.optional(z.nullable(text(500)))

/** What administrators set. Null sets nothing. The logo has operations of its own. */
export const BrandingSettings = z.strictObject({
  product_name: z.optional(z.nullable(text(60))),
  accent_color: maybeColor,
  background_color: maybeColor,
  support_url: maybeUrl,
  privacy_url: maybeUrl,
  terms_url: maybeUrl,
})
export type BrandingSettings = z.output<typeof BrandingSettings>

/** What was set for a product, and what its pages show. */
export const ProductBranding = z.strictObject({
  name: anyText,
  product_name: z.nullable(anyText),
  logo: z.nullable(BrandingLogo),
  accent_color: z.nullable(anyText),
  background_color: z.nullable(anyText),
  support_url: z.nullable(anyText),
  privacy_url: z.nullable(anyText),
  terms_url: z.nullable(anyText),
  effective: Branding,
})
export type ProductBranding = z.output<typeof ProductBranding>

export const LogoUpload = z.strictObject({
  content_type: text(100),
  data: nonEmptyText.check(
    z.maxLength(maxLogoCharacters, `must be base64 of at most ${maxLogoBytes / 1024} KiB`),
  ),
})
export type LogoUpload = z.output<typeof LogoUpload>
