/** Names that differ in more characters are unlikely to be meant. */
const mostEdits = 3

/**
 * Returns the known name that needs the fewest edits, ignoring case, for a question such as "Did you mean …?". Undefined if
 * more than `share` of the characters differ, a half by default.
 */
export const findNearestName = (
  name: string,
  known: readonly string[],
  share = 1 / 2,
): string | undefined => {
  const editsOf = (candidate: string) => countEdits(name.toLowerCase(), candidate.toLowerCase())
  const [best] = [...known].sort((a, b) => editsOf(a) - editsOf(b))
  return best && editsOf(best) <= Math.min(mostEdits, name.length * share) ? best : undefined
}

/** The Levenshtein distance: how many characters to insert, remove or replace. */
const countEdits = (from: string, to: string): number => {
  let row = Array.from(`${to} `, (_, at) => at)
  for (const letter of from) {
    const next: number[] = []
    for (const [at, above] of row.entries()) {
      const [before = at + above, replaced = at + above] = [next[at - 1], row[at - 1]]
      next.push(Math.min(above + 1, before + 1, replaced + Number(to[at - 1] !== letter)))
    }
    row = next
  }
  return row.at(-1) ?? 0
}
