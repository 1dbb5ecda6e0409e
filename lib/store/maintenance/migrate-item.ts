import type { Codec } from '../engine/codec.ts'
import { apiTokenPrefix } from '../engine/keys.ts'
import type { Item } from '../engine/transaction.ts'
import { apiTokenCodec, buildApiTokenListing } from '../records/api-token-record.ts'
import { groupKind } from '../records/group-record.ts'
import { samlProviderKind } from '../records/saml-provider-record.ts'
import { buildUserListing } from '../records/user-listing.ts'
import { userKind } from '../records/user-record.ts'
import { userTemplateKind } from '../records/user-template-record.ts'

type Upgrades = Pick<Codec<object>, 'upgrade' | 'stamp'>

/** The kinds of items that have had several versions, by their sort key. */
export const versionedKinds: Readonly<Record<string, Upgrades>> = {
  user: userKind.codec,
  group: groupKind.codec,
  'user-template': userTemplateKind.codec,
  'saml-provider': samlProviderKind.codec,
}

/**
 * Converts an item to the present version of its kind, adds it to lists where it is missing, and removes what has expired
 * in it. Returns the item itself if nothing changes.
 *
 * @throws NewerItem if a later version of Latchkey wrote the item.
 */
export const migrateItem = (item: Item, nowMs: number): Item => {
  if (item.sk.startsWith(apiTokenPrefix)) return listApiToken(item)
  const kind = versionedKinds[item.sk]
  if (!kind) return item
  const present =
    item['schemaVersion'] === kind.stamp.schemaVersion ? item : { ...kind.upgrade(item), ...kind.stamp }
  return item.sk === 'user' ? completeListing(emptyOutdatedMaps(present, nowMs)) : present
}

/** Entries of earlier versions in the list of users carry nothing, so that a search reads the records of these users. */
const completeListing = (item: Item): Item => {
  const { lpk, lsk } = buildUserListing(userKind.codec.decode(item))
  return item['lpk'] === lpk && item['lsk'] !== lsk ? { ...item, lsk } : item
}

/** API tokens of earlier versions are in no list. */
const listApiToken = (item: Item): Item =>
  item['lpk'] === undefined ? { ...item, ...buildApiTokenListing(apiTokenCodec.decode(item)) } : item

/** Longer than a ticket lasts, and than the end of a session has to be remembered for its tickets. */
const retentionMs = 60 * 60_000

/**
 * Users of earlier versions hold their tickets and ended sessions, which only a sign-in removes. Empty maps stay, because
 * earlier versions cannot read a user without them.
 */
const emptyOutdatedMaps = (item: Item, nowMs: number): Item => {
  const isOutdated = (name: string): boolean => {
    const entries = Object.values<unknown>(Object(item[name]))
    return entries.length > 0 && entries.every((entry) => getTime(entry) <= nowMs - retentionMs)
  }
  const outdated = ['tickets', 'endedSessions'].filter(isOutdated)
  return outdated.length > 0 ? { ...item, ...Object.fromEntries(outdated.map((name) => [name, {}])) } : item
}

/** When a ticket expires, or a session ended. An entry of another form stays. */
const getTime = (entry: unknown): number => {
  const { expiresAt = entry } = Object(entry) as { readonly expiresAt?: unknown }
  return typeof expiresAt === 'number' ? expiresAt : Number.POSITIVE_INFINITY
}
