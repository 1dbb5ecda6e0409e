import type { RequestContext } from '../../accounts/callers/request-context.ts'
import { toDeliverableAddress } from '../../accounts/outbox/mail-addresses.ts'
import type { UseCase } from '../../http/use-case.ts'
import { project } from '../../kernel/contract/projection.ts'
import { isDisplayText } from '../../kernel/contract/text-rules.ts'
import { collectErrors, type FieldError, invalidRequest } from '../../kernel/errors/errors.ts'
import { logoKinds } from '../../kernel/limits/limits.ts'
import type { Config } from '../../kernel/settings/config.ts'
import { listNames, omitUndefined } from '../../kernel/util/object-fields.ts'
import type { Services } from '../../services.ts'
import { normalizeReplyTo, normalizeSenderName, senderNameRule } from '../mail/email-sender.ts'
import { listServiceDomains } from '../mail/own-texts/own-domains.ts'
import { toOneLine } from '../mail/user-text.ts'
import { type BrandTexts, defaultBranding, type LogoKind } from './brand.models.ts'
import { checkBrandColors } from './brand-colors.ts'
import { toBrandingBody, toProductBody } from './branding-body.ts'
import { editBranding, editProductBranding, editServiceBranding, requireProduct } from './edit-scope.ts'
import { resolveBranding } from './find-branding.ts'
import type { LogoUpload, ServiceBrandingSettings as SettingsBody } from './models.ts'
import type { branding } from './operations.ts'
import { type ReadLogo, readLogoUpload } from './read-logo.ts'
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
  change: (settings: BrandingSettings) => ({
    ...unsetBranding,
    ...project(logoKinds, settings),
    ...given,
  }),
})
const mergeWith = (given: Given) => ({
  change: (settings: BrandingSettings) => ({ ...settings, ...given }),
})
/** Removes everything, also the logo. */
const reset = { change: () => unsetBranding, isReset: true }

export const updateBranding: UseCase<typeof branding.updateBranding> = async ({ body, context }, services) =>
  editServiceBranding(services, context, replaceBy(readBrandingSettings(services.config, body)))

export const patchBranding: UseCase<typeof branding.patchBranding> = async ({ body, context }, services) =>
  editServiceBranding(services, context, mergeWith(readBrandingSettings(services.config, body)))

/** Returns to the defaults. Products keep what was set for them. */
export const resetBranding: UseCase<typeof branding.resetBranding> = async ({ context }, services) => {
  await editServiceBranding(services, context, reset)
  return { status: 204 }
}

export const updateProductBranding: UseCase<typeof branding.updateProductBranding> = async (
  request,
  services,
) => editProductBranding(services, request, replaceBy(readBrandingSettings(services.config, request.body)))

export const patchProductBranding: UseCase<typeof branding.patchProductBranding> = async (
  request,
  services,
) => editProductBranding(services, request, mergeWith(readBrandingSettings(services.config, request.body)))

/** Removes what was set for a product, which then inherits all of it. */
export const resetProductBranding: UseCase<typeof branding.resetProductBranding> = async (
  request,
  services,
) => {
  await editProductBranding(services, request, reset)
  return { status: 204 }
}

/** The whole branding of the service or of a product, with images as they are uploaded. */
export type CompleteBranding = SettingsBody & {
  readonly [Kind in LogoKind]?: Omit<LogoUpload, 'kind'> | null | undefined
}

/**
 * Replaces all branding of the service or of a product in one edit, also the images.
 *
 * @throws AppError `invalid_request` that lists everything that is wrong
 */
export const replaceWholeBranding = async (
  services: Services,
  context: RequestContext,
  product: string | undefined,
  { logo, dark_logo, icon, ...body }: CompleteBranding,
): Promise<void> => {
  const errors: FieldError[] = []
  const settings = collectErrors(errors, '', () => readBrandingSettings(services.config, body))
  const images = new Map<LogoKind, ReadLogo>()
  const uploads = { logo, dark_logo, icon }
  for (const kind of logoKinds) {
    const upload = uploads[kind]
    const read = upload && collectErrors(errors, `${kind}.`, () => readLogoUpload(upload))
    if (read) images.set(kind, read)
  }
  if (errors.length > 0) throw invalidRequest(errors)
  const logos = Object.fromEntries([...images].map(([kind, image]) => [kind, image.logo]))
  await editBranding(services, {
    context,
    product: product === undefined ? undefined : requireProduct(services.config, product),
    change: () => ({ ...unsetBranding, ...settings, ...logos }),
    images: [...images.values()],
  })
}

