/**
 * The form in which names are searched. Case, compatibility forms, and the amount of white space make no difference:
 * `STRASSE` finds `Straße`. Only the change of case in both directions joins all forms of a letter.
 */
export const foldText = (text: string): string =>
  text
    .normalize('NFKC')
    .toLowerCase()
    .toUpperCase()
    .toLowerCase()
    .normalize('NFKC')
    // The form of a sigma depends on its place in the word, and the dot of a Turkish I is a separate character.
    .replaceAll('ς', 'σ')
    .replaceAll('i\u0307', 'i')
    .replaceAll(/[\s\p{Cc}]+/gu, ' ')
    .trim()
