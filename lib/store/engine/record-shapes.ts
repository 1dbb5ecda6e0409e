type Fields = Record<string, unknown>

const mostShapes = 500
const shapes = new Map<number, Fields>()

/**
 * Builds a record of names and values from the index `first` on. `signature` is the sum of the numbers of the names.
 *
 * An engine may return the attributes of each record in another order. Adding them in that order would give each record a
 * hidden class of its own in V8, which costs more than anything else in reading. A copy of an earlier record with the same
 * names has their class already.
 */
export const buildRecord = (
  names: readonly string[],
  values: readonly unknown[],
  first: number,
  signature: number,
): Fields => {
  const shape = shapes.get(signature)
  if (shape) {
    const record = fill({ ...shape }, names, values, first)
    // Other names with the same sum would have added properties.
    if (Object.keys(record).length === names.length - first) return record
  }
  const record = fill({}, names, values, first)
  if (shapes.size >= mostShapes) shapes.clear()
  // Without values, because they may be secrets.
  shapes.set(signature, Object.fromEntries(Object.keys(record).map((name) => [name, undefined])))
  return record
}

const fill = (
  record: Fields,
  names: readonly string[],
  values: readonly unknown[],
  first: number,
): Fields => {
  for (let at = first; at < names.length; at++) record[names[at] ?? ''] = values[at]
  return record
}
