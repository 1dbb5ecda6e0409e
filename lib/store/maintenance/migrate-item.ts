import type { Codec } from '../engine/codec.ts'
import type { Item } from '../engine/transaction.ts'
import { groupKind } from '../records/group-record.ts'
import { samlProviderKind } from '../records/saml-provider-record.ts'
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
 * Converts an item to the present version of its kind. Returns the item itself if it has that version, or if there was
 * never another one.
 *
 * @throws NewerItem if a later version of Latchkey wrote the item.
 */
export const migrateItem = (item: Item): Item => {
  const kind = versionedKinds[item.sk]
  if (!kind) return item
  const { schemaVersion } = kind.stamp
  return item['schemaVersion'] === schemaVersion ? item : { ...kind.upgrade(item), ...kind.stamp }
}
