import type { UseCase } from '../../http/use-case.ts'
import { isDisplayText } from '../../kernel/contract/text-rules.ts'
import { type FieldError, invalidRequest } from '../../kernel/errors/errors.ts'
import { omitUndefined } from '../../kernel/util/object-fields.ts'
import { toDeliverableAddress } from '../mail/mail-addresses.ts'
import { toOneLine } from '../mail/user-text.ts'
import { type BrandTexts, defaultBranding } from './brand.models.ts'
import { checkBrandColors } from './brand-colors.ts'
import { toBrandingBody, toProductBody } from './branding-body.ts'
import { editProductBranding, editServiceBranding, requireProduct } from './edit-scope.ts'
import { resolveBranding } from './find-branding.ts'
import type { ServiceBrandingSettings as SettingsBody, BrandingTexts as TextsBody } from './models.ts'
import type { branding } from './operations.ts'
import { type BrandingSettings, findBrandingRecord, unsetBranding } from './records.ts'

/** Shows the branding without a cache, so that an administrator sees a change at once. */
export const getBranding: UseCase<typeof branding.getBranding> = async ({ query }, { table, config }) => {
  const product = query.product === undefined ? undefined : requireProduct(config, query.product)
  const stored = await findBrandingRecord(table)
  return { status: 200, body: toBrandingBody(config, resolveBranding(stored, product)) }
}

export const getProductBrandings: UseCase<typeof branding.getProductBrandings> = async (
  _,
  { table, config },
) => {
  const stored = await findBrandingRecord(table)
  return { status: 200, body: config.linkProducts.map(({ name }) => toProductBody(config, stored, name)) }
}

type Given = Partial<BrandingSettings>

/** Replaces everything but the images, which have operations of their own. */
const replaceBy = (given: Given) => ({
  change: ({ logo, darkLogo, icon }: BrandingSettings) => ({
    ...unsetBranding,
    logo,
    darkLogo,
    icon,
    ...given,
  }),
})
const mergeWith = (given: Given) => ({
  change: (settings: BrandingSettings) => ({ ...settings, ...given }),
})
/** Removes everything, also the logo. */
const reset = { change: () => unsetBranding, isReset: true }

export const updateBranding: UseCase<typeof branding.updateBranding> = async ({ body, context }, services) =>
  editServiceBranding(services, context, replaceBy(readBrandingSettings(body)))

export const patchBranding: UseCase<typeof branding.patchBranding> = async ({ body, context }, services) =>
  editServiceBranding(services, context, mergeWith(readBrandingSettings(body)))

/** Returns to the defaults. Products keep what was set for them. */
export const resetBranding: UseCase<typeof branding.resetBranding> = async ({ context }, services) => {
  await editServiceBranding(services, context, reset)
  return { status: 204 }
}

export const updateProductBranding: UseCase<typeof branding.updateProductBranding> = async (
  request,
  services,
) => editProductBranding(services, request, replaceBy(readBrandingSettings(request.body)))

export const patchProductBranding: UseCase<typeof branding.patchProductBranding> = async (
  request,
  services,
) => editProductBranding(services, request, mergeWith(readBrandingSettings(request.body)))

/** Removes what was set for a product, which then inherits all of it. */
export const resetProductBranding: UseCase<typeof branding.resetProductBranding> = async (
  request,
  services,
) => {
  await editProductBranding(services, request, reset)
  return { status: 204 }
}

const nameMessage =
  'must be one line with visible characters, without characters that are invisible or change the direction of text'
const pageMessage = 'must be a URL with https, without a username or password'
const supportMessage = 'must be a URL with https, or mailto: and an email address'

/** Reads the settings that a body contains. @throws AppError `invalid_request` that lists every invalid one */
const readBrandingSettings = (body: SettingsBody): Partial<BrandingSettings> => {
  const errors: FieldError[] = [
    ...checkBrandColors({
      accentColor: body.accent_color ?? defaultBranding.accentColor,
      backgroundColor: body.background_color ?? null,
    }),
  ]
  const read = (
    field: Exclude<keyof SettingsBody, 'corner_radius' | 'texts'>,
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
    cornerRadius: body.corner_radius,
    supportUrl: read('support_url', normalizeSupport, supportMessage),
    privacyUrl: read('privacy_url', normalizePage, pageMessage),
    termsUrl: read('terms_url', normalizePage, pageMessage),
    texts: body.texts && (body.texts.length === 0 ? null : readTexts(body.texts, errors)),
  }
  if (errors.length > 0) throw invalidRequest(errors)
  return omitUndefined(settings)
}

/** Reads the texts of all languages. Adds what is wrong with them to the errors. */
const readTexts = (given: readonly TextsBody[], errors: FieldError[]): readonly BrandTexts[] => {
  if (new Set(given.map(({ language }) => language)).size < given.length)
    errors.push({ field: 'texts', message: 'must have at most one entry for each language' })
  return given.map(({ language, greeting, footer, support_url }, at) => {
    const read = (
      field: string,
      text: string | null | undefined,
      normalize: (text: string) => string | undefined,
      message: string,
    ): string | null => {
      const normalized = text === null || text === undefined ? null : normalize(text)
      if (normalized === undefined) errors.push({ field: `texts.${at}.${field}`, message })
      return normalized ?? null
    }
    return {
      language,
      greeting: read('greeting', greeting, normalizeName, nameMessage),
      footer: read('footer', footer, normalizeName, nameMessage),
      supportUrl: read('support_url', support_url, normalizeSupport, supportMessage),
    }
  })
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

const normalizeSupport = (text: string): string | undefined => normalizePage(text) ?? normalizeMailbox(text)

/** Only the address: a subject or a copy to others could be added to it. */
const normalizeMailbox = (text: string): string | undefined => {
  const [, address] = /^mailto:([^?#%@]+@[^?#%@]+)$/i.exec(text) ?? []
  const deliverable = address === undefined ? undefined : toDeliverableAddress(address)
  return deliverable && `mailto:${deliverable}`
}
