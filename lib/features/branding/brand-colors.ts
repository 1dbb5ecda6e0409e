import type { FieldError } from '../../kernel/errors/errors.ts'

/** The colors that a product chooses, as `#rrggbb`. */
export interface BrandColors {
  readonly accent_color: string
  /** The page around the main area. Without a color it has the default of the service. */
  readonly background_color: string | null
}

/** The custom properties that the stylesheets of the pages use. */
export type ColorProperty =
  | '--text'
  | '--surface'
  | '--background'
  | '--border'
  | '--accent'
  | '--on-accent'
  /** The accent where nothing but its lines and small areas show a state. */
  | '--accent-line'
  | '--link'
  | '--focus'
  | '--error'
  | '--error-background'
  | '--warning'
  | '--warning-background'
  | '--success'
  | '--success-background'

export type ColorScheme = Readonly<Record<ColorProperty, string>>

/**
 * The properties that no brand changes, and the background without a brand. What failed, needs attention or worked has the
 * same color with every brand.
 */
const fixedColors = {
  light: {
    '--text': '#1f2937',
    '--surface': '#ffffff',
    '--background': '#f3f4f6',
    '--border': '#6b7280',
    '--error': '#b91c1c',
    '--error-background': '#fef2f2',
    '--warning': '#854d0e',
    '--warning-background': '#fefce8',
    '--success': '#166534',
    '--success-background': '#f0fdf4',
  },
  dark: {
    '--text': '#e5e7eb',
    '--surface': '#1f2937',
    '--background': '#111827',
    '--border': '#9ca3af',
    '--error': '#f87171',
    '--error-background': '#451a1a',
    '--warning': '#facc15',
    '--warning-background': '#3a2a06',
    '--success': '#4ade80',
    '--success-background': '#10301d',
  },
} as const

/** Text needs 4.5:1 (WCAG 2.2, 1.4.3), other parts that must be seen 3:1 (1.4.11). */
const textContrast = 4.5
const partContrast = 3
/** A dark page is darker than the area on it, which has 12:1. */
const darkPageContrast = 14

const black = '#000000'
const white = '#ffffff'

export const isHexColor = (text: string): boolean => /^#[0-9a-f]{6}$/i.test(text)

/** The contrast ratio of two colors of the form `#rrggbb`, from 1 to 21 (WCAG 2.2). The order does not matter. */
export const contrastRatio = (first: string, second: string): number => {
  const [one, other] = [getLuminance(first), getLuminance(second)]
  return (Math.max(one, other) + 0.05) / (Math.min(one, other) + 0.05)
}

/**
 * Returns what is wrong with the colors of a brand. Any color can be the accent, because `deriveBrandColors` chooses the text
 * on it. Text must be readable on the background.
 */
export const checkBrandColors = ({ accent_color, background_color }: BrandColors): readonly FieldError[] => [
  ...(isHexColor(accent_color) ? [] : [{ field: 'accent_color', message: formMessage }]),
  ...(background_color === null ? [] : checkBackground(background_color)),
]

const formMessage = 'must be a color of the form #rrggbb'

const checkBackground = (color: string): readonly FieldError[] => {
  const field = 'background_color'
  if (!isHexColor(color)) return [{ field, message: formMessage }]
  const text = fixedColors.light['--text']
  const ratio = contrastRatio(color, text)
  if (ratio >= textContrast) return []
  // Rounded down, so that a ratio that is too low never looks sufficient.
  const shown = (Math.floor(ratio * 100) / 100).toFixed(2)
  const message = `has a contrast of ${shown}:1 with the text of the pages (${text}). At least ${textContrast}:1 is needed: choose a lighter color`
  return [{ field, message }]
}

/**
 * Derives the colors of the pages from those of a brand, for the light and the dark scheme. It changes only the lightness
 * of the colors, and no more than their contrast needs. The colors must be accepted by `checkBrandColors`.
 */
export const deriveBrandColors = ({
  accent_color,
  background_color,
}: BrandColors): { readonly light: ColorScheme; readonly dark: ColorScheme } => {
  const accent = accent_color.toLowerCase()
  const background = background_color?.toLowerCase()
  const { light, dark } = fixedColors
  const darkBackground = background && mixUntil(background, black, [dark['--text']], darkPageContrast)
  return {
    light: addAccent({ ...light, '--background': background ?? light['--background'] }, accent, black),
    dark: addAccent(
      { ...dark, '--background': darkBackground ?? dark['--background'] },
      mixUntil(accent, white, [dark['--surface']], partContrast),
      white,
    ),
  }
}

const addAccent = (
  scheme: Omit<ColorScheme, '--accent' | '--on-accent' | '--accent-line' | '--link' | '--focus'>,
  accent: string,
  towards: string,
): ColorScheme => {
  const areas = [scheme['--surface'], scheme['--background'], scheme['--error-background']]
  const line = mixUntil(accent, towards, areas, partContrast)
  return {
    ...scheme,
    '--accent': accent,
    '--on-accent': contrastRatio(accent, white) >= contrastRatio(accent, black) ? white : black,
    '--accent-line': line,
    '--link': mixUntil(accent, towards, areas, textContrast),
    '--focus': looksLikeError(accent) ? scheme['--text'] : line,
  }
}

/** Whether a color is so red that a frame of it would look like that of a wrong field. */
const looksLikeError = (color: string): boolean => {
  const [red = 0, green = 0, blue = 0] = getChannels(color)
  return red >= 96 && red - Math.max(green, blue) >= red / 2 && Math.abs(green - blue) <= red / 3
}

/** Mixes a color with black or white, in steps of one percent, until it has this contrast with all the others. */
const mixUntil = (color: string, towards: string, others: readonly string[], needed: number): string => {
  const shares = Array.from({ length: 101 }, (_, percent) => percent / 100)
  const share = shares.find((candidate) => {
    const mixed = mix(color, towards, candidate)
    return others.every((other) => contrastRatio(mixed, other) >= needed)
  })
  return mix(color, towards, share ?? 1)
}

/** Mixes two colors like `color-mix(in srgb, …)`. */
const mix = (color: string, other: string, share: number): string => {
  const others = getChannels(other)
  const mixed = getChannels(color).map((value, at) =>
    Math.round(value * (1 - share) + (others[at] ?? 0) * share)
      .toString(16)
      .padStart(2, '0'),
  )
  return `#${mixed.join('')}`
}

/** The relative luminance, from 0 to 1 (WCAG 2.2). */
const getLuminance = (color: string): number => {
  const [red = 0, green = 0, blue = 0] = getChannels(color).map((value) => {
    const part = value / 255
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

const getChannels = (color: string): readonly number[] =>
  [1, 3, 5].map((start) => Number.parseInt(color.slice(start, start + 2), 16))
