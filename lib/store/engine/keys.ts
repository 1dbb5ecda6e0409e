/**
 * Every key of the table. A user's sessions lie in the user's own partition, so that one strongly consistent
 * query finds them all; whatever must be unique has a marker of its own.
 */
export interface Key {
  readonly pk: string
  readonly sk: string
}

export const userKey = (id: number): Key => ({ pk: `user#${id}`, sk: 'user' })
export const dataKeyKey = (purpose: string, name: string): Key => ({
  pk: `data-key#${purpose}#${name}`,
  sk: 'data-key',
})
export const deletedUserKey = (id: number): Key => ({ pk: `gone-user#${id}`, sk: 'gone-user' })
export const sessionKey = (userId: number, hash: string): Key => ({
  pk: `user#${userId}`,
  sk: `session#${hash}`,
})
export const usernameKey = (normalizedUsername: string): Key => ({
  pk: `username#${normalizedUsername}`,
  sk: 'username',
})
export const emailKey = (normalizedEmail: string): Key => ({ pk: `email#${normalizedEmail}`, sk: 'email' })
export const groupKey = (id: number): Key => ({ pk: `group#${id}`, sk: 'group' })
/** A group's members lie in the group's partition, in order of id, where one query reads a page of them. */
export const memberKey = (groupId: number, userId: number): Key => ({
  pk: `group#${groupId}`,
  sk: `${memberPrefix}${sortableId(userId)}`,
})
export const memberPrefix = 'member#'
export const userTemplateKey = (id: number): Key => ({ pk: `user-template#${id}`, sk: 'user-template' })
/** The name of a group or of a user template. */
export const nameKey = (kind: NamedKind, normalizedName: string): Key => ({
  pk: `${kind}-name#${normalizedName}`,
  sk: 'name',
})
export const counterKey = (kind: CountedKind): Key => ({ pk: `counter#${kind}`, sk: 'counter' })
/** Records of a month lie together, newest last; so a listing reads months, and a busy day is no partition of its own. */
export const auditKey = (at: number, place: string): Key => ({ pk: auditMonth(at), sk: place })
export const auditPrefix = 'audit#'
export const auditMonth = (at: number): string => `${auditPrefix}${new Date(at).toISOString().slice(0, 7)}`
/** The same of a place, which begins with its time. */
export const auditPartition = (place: string): string => `audit#${place.slice(0, 7)}`
export const auditListing = (user: number, place: string) => ({ lpk: `audit#${user}`, lsk: place })
/** Mails to be written, in the order they were asked for. */
export const outboxPartition = 'outbox'
/** The mail of a link that was asked for, by the hash of all that makes it the same. */
export const linkMailKey = (hash: string): Key => ({ pk: `link-mail#${hash}`, sk: 'link-mail' })
/** An address that gets no mail. */
export const suppressionKey = (normalizedEmail: string): Key => ({
  pk: `suppressed#${normalizedEmail}`,
  sk: 'suppressed',
})
export const resetTokenKey = (userId: number, hash: string): Key => ({
  pk: `user#${userId}`,
  sk: `reset#${hash}`,
})
export const apiTokenPrefix = 'api-token#'
export const apiTokenKey = (userId: number, hash: string): Key => ({
  pk: `user#${userId}`,
  sk: `${apiTokenPrefix}${hash}`,
})
/** Whose a value is that its owner chose. */
export const apiTokenMarkerKey = (hash: string): Key => ({ pk: `api-token#${hash}`, sk: 'api-token' })
export const apiTokenCountKey = (userId: number): Key => ({ pk: `user#${userId}`, sk: 'api-tokens' })
/** A one-time access token; its places in lists and the times it was used lie in the same partition. */
export const accessTokenKey = (id: number): Key => ({ pk: `access-token#${id}`, sk: 'access-token' })
export const accessTokenIndexKey = (id: number, list: string): Key => ({
  pk: `access-token#${id}`,
  sk: `place#${list}`,
})
export const accessTokenActivityKey = (id: number, place: string): Key => ({
  pk: `access-token#${id}`,
  sk: `activity#${place}`,
})
/** The one token that a creator shares an object with on the same terms. */
export const easySharingKey = ({
  createdBy,
  kind,
  id,
  terms,
}: {
  readonly createdBy: number
  readonly kind: 'bundle' | 'directory'
  readonly id: number
  readonly terms: string
}): Key => ({ pk: `easy-sharing#by#${createdBy}#${kind}#${id}#${terms}`, sk: 'easy-sharing' })
/** The one token of an object for all creators, as earlier versions stored it. */
export const objectSharingKey = (kind: 'bundle' | 'directory', id: number): Key => ({
  pk: `easy-sharing#${kind}#${id}`,
  sk: 'easy-sharing',
})
/**
 * Sessions that an identity provider made lie in its partition, in order of what it calls their user: so one strongly
 * consistent query finds those of one user there, or all of them.
 */
