import { type NamedKind, sortableId } from './keys.ts'

export type ListedKind = 'user' | 'saml-provider' | NamedKind

/** The partition of the listing index that lists all records of a kind. */
export const listingPartition = (kind: ListedKind, order: 'id' | 'name'): string =>
  order === 'id' ? kind : `${kind}#by-name`

/** The entry of a record in the listing index, in order of ID. */
export const idListing = (kind: ListedKind, id: number) => ({
  lpk: listingPartition(kind, 'id'),
  lsk: sortableId(id),
})
export const userListing = (id: number) => idListing('user', id)

/**
 * The entry in order of name. It belongs to the marker of the name. A tab sorts before all characters of a name. The
 * name is cut off because a sort key has at most 1,024 bytes, and then the ID decides.
 */
export const nameListing = (kind: ListedKind, normalizedName: string, id: number) => ({
  lpk: listingPartition(kind, 'name'),
  lsk: `${[...normalizedName].slice(0, 200).join('')}\t${sortableId(id)}`,
})

/** The partition of the listing index that lists all access tokens. Those of shorter lists begin with it and a `#`. */
export const accessTokenList = 'access-token'
