import type { Logo } from '../../branding/branding.ts'
import { createCodec } from '../engine/codec.ts'
import type { Table } from '../engine/table.ts'
import type { Step } from '../engine/transaction.ts'
import { logoKey } from '../keys/keys.ts'

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
export const buildLogoStep = (hash: string, logo: LogoRecord): Step => ({
  put: { ...logoKey(hash), ...logo },
})

/** Builds the step that lets a logo expire. */
export const buildLogoExpiryStep = (hash: string, expiresAtMs: number): Step => ({
  update: logoKey(hash),
  changes: (x) => ({ set: [`${x.path('expires_at')} = ${x.value(Math.ceil(expiresAtMs / 1000))}`] }),
})
