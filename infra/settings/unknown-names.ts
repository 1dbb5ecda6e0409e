/** Lists the names that are not known, as a sentence each, with the name that was probably meant. */
export const findUnknownNames = (
  names: readonly string[],
  known: readonly string[],
  where: string,
): readonly string[] =>
  names
    .filter((name) => !known.includes(name))
    .map((name) => {
      const nearest = nearestName(name, known)
      const advice = nearest ? `Did you mean ${nearest}?` : `The settings are: ${known.join(', ')}.`
      return `${where} the unknown setting "${name}". ${advice}`
    })

/** Names that differ in more characters are unlikely to be meant. */
const mostEdits = 3

/** Returns the known name that needs the fewest edits, ignoring case. Undefined if none is similar. */
const nearestName = (name: string, known: readonly string[]): string | undefined => {
  const [best] = known
    .map((candidate) => ({ candidate, edits: countEdits(name.toLowerCase(), candidate.toLowerCase()) }))
    .sort((a, b) => a.edits - b.edits)
  return best && best.edits <= Math.min(mostEdits, name.length / 2) ? best.candidate : undefined
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
