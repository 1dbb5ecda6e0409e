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
  const [best] = known
    .map((candidate) => ({ candidate, edits: countEdits(name.toLowerCase(), candidate.toLowerCase()) }))
    .sort((a, b) => a.edits - b.edits)
  return best && best.edits <= Math.min(mostEdits, name.length * share) ? best.candidate : undefined
}

/** The Levenshtein distance: how many characters to insert, remove or replace. */
const countEdits = (from: string, to: string): number => {
  let row = Array.from({ length: to.length + 1 }, (_, at) => at)
  for (const [line, letter] of [...from].entries()) {
    const next = [line + 1]
    for (let at = 1; at <= to.length; at++) {
      const replaced = (row[at - 1] ?? 0) + (to[at - 1] === letter ? 0 : 1)
      next.push(Math.min(replaced, (row[at] ?? 0) + 1, (next[at - 1] ?? 0) + 1))
    }
    row = next
  }
  return row.at(-1) ?? 0
}
