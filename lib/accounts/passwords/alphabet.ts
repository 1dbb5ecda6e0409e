const between = (first: string, last: string): string[] => {
  const [from = 0, to = 0] = [first.codePointAt(0), last.codePointAt(0)]
  return Array.from({ length: to - from + 1 }, (_, at) => String.fromCodePoint(from + at))
}

const printable = between('!', '~')
const lookAlike = new Set('0OoQ1lI|!`\'",.;:_~^-')

/** Letters and digits that nobody takes for one another, in whatever font. */
const plain = printable.filter((character) => /[0-9A-Za-z]/.test(character) && !lookAlike.has(character))
const clear = printable.filter((character) => !lookAlike.has(character))

/** Some of other scripts, for policies that ask for them. */
const foreign = [
  ' ',
  ...between('¡', 'ſ'),
  ...between('Α', 'ω'),
  ...between('А', 'я'),
  ...between('א', 'ת'),
  ...between('ء', 'ي'),
  ...between('अ', 'ह'),
  ...between('ก', 'ฮ'),
  ...between('ぁ', 'ゖ'),
  ...between('ァ', 'ヺ'),
  ...between('一', '乿'),
  ...between('가', '걿'),
  ...between('😀', '🙏'),
].filter((character) => character.normalize('NFC') === character && /\P{C}/u.test(character))

/** What generated passwords are made of: from the first of these that holds a character which will do. */
export const alphabets: readonly (readonly string[])[] = [plain, clear, printable, foreign]

/** The characters of the first alphabet that has any of them; none where none has. */
export const firstThatFit = (fits: (character: string) => boolean): readonly string[] => {
  for (const alphabet of alphabets) {
    const found = alphabet.filter(fits)
    if (found.length > 0) return found
  }
  return []
}
