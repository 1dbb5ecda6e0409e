import { checkBrandColors } from '../../lib/branding/brand-colors.ts'
import { defaultBranding } from '../../lib/branding/branding.ts'
import type { BrandingSettings as SettingsBody } from '../../lib/contract/models/branding.ts'
import { isDisplayText } from '../../lib/contract/models/display-text.ts'
import { type FieldError, invalidRequest } from '../../lib/errors/errors.ts'
import { toDeliverableAddress } from '../../lib/mail/address.ts'
import { toOneLine } from '../../lib/mail/one-line.ts'
import type { BrandingSettings } from '../../lib/store/records/branding-record.ts'
import { omitUndefined } from '../../lib/util/omit-undefined.ts'

const nameMessage =
  'must be one line with visible characters, without characters that are invisible or change the direction of text'
const pageMessage = 'must be a URL with https, without a username or password'
const supportMessage = 'must be a URL with https, or mailto: and an email address'

/** Reads the settings that a body contains. @throws AppError `invalid_request` that lists every invalid one */
export const readBrandingSettings = (body: SettingsBody): Partial<BrandingSettings> => {
  const errors: FieldError[] = [
    ...checkBrandColors({
      accentColor: body.accent_color ?? defaultBranding.accentColor,
      backgroundColor: body.background_color ?? null,
    }),
  ]
  const read = (
    field: keyof SettingsBody,
    normalize: (text: string) => string | undefined,
    message: string,
  ): string | null | undefined => {
    const given = body[field]
    if (given === undefined || given === null) return given
    const normalized = normalize(given)
    if (normalized === undefined) errors.push({ field, message })
    return normalized
  }
  const settings = {
    productName: read('product_name', normalizeName, nameMessage),
    accentColor: read('accent_color', toLowerCase, ''),
    backgroundColor: read('background_color', toLowerCase, ''),
    supportUrl: read('support_url', (text) => normalizePage(text) ?? normalizeMailbox(text), supportMessage),
    privacyUrl: read('privacy_url', normalizePage, pageMessage),
    termsUrl: read('terms_url', normalizePage, pageMessage),
  }
  if (errors.length > 0) throw invalidRequest(errors)
  return omitUndefined(settings)
}

const toLowerCase = (text: string): string => text.toLowerCase()

/** Invisible characters, apart from those that join letters and emoji, and characters without a meaning. */
const unusable = /(?![\u200c\u200d])\p{Cf}|\p{Co}/u
const visible = /[\p{L}\p{N}\p{P}\p{S}]/u

/** Names are part of subjects and headings, so they cannot contain anything that `toOneLine` would remove. */
const normalizeName = (text: string): string | undefined => {
  const name = text.trim().normalize('NFC')
  return toOneLine(name, name.length) === name &&
    !unusable.test(name) &&
    isDisplayText(name) &&
    visible.test(name)
    ? name
    : undefined
}

/** Characters of a URL, in the ASCII form that pages and emails contain. */
const urlLength = 500

const normalizePage = (text: string): string | undefined => {
  if (/[\s\p{C}\\]/u.test(text)) return undefined
  const url = URL.parse(text)
  if (url?.protocol !== 'https:' || url.username !== '' || url.password !== '') return undefined
  return url.href.length <= urlLength ? url.href : undefined
}

/** Only the address: a subject or a copy to others could be added to it. */
const normalizeMailbox = (text: string): string | undefined => {
  const [, address] = /^mailto:([^?#%@]+@[^?#%@]+)$/i.exec(text) ?? []
  const deliverable = address === undefined ? undefined : toDeliverableAddress(address)
  return deliverable && `mailto:${deliverable}`
}
