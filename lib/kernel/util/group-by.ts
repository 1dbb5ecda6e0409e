/** Groups items by what a function says of each, in the order of the first items. `Map.groupBy` needs Node.js 21. */
export const groupBy = <Item, Key>(
  items: readonly Item[],
  toKey: (item: Item) => Key,
): ReadonlyMap<Key, readonly Item[]> => {
  const groups = new Map<Key, Item[]>()
  for (const item of items) {
    const key = toKey(item)
    const group = groups.get(key)
    if (group) group.push(item)
    else groups.set(key, [item])
  }
  return groups
}
