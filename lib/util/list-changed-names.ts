type Entries = Iterable<readonly [string, unknown]>

/**
 * Returns the names whose values differ, compared as JSON. A missing name is `undefined`.
 *
 * @example
 * listChangedNames(Object.entries({ a: 1, b: [2] }), Object.entries({ a: 1, b: [3] })) // ['b']
 */
export const listChangedNames = (before: Entries, after: Entries): readonly string[] => {
  const [old, fresh] = [new Map(before), new Map(after)]
  const names = new Set([...old.keys(), ...fresh.keys()])
  return [...names].filter((name) => JSON.stringify(old.get(name)) !== JSON.stringify(fresh.get(name)))
}