export const samlSessionsPartition = (providerId: number): string => `saml-sessions#${providerId}`
export const samlSessionPrefix = 'session#'
export const samlSessionKey = (
  providerId: number,
  nameIdHash: string,
  userId: number,
  hash: string,
): Key => ({
  pk: samlSessionsPartition(providerId),
  sk: `${samlSessionPrefix}${nameIdHash}#${sortableId(userId)}#${hash}`,
})
/** That the provider has signed a user out: of the session that it calls by an index, or of all. */
export const samlSignOutKey = (providerId: number, nameIdHash: string, indexHash: string): Key => ({
  pk: samlSessionsPartition(providerId),
  sk: `signed-out#${nameIdHash}#${indexHash}`,
})
export const samlProviderKey = (id: number): Key => ({ pk: `saml-provider#${id}`, sk: 'saml-provider' })
/** Which provider an entity id belongs to. */
export const samlEntityKey = (entityId: string): Key => ({ pk: `saml-entity#${entityId}`, sk: 'saml-entity' })
/** What a sign-in or sign-out through a provider has to remember: it lies in the provider's partition, and goes with it. */
export const samlFlowKey = (providerId: number, hash: string): Key => ({
  pk: `saml-provider#${providerId}`,
  sk: `flow#${hash}`,
})
/** Which user an identity provider means by a name of its own; and the same at the user, with what came by it. */
export const samlAccountKey = (providerId: number, hash: string): Key => ({
  pk: `saml-account#${providerId}#${hash}`,
  sk: 'saml-account',
})
export const samlMembershipsKey = (userId: number, providerId: number, hash: string): Key => ({
  pk: `user#${userId}`,
  sk: `saml-account#${providerId}#${hash}`,
})
export const passwordPolicyKey: Key = { pk: 'settings#password-policy', sk: 'settings' }
/** Put with the first administrator, so that there is a first one once, even when it is later renamed or deleted. */
export const firstAdminKey: Key = { pk: 'setup#first-admin', sk: 'setup' }

/** Holds the ids of the administrators that can be counted on: see `admins.ts`. */
export const adminsKey: Key = { pk: 'setup#admins', sk: 'admins' }

export type NamedKind = 'group' | 'user-template'
export type CountedKind =
  | 'user'
  | 'access-token'
  | 'media-permission'
  | 'api-token'
  | 'saml-provider'
  | NamedKind
export type ListedKind = 'user' | 'saml-provider' | NamedKind

/** The listing index: one partition a kind (or a kind and owner), in order of id. */
export const idListing = (kind: ListedKind, id: number) => ({ lpk: kind, lsk: sortableId(id) })
export const userListing = (id: number) => idListing('user', id)

/**
 * The same in order of name, borne by the item that marks the name as taken. A tab comes before whatever a name may
 * hold; after so many characters the id decides, since a sort key has 1,024 bytes.
 */
export const nameListing = (kind: ListedKind, normalizedName: string, id: number) => ({
  lpk: `${kind}#by-name`,
  lsk: `${[...normalizedName].slice(0, 200).join('')}\t${sortableId(id)}`,
})

/** The id at the end of a sort key that was made with one. */
export const idAtEnd = (sortKey: string): number => Number(sortKey.slice(-10))

export const sortableId = (id: number): string => String(id).padStart(10, '0')
