import { accessLinkKey } from '../../kernel/table/keys/keys.ts'
import { createCodec } from '../../kernel/table/records.ts'

/*
 * The interface calls an access link `access_token`. Its value contains its ID. So one strongly consistent
 * read finds it by ID and by value: the hash in the record shows whether the value is right.
 */

/** An object as its creator sent it. One that was shared by its ID has no other fields. */
export interface SharedObject {
  readonly id: number
  readonly name?: string
  /** The root folder of the object in the product, and its path there. */
  readonly root?: number | undefined
  readonly path?: string | undefined
}

export interface SharedBundle extends SharedObject {
  readonly asset?: number | null | undefined
}

/** Stands for the root folders of objects that were shared by their IDs. No root folder has this ID. */
export const unknownRoot = 0

/** The object that a link shares easily: equal requests of its creator return the same link. */
export interface EasySharing {
  readonly kind: 'bundle' | 'directory'
  readonly id: number
  /** A hash of all terms of the link. Not set for a link with a password: it is not reused. */
  readonly terms?: string
}

export interface AccessLinkRecord {
  readonly id: number
  /** SHA-256 of the value. */
  readonly hash: string
  /** The encrypted value, for users who may read it again. */
  readonly encryptedValue: string
  readonly createdBy: number
  /** The organization in whose name the link was made. It never changes. */
  readonly organization?: number
  /** The joining of the creator there. The link ends with it, also if they join again. */
  readonly joining?: string
  /** The ID of the recipient. The link opens a session of this user. */
  readonly user: number
  /** Whether the recipient is a guest who was created for this link and is deleted with it. */
  readonly isAnonymous: boolean
  /** Epoch milliseconds, like all times here. Never less than that of a link with a lower ID. */
  readonly createdAt: number
  readonly expiresAt: number | null
  readonly view_limit_enabled: boolean
  /** 0 if views are not limited. */
  readonly view_limit_left: number
  readonly passwordHash: string | null
  readonly require_login: boolean
  /** The URL of the page that the link opens. Null for the page of this service. */
  readonly url: string | null
  readonly bundles: readonly SharedBundle[]
  readonly directories: readonly SharedObject[]
  /** The names of the allowed actions. */
  readonly permissions: readonly string[]
  /** The root folders of the objects, each with the ID of the permission for it. */
  readonly roots: readonly { readonly id: number; readonly root: number }[]
  /** Set if the creator asked for easy sharing. Null again after another link has replaced this one. */
  readonly easySharing: EasySharing | null
  /** The newest uses by their IDs: see `activities.records.ts`. */
  readonly recentUses: Readonly<Record<string, RecentUse>>
}

/** The time and address of a use of a link. */
export interface RecentUse {
  readonly at: number
  readonly address: string
}

export const accessLinkKind = {
  keyOf: accessLinkKey,
  codec: createCodec<AccessLinkRecord>('access link', {
    id: 'number',
    hash: 'string',
    createdBy: 'number',
    user: 'number',
    isAnonymous: 'boolean',
    view_limit_enabled: 'boolean',
    view_limit_left: 'number',
    require_login: 'boolean',
    bundles: 'list',
    directories: 'list',
    permissions: 'list',
  }),
}

/** The item that names the one link that a creator shares an object with. */
export const easySharingCodec = createCodec<{ readonly tokenId: number }>('easy sharing', {
  tokenId: 'number',
})
