const range = (first: string, last: string): string[] => {
  const [from, to] = [first.charCodeAt(0), last.charCodeAt(0)]
  return Array.from({ length: to - from + 1 }, (_, at) => String.fromCharCode(from + at))
}

const lookAlikes = new Set('0OoQ1lI|!`\'",.;:_~^-')
const printable = range('!', '~')
const distinct = printable.filter((character) => !lookAlikes.has(character))
const otherLetters = [...range('À', 'ÿ'), ...range('Α', 'ω'), ...range('А', 'я')]

/** The characters of generated passwords, the most readable first. Later sets serve policies that need them. */
const charsets: readonly (readonly string[])[] = [
  distinct.filter((character) => /[0-9A-Za-z]/.test(character)),
  distinct,
  printable,
  otherLetters.filter((character) => /\p{L}/u.test(character)),
]

/** All suitable characters of the first set that has any. Returns no characters when no set has one. */
export const selectCharacters = (isSuitable: (character: string) => boolean): readonly string[] => {
  for (const charset of charsets) {
    const suitable = charset.filter(isSuitable)
    if (suitable.length > 0) return suitable
  }
  return []
}

/** All characters that a generated password may contain. */
export const passwordCharacters: readonly string[] = [...new Set(charsets.flat())]
