import type { Language } from '../../kernel/i18n/languages.ts'
import { nameOwner, type ShownBranding } from '../branding/brand.models.ts'
import type { EmailSender } from './email-sender.ts'
import type { EmailText } from './own-texts/find-email-text.ts'
import type { TranslateEmail } from './translate.ts'
import { asServiceText, quote, type ServiceText, toOneLine } from './user-text.ts'

/** An email to one address. Text and HTML have the same content. */
export interface Email {
  readonly to: string
  readonly subject: string
  readonly text: string
  readonly html: string
  /** Who it comes from, besides the address of the service. */
  readonly sender?: EmailSender | undefined
}

/** A style that breaks long words. Otherwise a long word would make the email wider than a phone. */
export const breakLongWords = 'overflow-wrap:anywhere;word-break:break-word'

/** Where an email goes, in which language, and in whose name. */
export interface Envelope {
  readonly to: string
  readonly language: Language
  readonly branding: ShownBranding
  /** The origin of the service. It comes from the configuration and never from a request. */
  readonly publicUrl: string
  /** The own words of the email, if there are some for its kind in its language. */
  readonly emailText?: EmailText | undefined
  /** Who it comes from, besides the address of the service. */
  readonly sender?: EmailSender | undefined
}

/** The name of the product as a part of a line. Administrators chose it. */
export const getProductName = ({ branding }: Pick<Envelope, 'branding'>): ServiceText =>
  asServiceText(toOneLine(branding.product_name, 100))

/** The same after the organization whose look the email has. */
export const getOwnerName = (envelope: Pick<Envelope, 'branding'>, t: TranslateEmail): ServiceText => {
  const { organization } = envelope.branding
  const shown = organization ? t('quoted', { text: quote(organization) }) : undefined
  return asServiceText(nameOwner(shown, getProductName(envelope)))
}

export const getHost = ({ publicUrl }: Pick<Envelope, 'publicUrl'>): ServiceText =>
  asServiceText(new URL(publicUrl).host)
