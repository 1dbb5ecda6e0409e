import { readFileSync, writeFileSync } from 'node:fs'

const file = 'docs/benchmarks.md'
const begin = '<!-- figures: begin -->'
const end = '<!-- figures: end -->'

/** Replaces what is between the two markers. @throws Error if a marker is missing. */
export const replaceFigures = (text: string, markdown: string): string => {
  const [from, to] = [text.indexOf(begin), text.indexOf(end)]
  if (from < 0 || to < from) throw new Error('The document has no markers for the figures.')
  return `${text.slice(0, from + begin.length)}\n\n${markdown}\n\n${text.slice(to)}`
}

/** Writes the result of a run into docs/benchmarks.md. */
export const writeIntoDocs = (markdown: string): void =>
  writeFileSync(file, replaceFigures(readFileSync(file, 'utf8'), markdown))
