import { createHash } from 'node:crypto'
import type { Config } from '../../core/config.ts'

/**
 * The names of a user for its record. Names that look the same have the same skeleton (Unicode TS 39, section 4), and only
 * one user can hold a skeleton. It is a digest, because all requests read the record and a skeleton can be long.
 */
export interface SkeletonField {
  readonly normalizedSkeleton: string | undefined
}

/** Builds the field for a new username. Without the rule, the name does not keep others from looking like it. */
export const buildSkeletonField = async (
  { allowLookalikeUsernames }: Pick<Config, 'allowLookalikeUsernames'>,
  username: string,
): Promise<SkeletonField> => ({
  normalizedSkeleton: allowLookalikeUsernames ? undefined : await buildSkeleton(username),
})

/**
 * Case decides about looks: a capital `I` is like an `l`, and its small letter is not. So the name is compared as it is
 * written, and then in small letters, in which `Paypal` and `paypal` are the same.
 */
const buildSkeleton = async (username: string): Promise<string> => {
  // The table of characters is large, and most requests set no name.
  const { default: replaceConfusables } = await import('unhomoglyph')
  const show = (text: string): string => replaceConfusables(text.normalize('NFD')).normalize('NFD')
  const skeleton = show(show(username.normalize('NFKC')).toLowerCase())
  return createHash('sha256').update(skeleton).digest('base64url')
}
