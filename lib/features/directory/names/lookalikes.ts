import type { Config } from '../../../kernel/settings/config.ts'

/**
 * The looks of a username for the record of its user. Names that look the same have the same skeleton, and only one user can
 * hold it. It is a digest, because all requests read the record and a skeleton can be long.
 */
export interface SkeletonField {
  readonly normalizedSkeleton: string | undefined
}

/** Builds the field for a new username. Without the rule, the name does not keep others from looking like it. */
export const buildSkeletonField = async (
  { allowLookalikeUsernames }: Pick<Config, 'allowLookalikeUsernames'>,
  username: string,
): Promise<SkeletonField> => {
  if (allowLookalikeUsernames) return { normalizedSkeleton: undefined }
  // The table of characters is large, and most requests set no name.
  const { buildSkeleton } = await import('./skeleton.ts')
  return { normalizedSkeleton: buildSkeleton(username) }
}
