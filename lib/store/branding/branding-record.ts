import type { Branding } from '../../branding/branding.ts'
import { createCodec } from '../engine/codec.ts'
import { findRecord } from '../engine/read-records.ts'
import type { Table } from '../engine/table.ts'
import { brandingKey } from '../keys/keys.ts'

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
  /** Increases with each edit. An edit of an older version is rejected. */
  readonly version: number
}

/** What administrators set, without what the service needs to keep track of it. */
export type BrandingFields = Pick<StoredBranding, 'service' | 'products'>

/** Settings in which nothing is set. */
export const unsetBranding: BrandingSettings = {
  productName: null,
  logo: null,
  accentColor: null,
  backgroundColor: null,
  supportUrl: null,
  privacyUrl: null,
  termsUrl: null,
}

const brandingCodec = createCodec<StoredBranding>('branding', {
  service: 'map',
  products: 'list',
  formerLogos: 'list',
  version: 'number',
})

/** The stored branding. Undefined if none was ever set. */
export const findBrandingRecord = (table: Table): Promise<StoredBranding | undefined> =>
  findRecord(table, brandingCodec, brandingKey)
