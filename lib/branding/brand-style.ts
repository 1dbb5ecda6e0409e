import { type BrandColors, deriveBrandColors } from './brand-colors.ts'

/** The custom properties of the pages for these colors, as a stylesheet for the light and the dark scheme. */
export const buildBrandStyle = (colors: BrandColors): string => {
  const { light, dark } = deriveBrandColors(colors)
  const declare = (scheme: typeof light): string =>
    Object.entries(scheme)
      .map(([name, color]) => `${name}:${color}`)
      .join(';')
  return `:root{${declare(light)}}@media(prefers-color-scheme:dark){:root{${declare(dark)}}}`
}
