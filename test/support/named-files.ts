import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { matchesGlob } from 'node:path'
import { sourceFolders } from './floors.ts'

/*
 * A path in a text, and a pattern of paths in a test, name files that can move. The compiler sees neither, and a pattern that
 * matches no file anymore asserts nothing. This finds what each of them names.
 */

/** The files of the project. */
export const listFiles = (): readonly string[] =>
  execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], { encoding: 'utf8' })
    .split('\n')
    .filter((file) => file !== '' && existsSync(file))

const topFolders = [...sourceFolders, 'bench', 'test', 'docs', 'examples'].join('|')
/** Not a path on a server, nor a part of a longer path. */
const start = String.raw`(?<![\w@./$}:=\\-])(?:${topFolders})/`

/** A path from the top. In a template, `${name}` can be any name. */
const path = new RegExp(String.raw`${start}(?:\$\{[^}]*\}|[\w./*{},-])+`, 'g')
/** A path in a regular expression, up to what follows the path: `:` and a line. */
const pathInExpression = new RegExp(String.raw`${start}(?:[^:#\x60]|(?<=\(\?):)*`)
const comment = /\/\*[\s\S]*?\*\/|(?<=^|\s)(?:\/\/|#) .*/gm
const code = /`[^`\n]+`/g
const block = /^ *```[\s\S]*?^ *```.*$/gm
/** The name of a source, with the end of its path or without. */
const sourceName = /(?<![\w./*}>-])(?:[\w-]+\/)*[\w-]+(?:\.[\w-]+)*\.(?:tsx?|css|html|md)\b(?![\w/])/g
/** What a path ends with, as code compares it. */
const ending = /\.(?:endsWith|includes)\('\/?([\w./-]+\.tsx?)'\)/g
/** A regular expression with a slash, as the formatter leaves it. */
const expression = /(?<=^|[\s(,:=[!&|?{])\/(?![/*])((?:\\.|\[(?:\\.|[^\]\\\n])*\]|[^/\\\n[])+)\/[dgimsuvy]*/gm

/** A slash for every operating system. */
const eitherSlash = String.raw`[\\/]`

/** Lists what a file names and what the project does not have. `created` are files that programs write. */
export const findMissing = (
  file: string,
  text: string,
  files: readonly string[],
  created: readonly string[],
): readonly string[] => {
  const isMarkdown = file.endsWith('.md')
  const expressions = isMarkdown
    ? []
    : [...text.matchAll(expression)].flatMap(([, source = '']) => (hasSlash(source) ? source : []))
  const rest = isMarkdown ? inlineCode(text) : withoutExpressions(text)
  const notes = isMarkdown ? rest : [...text.matchAll(comment)].join('\n')
  const paths = [...rest.matchAll(path)].flatMap(([found]) => toGlobs(found))
  const names = [...notes.matchAll(sourceName)].map(([name]) => name)
  const endings = [...rest.matchAll(ending)].map(([, name = '']) => name)
  const isCreated = (found: string) => created.some((one) => found === one || found.startsWith(`${one}/`))
  return [
    ...paths.filter((found) => !isCreated(found) && !isThere(found, files)),
    ...names.filter(
      (name) => !isCreated(name) && !files.some((one) => one === name || endsWithName(one, name)),
    ),
    ...endings.filter((name) => !files.some((one) => one.endsWith(name))),
    ...expressions.flatMap((source) => findUnmatchedPaths(source, files)),
  ]
}

/** Whether a path ends with whole parts of its names: `records.ts` ends `find-users.records.ts`. */
const endsWithName = (path: string, name: string): boolean =>
  path.endsWith(`/${name}`) || path.endsWith(`.${name}`)

const hasSlash = (source: string): boolean => source.includes('\\/') || source.includes(eitherSlash)

const withoutExpressions = (text: string): string =>
  text.replaceAll(expression, (found) => (hasSlash(found.slice(1, -1)) ? ' ' : found))

const inlineCode = (text: string): string => [...text.replaceAll(block, '').matchAll(code)].join('\n')

/** Each glob that a path with `{a,b}` stands for, without the end of the sentence and without installed packages. */
const toGlobs = (found: string): readonly string[] => {
  const glob = found
    .replaceAll(/\$\{[^}]*\}/g, '*')
    .replace(/node_modules(?:\/.*)?$|[.,]+$|\{[^}]*$/, '')
    .replace(/\/+$/, '')
    .replace(/-$/, '-*')
  const [whole, choices] = /\{([^{}]*)\}/.exec(glob) ?? []
  if (whole === undefined) return [glob]
  return (choices ?? '').split(',').flatMap((one) => toGlobs(glob.replace(whole, one)))
}

/** Whether a glob names a file or a folder. An entry of a build has no extension. */
const isThere = (glob: string, files: readonly string[]): boolean =>
  glob.includes('*')
    ? files.some((file) => matchesGlob(file, glob) || matchesGlob(file, `${glob}/**`) || isEntry(file, glob))
    : [glob, `${glob}.ts`].some((one) => existsSync(one))

const isEntry = (file: string, glob: string): boolean => matchesGlob(file, `${glob}.ts`)

/** The parts of an expression for paths from the top that match no file. */
const findUnmatchedPaths = (source: string, files: readonly string[]): readonly string[] => {
  const simple = source.replaceAll(eitherSlash, '/').replaceAll('\\/', '/').replace(/^\//, '')
  const parts = expand(simple).map((part) => pathInExpression.exec(part)?.[0] ?? part)
  const isPath = (part: string) => new RegExp(`^${start}`).test(part)
  return parts.filter(isPath).flatMap((part) => {
    const pattern = new RegExp(`^${closeGroups(part)}`)
    return files.some((file) => pattern.test(file)) ? [] : [part]
  })
}

/** Cuts an expression before the first group that is not whole. */
const closeGroups = (part: string): string => {
  const open: number[] = []
  for (const { token, at } of tokensOf(part)) {
    if (token === '(') open.push(at)
    if (token === ')' && open.pop() === undefined) return part.slice(0, at)
  }
  return part.slice(0, open[0])
}

/**
 * The parts of a regular expression that do without alternatives: `a/(b|c)` has the parts `a/b` and `a/c`. What an expression
 * excludes has to exist as well: `a/(?!b)` has the parts `a/(?!b)` and `a/(?=b)`.
 */
const expand = (source: string): readonly string[] => {
  const alternatives = splitAlternatives(source)
  if (alternatives.length > 1) return alternatives.flatMap(expand)
  const group = findGroup(source)
  if (!group) return [source]
  const { before, opening, inner, after } = group
  const rests = expand(after)
  const parts = expand(inner)
  const wrapped =
    opening === '?!'
      ? [`(?!${inner})`, ...parts.map((part) => `(?=${part})`)]
      : opening !== '' && opening !== '?:'
        ? parts.map((part) => `(${opening}${part})`)
        : parts.map((part) => (/^[*+?{]/.test(after) ? `(?:${part})` : part))
  return wrapped.flatMap((part) => rests.map((rest) => `${before}${part}${rest}`))
}

interface Group {
  readonly before: string
  readonly opening: string
  readonly inner: string
  readonly after: string
}

const findGroup = (source: string): Group | undefined => {
  const from = tokensOf(source).find(({ token }) => token === '(')?.at
  if (from === undefined) return undefined
  const inside = source.slice(from + 1)
  const end = closeGroups(inside).length
  const [opening = ''] = /^\?(?:[:=!]|<[=!])/.exec(inside) ?? []
  return {
    before: source.slice(0, from),
    opening,
    inner: inside.slice(opening.length, end),
    after: inside.slice(end + 1),
  }
}

const splitAlternatives = (source: string): readonly string[] => {
  const cuts: number[] = []
  let depth = 0
  for (const { token, at } of tokensOf(source)) {
    if (token === '(') depth++
    if (token === ')') depth--
    if (token === '|' && depth === 0) cuts.push(at)
  }
  return [...cuts, source.length].map((cut, index) => source.slice((cuts[index - 1] ?? -1) + 1, cut))
}

interface Token {
  readonly token: string
  readonly at: number
}

/** The parentheses and bars of an expression that are neither escaped nor in a class. */
const tokensOf = (source: string): readonly Token[] =>
  [...source.matchAll(/\\.|\[(?:\\.|[^\]\\])*\]|[()|]/g)]
    .filter(([token]) => token.length === 1)
    .map((match) => ({ token: match[0], at: match.index }))

/** The parts of a pattern that match none of the names. A test that something is absent fails if it looks for what cannot be there. */
export const findUnmatched = (pattern: RegExp, names: Iterable<string>): readonly string[] => {
  const list = [...names]
  return expand(pattern.source).filter((part) => {
    const expression = new RegExp(part)
    return !list.some((name) => expression.test(name))
  })
}

/** Reads the files that can name others: sources, tests, docs, and what configures them. */
export const readNamingFiles = (files: readonly string[]): readonly { file: string; text: string }[] =>
  files
    .filter((file) => /\.(?:tsx?|mjs|css|html|md)$|^\.ci\/run$|^[\w.]+\.json$/.test(file))
    .filter((file) => !/^CHANGELOG\.md$|^package-lock\.json$|\/golden\//.test(file))
    .map((file) => ({ file, text: readFileSync(file, 'utf8') }))
