/** One line of a list that connects users to accounts at an identity provider. */
export interface NamePair {
  /** The username or email address here. */
  readonly user: string
  /** The name that the provider sends. */
  readonly name: string
}

/** What a list says. */
export interface NamePairs {
  readonly pairs: readonly NamePair[]
  /** The numbers of the lines that cannot be read, counted from 1. */
  readonly wrongLines: readonly number[]
}

/**
 * Reads a list with a user and a name in each line, with a comma, a semicolon or a tab between them, such as from a table
 * program. Quotation marks around a field are left out. A name can contain the separator.
 */
export const readNamePairs = (text: string): NamePairs => {
  const lines = text.split(/\r\n|\n|\r/).map((line, at) => ({ line: line.trim(), number: at + 1 }))
  const read = lines
    .filter(({ line }) => line !== '')
    .map(({ line, number }) => ({ number, pair: readPair(line) }))
  return {
    pairs: read.flatMap(({ pair }) => pair ?? []),
    wrongLines: read.flatMap(({ pair, number }) => (pair ? [] : number)),
  }
}

const readPair = (line: string): NamePair | undefined => {
  const [, user = '', name = ''] = /^([^,;\t]+)[,;\t](.+)$/.exec(line) ?? []
  const pair = { user: unquote(user), name: unquote(name) }
  return pair.user === '' || pair.name === '' ? undefined : pair
}

const unquote = (text: string): string => {
  const trimmed = text.trim()
  const [, inner] = /^"(.*)"$/.exec(trimmed) ?? []
  return inner === undefined ? trimmed : inner.replaceAll('""', '"').trim()
}
