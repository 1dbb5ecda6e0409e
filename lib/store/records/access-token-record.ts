/*
 * A one-time access token, which people know as a link. Its value holds its id, so the one strongly consistent read
 * that finds it by id finds it by value as well: the hash that lies in the record then tells whether it is the value.
 */

export interface SharedObject {
  readonly id: number
  readonly name: string
  /** The media root that it lies in, and where in there. */
  readonly root: number
  readonly path: string
}

/*
 * A one-time access token, which people know as a link. Its value holds its id, so the one strongly consistent read
 * that finds it by id finds it by value as well: the hash that lies in the record then tells whether it is the value.
 */

export interface SharedBundle extends SharedObject {
  readonly asset: number | null
}

/*
 * A one-time access token, which people know as a link. Its value holds its id, so the one strongly consistent read
 * that finds it by id finds it by value as well: the hash that lies in the record then tells whether it is the value.
 */

export interface AccessTokenRecord {
  readonly id: number
  /** SHA-256 of the value. */
  readonly hash: string
  /** The value, for those who may read it again. */
  readonly encryptedValue: string
  readonly createdBy: number
  /** The recipient: whose session the link opens. */
  readonly user: number
  /** Whether the recipient is nobody in particular: a user that was made for this link and goes with it. */
  readonly isAnonymous: boolean
  /** Epoch milliseconds, as all times here; never less than that of a token with a lower id. */
  readonly createdAt: number
  readonly expiresAt: number | null
  readonly isViewLimited: boolean
  /** 0 as well where views aren't limited. */
  readonly viewsLeft: number
  readonly passwordHash: string | null
  readonly requireLogin: boolean
  /** The page that the link leads to, as it was given; null for ours. */
  readonly url: string | null
  readonly bundles: readonly SharedBundle[]
  readonly directories: readonly SharedObject[]
  /** The names of what is allowed. */
  readonly permissions: readonly string[]
  /** The media roots that the objects lie in, each with the id of the permission for it. */
  readonly roots: readonly { readonly id: number; readonly root: number }[]
  /** The object that everybody shares by this very token, if it is such a one. */
  readonly easySharing: EasySharing | null
}

/*
 * A one-time access token, which people know as a link. Its value holds its id, so the one strongly consistent read
 * that finds it by id finds it by value as well: the hash that lies in the record then tells whether it is the value.
 */

export interface EasySharing {
  readonly kind: 'bundle' | 'directory'
  readonly id: number
}
