import type { Branding, CornerRadius } from './brand.models.ts'
import { type BrandColors, deriveBrandColors } from './brand-colors.ts'

/** The radius of buttons and fields. That of areas follows from it. */
export const radii: ReadonlyMap<CornerRadius, string> = new Map([
  ['none', '0rem'],
  ['small', '0.25rem'],
  ['medium', '0.5rem'],
  ['large', '1rem'],
])

/** The custom properties of the pages for a brand, as a stylesheet for the light and the dark scheme. */
export const buildBrandStyle = (brand: BrandColors & Pick<Branding, 'corner_radius'>): string => {
  const { light, dark } = deriveBrandColors(brand)
  const declare = (scheme: typeof light): string =>
    Object.entries(scheme)
      .map(([name, color]) => `${name}:${color}`)
      .join(';')
  const radius = `--radius:${radii.get(brand.corner_radius)}`
  return `:root{${declare(light)};${radius}}@media(prefers-color-scheme:dark){:root{${declare(dark)}}}`
}
