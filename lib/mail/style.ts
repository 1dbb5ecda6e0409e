import { deriveBrandColors } from '../branding/brand-colors.ts'
import type { CornerRadius } from '../branding/branding.ts'
import { getDirection } from '../i18n/languages.ts'
import type { Envelope } from './envelope.ts'

/** The values of inline styles, which all email programs support. */
export interface EmailStyle {
  /** The side on which lines start. Some programs do not know logical properties. */
  readonly start: 'left' | 'right'
  readonly end: 'left' | 'right'
  readonly background: string
  readonly surface: string
  readonly text: string
  readonly faint: string
  readonly accent: string
  /** The edge of the button, where its color is as light as the surface. */
  readonly accentLine: string
  /** The radius of buttons, in pixels. */
  readonly radius: number
  readonly onAccent: string
}

/** Text that is less important, on the surface of an email. */
const faintText = { light: '#4b5563', dark: '#9ca3af' }

const radii: Readonly<Record<CornerRadius, number>> = { none: 0, small: 3, medium: 6, large: 12 }

export const createStyle = ({ branding, language }: Pick<Envelope, 'branding' | 'language'>): EmailStyle => {
  const { light } = deriveBrandColors(branding)
  const isRightToLeft = getDirection(language) === 'rtl'
  return {
    start: isRightToLeft ? 'right' : 'left',
    end: isRightToLeft ? 'left' : 'right',
    background: light['--background'],
    surface: light['--surface'],
    text: light['--text'],
    faint: faintText.light,
    accent: light['--accent'],
    accentLine: light['--accent-line'],
    radius: radii[branding.cornerRadius],
    onAccent: light['--on-accent'],
  }
}

/** The rules for the dark mode of email programs that support it. Others ignore them. */
export const createDarkRules = ({ branding }: Pick<Envelope, 'branding'>): string => {
  const { dark } = deriveBrandColors(branding)
  const rules = [
    `.page{background:${dark['--background']}!important;color:${dark['--text']}!important}`,
    `.card{background:${dark['--surface']}!important;color:${dark['--text']}!important}`,
    ...(branding.darkLogo ? ['.light-logo{display:none!important}.dark-logo{display:block!important}'] : []),
    `.faint{color:${faintText.dark}!important}`,
    `.quote{background:${dark['--background']}!important;border-color:${dark['--border']}!important}`,
    `.button{background:${dark['--accent']}!important;color:${dark['--on-accent']}!important;border-color:${dark['--accent-line']}!important}`,
  ]
  return `:root{color-scheme:light dark}@media (prefers-color-scheme:dark){${rules.join('')}}`
}
