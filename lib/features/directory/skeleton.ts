import { createHash } from 'node:crypto'
import replaceConfusables from 'unhomoglyph'

const show = (text: string): string => replaceConfusables(text.normalize('NFD')).normalize('NFD')

/**
 * Builds a digest of how a username looks (Unicode TS 39, section 4). Case decides about looks: a capital `I` is like an `l`,
 * and its small letter is not. So the name is compared as it is written, and then in small letters, in which `Paypal` and
 * `paypal` are the same.
 */
export const buildSkeleton = (username: string): string => {
  const skeleton = show(show(username.normalize('NFKC')).toLowerCase())
  return createHash('sha256').update(skeleton).digest('base64url')
}
