/**
 * Every key of the table. A user's sessions lie in the user's own partition, so that one strongly consistent
 * query finds them all; whatever must be unique has a marker of its own.
 */
export interface Key {
  readonly pk: string
  readonly sk: string
}

export const userKey = (id: number): Key => ({ pk: `user#${id}`, sk: 'user' })
export const sessionKey = (userId: number, hash: string): Key => ({
  pk: `user#${userId}`,
  sk: `session#${hash}`,
})
export const usernameKey = (foldedUsername: string): Key => ({
  pk: `username#${foldedUsername}`,
  sk: 'username',
})
export const emailKey = (foldedEmail: string): Key => ({ pk: `email#${foldedEmail}`, sk: 'email' })
export const groupKey = (id: number): Key => ({ pk: `group#${id}`, sk: 'group' })
export const counterKey = (kind: CountedKind): Key => ({ pk: `counter#${kind}`, sk: 'counter' })
/** Records of a month lie together, newest last; so a listing reads months, and a busy day is no partition of its own. */
export const auditKey = (at: number, place: string): Key => ({ pk: auditMonth(at), sk: place })
export const auditMonth = (at: number): string => `audit#${new Date(at).toISOString().slice(0, 7)}`
export const auditListing = (user: number, place: string) => ({ lpk: `audit#${user}`, lsk: place })
/** Put with the first administrator, so that there is a first one once, even when it is later renamed or deleted. */
export const firstAdminKey: Key = { pk: 'setup#first-admin', sk: 'setup' }

export type CountedKind = 'user'

/** The listing index: one partition a kind (or a kind and owner), in order of id. */
export const userListing = (id: number) => ({ lpk: 'user', lsk: sortableId(id) })

const sortableId = (id: number): string => String(id).padStart(10, '0')
