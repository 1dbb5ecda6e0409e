import { selectCharacters } from './charset.ts'

/** The characters that passwords of one length may contain, by position. */
export interface PasswordForm {
  readonly isAllowedInside: (character: string) => boolean
  /** The characters for the first and the last position. Undefined when all positions are alike. */
  readonly ends?: { readonly first: readonly string[]; readonly last: readonly string[] }
}

/**
 * Finds the form of the passwords of one length that an expression accepts. It tests passwords that repeat one
 * character, with other characters at the ends: `^[a-f0-9]{32}$` and `^[A-Z][a-z]{20,}[!?]$` have such a form.
 * Returns undefined when the expression rejects the length or distinguishes more positions.
 */
export const findPasswordForm = (
  matches: (text: string) => boolean,
  length: number,
): PasswordForm | undefined => {
  const accepts = ([first, inner, last]: Sample): boolean => matches(first + inner.repeat(length - 2) + last)
  const [repeated] = selectCharacters((character) => accepts([character, character, character]))
  const sample: Sample | undefined =
    repeated === undefined ? mixedSamples.find(accepts) : [repeated, repeated, repeated]
  if (!sample) return undefined
  const [first, inner, last] = sample
  return {
    isAllowedInside: (character) => accepts([first, character, last]),
    ends: {
      first: selectCharacters((character) => accepts([character, inner, last])),
      last: selectCharacters((character) => accepts([first, inner, character])),
    },
  }
}

type Sample = readonly [first: string, inner: string, last: string]

/** One character of each common class. */
const typical = ['a', 'A', '7', '!', '-']

const mixedSamples = typical.flatMap((first) =>
  typical.flatMap((inner) => typical.map((last): Sample => [first, inner, last])),
)
