import { formerLogoLifetimeMs, formerLogosMax, logoKinds } from '../../kernel/limits/limits.ts'
import { brandingKey, logoKey } from '../../kernel/table/keys/keys.ts'
import { createCodec, findRecord } from '../../kernel/table/records.ts'
import { buildSettingsStep, replaceSettings } from '../../kernel/table/replace-settings.ts'
import type { Table } from '../../kernel/table/table.ts'
import type { Step } from '../../kernel/table/transaction.ts'
import { listNames, omitUndefined } from '../../kernel/util/object-fields.ts'
import { type Branding, defaultBranding, type Logo, type LogoKind } from './brand.models.ts'

export interface BrandingChange {
  /** The branding that was read before. */
  readonly before: StoredBranding | undefined
  readonly after: BrandingFields
  /** Images that the branding did not have before are among these. */
  readonly images: readonly { readonly logo: Pick<Logo, 'hash'>; readonly record: LogoRecord }[]
  readonly nowMs: number
}

/**
 * Replaces the branding that was read before. A logo that nothing uses anymore becomes a former logo, because emails show
 * it. The oldest former logos are deleted when there are too many.
 *
 * @throws EditConflict if the branding was changed since
 */
export const replaceBranding = (
  table: Table,
  { before, after, images, nowMs }: BrandingChange,
  extraSteps: readonly Step[],
): Promise<void> => {
  const used = listLogos(after)
  const known = listLogos(before)
  const retired = known.filter((hash) => !used.includes(hash))
  const added = new Map(images.map(({ logo: { hash }, record }) => [hash, record]))
  const until = nowMs + formerLogoLifetimeMs
  const former: readonly FormerLogo[] = [
    ...retired.map((hash) => ({ hash, until })),
    ...(before?.formerLogos ?? []).filter((logo) => logo.until > nowMs && !used.includes(logo.hash)),
  ]
  const deleted = former.slice(formerLogosMax).map(({ hash }) => hash)
  const steps: readonly Step[] = [
    ...[...added]
      .filter(([hash]) => used.includes(hash) && !known.includes(hash))
      .map(([hash, record]) => buildLogoStep(hash, record)),
    ...retired
      .filter((hash) => !deleted.includes(hash))
      .map((hash): Step => buildLogoExpiryStep(hash, until)),
    ...deleted.map((hash): Step => ({ delete: logoKey(hash) })),
  ]
  const formerLogos = former.slice(0, formerLogosMax)
  const fields = { ...after, formerLogos, ...omitUndefined({ hasEmailTexts: before?.hasEmailTexts }) }
  return replaceSettings(table, { key: brandingKey, before, fields }, [...steps, ...extraSteps])
}

/**
 * Builds the step that notes that there are own words of emails, so that emails without any read nothing for them. It fails with
 * `EditConflict` if the branding was changed since.
 */
export const buildEmailTextsSteps = (before: StoredBranding | undefined): readonly Step[] => {
  if (before?.hasEmailTexts) return []
  const { service = unsetBranding, products = [], formerLogos = [] } = before ?? {}
  const fields = { service, products, formerLogos, hasEmailTexts: true }
  return [buildSettingsStep({ key: brandingKey, before, fields })]
}

/**
 * Builds the steps that store the images that an owner begins to show, and delete those that it stops to show. No one else shows
 * them: see `readLogoUpload`.
 */
export const buildOwnLogoSteps = (
  before: OwnLogos | null | undefined,
  after: OwnLogos | null,
  images: BrandingChange['images'] = [],
): readonly Step[] => {
  const [known, used] = [listHashes(before), listHashes(after)]
  const added = new Map(images.map(({ logo: { hash }, record }) => [hash, record]))
  return [
    ...[...added]
      .filter(([hash]) => !known.includes(hash))
      .map(([hash, record]) => buildLogoStep(hash, record)),
    ...known.filter((hash) => !used.includes(hash)).map((hash): Step => ({ delete: logoKey(hash) })),
  ]
}

type OwnLogos = Partial<Pick<BrandingSettings, LogoKind>>

const listHashes = (logos: OwnLogos | null | undefined): readonly string[] => [
  ...new Set(logoKinds.flatMap((kind) => logos?.[kind]?.hash ?? [])),
]

/** The images that the service or a product shows, each once. */
const listLogos = (fields: BrandingFields | undefined): readonly string[] => [
  ...new Set([fields?.service, ...(fields?.products ?? [])].flatMap(listHashes)),
]

/** What was set of a branding. Null is not set. */
export type BrandingSettings = { readonly [Field in keyof Branding]: Branding[Field] | null }

/** What was set for one of the products that access links lead to. */
export interface ProductBrandingSettings extends BrandingSettings {
  readonly name: string
}

/** A logo that was replaced or removed. Emails that were sent before still show it. */
export interface FormerLogo {
  readonly hash: string
  /** Epoch milliseconds. */
  readonly until: number
}

/**
 * All branding of the service in one item, so that a page or an email needs one read. The number of products is bounded by
 * the length of their setting, and the number of former logos by the writes.
 */
export interface StoredBranding {
  readonly service: BrandingSettings
  readonly products: readonly ProductBrandingSettings[]
  readonly formerLogos: readonly FormerLogo[]
  /** Whether own words of emails were ever set. Missing if not. */
  readonly hasEmailTexts?: boolean
  /** Increases with each edit. An edit of an older version is rejected. */
  readonly version: number
}

/** What administrators set, without what the service needs to keep track of it. */
export type BrandingFields = Pick<StoredBranding, 'service' | 'products'>

/** Settings in which nothing is set. */
export const unsetBranding = Object.fromEntries(
  listNames(defaultBranding).map((name) => [name, null]),
) as BrandingSettings

const brandingCodec = createCodec<StoredBranding>('branding', {
  service: 'map',
  products: 'list',
  formerLogos: 'list',
  version: 'number',
})

/** The stored branding. Undefined if none was ever set. */
export const findBrandingRecord = (table: Table): Promise<StoredBranding | undefined> =>
  findRecord(table, brandingCodec, brandingKey)

/** The image of a logo. Its hash is in its key, so that an image that many use is stored once. */
export interface LogoRecord extends Omit<Logo, 'hash'> {
  /** In base64, as API Gateway takes binary bodies. */
  readonly data: string
  /** Epoch seconds. Only logos that nothing uses anymore expire. */
  readonly expires_at?: number
}

const logoCodec = createCodec<LogoRecord>('logo', {
  contentType: 'string',
  width: 'number',
  height: 'number',
  data: 'string',
})

/** Finds a logo that has not expired. */
export const findLogo = async (
  table: Table,
  hash: string,
  nowMs: number,
): Promise<LogoRecord | undefined> => {
  const item = await table.get(logoKey(hash))
  // An update of a missing logo leaves an item without an image.
  const logo = item?.['data'] === undefined ? undefined : logoCodec.decode(item)
  return logo?.expires_at !== undefined && logo.expires_at * 1000 <= nowMs ? undefined : logo
}

/** Builds the step that stores a logo. It does not expire, even if it was a former logo before. */
const buildLogoStep = (hash: string, logo: LogoRecord): Step => ({
  put: { ...logoKey(hash), ...logoCodec.encode(logo) },
})

/** Builds the step that lets a logo expire. */
const buildLogoExpiryStep = (hash: string, expiresAtMs: number): Step => ({
  update: logoKey(hash),
  changes: (x) => ({ set: [`${x.path('expires_at')} = ${x.value(Math.ceil(expiresAtMs / 1000))}`] }),
})