interface TextRule {
  readonly normalize: (text: string) => string | undefined
  /** The error for a text that has no normal form. */
  readonly message: string
}
type TextRules<Name extends string> = Readonly<Record<Name, TextRule>>

/** Reads the texts that are given, by rules of their fields. Adds what is wrong with them to the errors. */
const readTexts = <Name extends string>(
  rules: TextRules<Name>,
  given: { readonly [Field in Name]?: string | null | undefined },
  errors: FieldError[],
  path = '',
): { readonly [Field in Name]?: string | null } => {
  const read: { [Field in Name]?: string | null } = {}
  for (const field of listNames(rules)) {
    const text = given[field]
    if (text === undefined) continue
    const normalized = text === null ? null : rules[field].normalize(text)
    if (normalized === undefined) errors.push({ field: `${path}${field}`, message: rules[field].message })
    else read[field] = normalized
  }
  return read
}

/** Reads the settings that a body contains. @throws AppError `invalid_request` that lists every invalid one */
const readBrandingSettings = (config: Config, { texts, ...body }: SettingsBody): Given => {
  const errors: FieldError[] = [
    ...checkBrandColors({
      accent_color: body.accent_color ?? defaultBranding.accent_color,
      background_color: body.background_color ?? null,
    }),
  ]
  const settings = {
    ...omitUndefined(body),
    ...readTexts(listRules(config), body, errors),
    ...(texts !== undefined && { texts: texts && readLanguages(texts, errors) }),
  }
  if (errors.length > 0) throw invalidRequest(errors)
  return settings
}

/** Reads the texts of all languages. Null for none. */
const readLanguages = (
  given: NonNullable<SettingsBody['texts']>,
  errors: FieldError[],
): readonly BrandTexts[] | null => {
  if (new Set(given.map(({ language }) => language)).size < given.length)
    errors.push({ field: 'texts', message: 'must have at most one entry for each language' })
  const read = given.map(({ language, ...texts }, at) => ({
    language,
    ...noTexts,
    ...readTexts(languageRules, texts, errors, `texts.${at}.`),
  }))
  return read.length === 0 ? null : read
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

const oneLine: TextRule = {
  normalize: normalizeName,
  message:
    'must be one line with visible characters, without characters that are invisible or change the direction of text',
}
const page: TextRule = {
  normalize: normalizePage,
  message: 'must be a URL with https, without a username or password',
}
const support: TextRule = {
  normalize: normalizeSupport,
  message: 'must be a URL with https, or mailto: and an email address',
}
/** `checkBrandColors` has found the colors that are none. */
const color: TextRule = { normalize: toLowerCase, message: '' }

const settingRules: TextRules<Exclude<keyof SettingsBody, 'corner_radius' | 'texts' | 'reply_to'>> = {
  product_name: oneLine,
  accent_color: color,
  background_color: color,
  support_url: support,
  privacy_url: page,
  terms_url: page,
  sender_name: { normalize: normalizeSenderName, message: senderNameRule },
}

const listRules = (config: Config): TextRules<Exclude<keyof SettingsBody, 'corner_radius' | 'texts'>> => {
  const own = listServiceDomains(config)
  const replyTo = {
    normalize: (address: string) => normalizeReplyTo(address, own),
    message: `must be an email address in one of these domains: ${[...own.hosts, ...own.domains].join(', ')}`,
  }
  return { ...settingRules, reply_to: replyTo }
}

const languageRules: TextRules<Exclude<keyof BrandTexts, 'language'>> = {
  greeting: oneLine,
  footer: oneLine,
  support_url: support,
}
const noTexts = { greeting: null, footer: null, support_url: null }
