import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** A fenced code block of a Markdown file. */
export interface Block {
  readonly file: string
  readonly line: number
  readonly language: string
  /** What follows the language: `run`, `file=users.csv`, `model=Ticket`. */
  readonly options: ReadonlyMap<string, string>
  readonly text: string
}

/** Every Markdown file of the project's documentation. */
export const markdownFiles = (): readonly string[] => [
  ...readdirSync('.').filter((name) => name.endsWith('.md')),
  ...readdirSync('docs', { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md'))
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

const prose = (text: string): string => text.replaceAll(/^ *```[\s\S]*?^ *```.*$/gm, '')

/** The text of a file without code: neither blocks nor inline code. */
export const proseOf = (file: string): string =>
  prose(readFileSync(file, 'utf8')).replaceAll(/`[^`\n]*`/g, '')

/** The inline code of a file. */
export const inlineCodeOf = (file: string): readonly string[] =>
  [...prose(readFileSync(file, 'utf8')).matchAll(/`([^`\n]+)`/g)].map(([, code = '']) => code)

/** The anchors of the headings of a file, as GitHub makes them. */
export const anchorsOf = (file: string): ReadonlySet<string> => {
  const anchors = new Set<string>()
  for (const [, heading = ''] of prose(readFileSync(file, 'utf8')).matchAll(/^#{1,6} (.+)$/gm)) {
    const anchor = heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
      .trim()
      .replaceAll(/\s/g, '-')
    let unique = anchor
    for (let count = 1; anchors.has(unique); count++) unique = `${anchor}-${count}`
    anchors.add(unique)
  }
  return anchors
}
