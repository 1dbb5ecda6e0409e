/** The name of an attribute, with a number that stands for it. */
export interface KnownName {
  readonly name: string
  readonly number: number
}

const slotCount = 4096
const slots: (KnownName | undefined)[] = new Array(slotCount).fill(undefined)
const longestName = 64

/**
 * Finds the name between two positions of a text. A name that was read before is compared in place, so that no new string
 * is created and hashed. Names come from requests too (keys of maps), so only a fixed number of names is kept.
 */
export const findName = (text: string, start: number, end: number): KnownName => {
  const length = end - start
  const slot = hashEnds(text, start, length) % slotCount
  const known = slots[slot]
  if (known && known.name.length === length && text.startsWith(known.name, start)) return known
  const found = createName(text.slice(start, end))
  if (length <= longestName) slots[slot] = found
  return found
}

/** A hash of four characters and the length. It decides only where a name is kept. */
const hashEnds = (text: string, start: number, length: number): number =>
  text.charCodeAt(start) * 31 +
  text.charCodeAt(start + (length >> 1)) * 7 +
  text.charCodeAt(start + (length >> 2)) * 1021 +
  text.charCodeAt(start + length - 1) * 131 +
  length * 17

/** The numbers of equal names are equal (FNV-1a). Different names rarely have the same number. */
const createName = (slice: string): KnownName => {
  let number = 0x811c9dc5
  for (let at = 0; at < slice.length; at++) number = Math.imul(number ^ slice.charCodeAt(at), 0x01000193)
  // A slice keeps the whole text in memory. The name of a property is a string of its own.
  const [name = ''] = Object.keys({ [slice]: true })
  return { name, number }
}
