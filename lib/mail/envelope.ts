import type { Branding } from '../branding/branding.ts'
import type { Language } from '../i18n/languages.ts'
import { toOneLine } from './one-line.ts'

/** Where an email goes, in which language, and in whose name. */
export interface Envelope {
  readonly to: string
  readonly language: Language
  readonly branding: Branding
  /** The origin of the service. It comes from the configuration and never from a request. */
  readonly publicUrl: string
}

/** The name of the product as a part of a line. */
export const getProductName = ({ branding }: Pick<Envelope, 'branding'>): string =>
  toOneLine(branding.productName, 100)

export const getHost = ({ publicUrl }: Pick<Envelope, 'publicUrl'>): string => new URL(publicUrl).host
