const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789'
const endings = new Map(Object.entries({ '+': '/', '/': '+', '-': '_', _: '-' }))

/**
 * Flips one bit of a text in hexadecimal, base62, base64 or base64url, by default in its middle. The result has the same alphabet, and
 * always differs. Fixed characters in place of others would sometimes be what was there. The last character of base64 can have bits
 * without a meaning.
 */
export const flipBit = (text: string, at = Math.floor(text.length / 2)): string => {
  const place = at < 0 ? text.length + at : at
  const character = text[place] ?? ''
  const flipped = endings.get(character) ?? alphabet[alphabet.indexOf(character) ^ 1]
  if (flipped === undefined) throw new Error(`There is no bit to flip in "${character}".`)
  return text.slice(0, place) + flipped + text.slice(place + 1)
}
