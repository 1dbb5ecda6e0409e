import { createHash } from 'node:crypto'
import replaceConfusables from 'unhomoglyph'

const show = (text: string): string => replaceConfusables(text.normalize('NFD')).normalize('NFD')

/**
 * Builds a digest of how a username looks (Unicode TS 39, section 4). Case decides about looks: a capital `I` is like an `l`,
 * and its small letter is not. So the name is compared as it is written, and then in small letters, in which `Paypal` and
 * `paypal` are the same.
 */
export const buildSkeleton = (username: string): string =>
  createHash('sha256').update(showLook(username)).digest('base64url')

/** A text as it looks. Texts that look the same are equal in this form. */
export const showLook = (text: string): string => show(show(text.normalize('NFKC')).toLowerCase())
