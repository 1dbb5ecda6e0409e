import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { toAnchor } from '../../build/reference/guides.ts'

/** A fenced code block of a Markdown file. */
export interface Block {
  readonly file: string
  readonly line: number
  readonly language: string
  /** What follows the language: `run`, `file=users.csv`, `model=Ticket`. */
  readonly options: ReadonlyMap<string, string>
  readonly text: string
}

/** Every Markdown file of the project's documentation, in the same order on every file system. */
export const markdownFiles = (): readonly string[] => [
  ...readdirSync('.')
    .filter((name) => name.endsWith('.md'))
    .toSorted(),
  ...readdirSync('docs', { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md'))
    .toSorted()
    .map((name) => join('docs', name)),
]

const optionsOf = (text: string): ReadonlyMap<string, string> =>
  new Map(
    [...text.matchAll(/(\w+)(?:=(?:"([^"]*)"|(\S+)))?/g)].map(
      ([, name = '', quoted, bare]) => [name, quoted ?? bare ?? ''] as const,
    ),
  )

/** The fenced code blocks of a file. @throws Error for a fence that is never closed. */
export const blocksOf = (file: string): readonly Block[] => {
  const blocks: Block[] = []
  let open: { readonly line: number; readonly info: string; readonly lines: string[] } | undefined
  for (const [index, line] of readFileSync(file, 'utf8').split('\n').entries()) {
    const fence = /^ *```(.*)$/.exec(line)
    if (fence && open) {
      const [, language = '', options = ''] = /^(\S*)\s*(.*)$/.exec(open.info) ?? []
      const text = `${open.lines.join('\n')}\n`
      blocks.push({ file, line: open.line, language, options: optionsOf(options), text })
      open = undefined
    } else if (fence) open = { line: index + 1, info: fence[1] ?? '', lines: [] }
    else open?.lines.push(line)
  }
  if (open) throw new Error(`${file}:${open.line}: the code block is not closed`)
  return blocks
}

/**
 * The part of a page below a heading, given as its text or its anchor, until the next heading of its level or above.
 *
 * @throws Error if the page has no such heading
 */
export const sectionOf = (file: string, heading: string): Section => {
  const lines = readFileSync(file, 'utf8').split('\n')
  let isCode = false
  let level = 0
  let from = 0
  let to = lines.length
  for (const [index, line] of lines.entries()) {
    if (/^ *```/.test(line)) isCode = !isCode
    // A comment in a code block looks like a heading.
    const [, marks = '', title] = (!isCode && /^(#+) (.+)$/.exec(line)) || []
    if (level > 0 && marks !== '' && marks.length <= level) {
      to = index
      break
    }
    if (level === 0 && title !== undefined && [title, toAnchor(title)].includes(heading))
      [level, from] = [marks.length, index + 1]
  }
  if (level === 0) throw new Error(`${file} has no section "${heading}"`)
  return {
    text: lines.slice(from, to).join('\n'),
    blocks: blocksOf(file).filter(({ line }) => line > from && line <= to),
  }
}

export interface Section {
  readonly text: string
  readonly blocks: readonly Block[]
}

const prose = (text: string): string => text.replaceAll(/^ *```[\s\S]*?^ *```.*$/gm, '')

/** The text of a file without code: neither blocks nor inline code. */
export const proseOf = (file: string): string =>
  prose(readFileSync(file, 'utf8')).replaceAll(/`[^`\n]*`/g, '')

/** The inline code of a text. */
export const inlineCodeIn = (text: string): readonly string[] =>
  [...prose(text).matchAll(/`([^`\n]+)`/g)].map(([, code = '']) => code)

/** The inline code of a file. */
export const inlineCodeOf = (file: string): readonly string[] => inlineCodeIn(readFileSync(file, 'utf8'))

/** The anchors of the headings of a file. */
export const anchorsOf = (file: string): ReadonlySet<string> => {
  const anchors = new Set<string>()
  for (const [, heading = ''] of prose(readFileSync(file, 'utf8')).matchAll(/^#{1,6} (.+)$/gm)) {
    const anchor = toAnchor(heading)
    let unique = anchor
    for (let count = 1; anchors.has(unique); count++) unique = `${anchor}-${count}`
    anchors.add(unique)
  }
  return anchors
}
