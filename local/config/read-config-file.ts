import { basename } from 'node:path'
import { isCollection, isPair, isScalar, LineCounter, type Node, parseDocument } from 'yaml'
import type { ConfigurationDocument } from '../../lib/features/configuration/document.models.ts'
import { readDocument } from '../../lib/features/configuration/read-document.ts'
import { AppError, type FieldError } from '../../lib/kernel/errors/errors.ts'
import { getErrorMessage } from '../../lib/kernel/util/error-message.ts'
import { CommandFailure } from '../command-failure.ts'
import { openFile } from '../open-file.ts'
import { folderOf, readImages } from './read-images.ts'
import { runConfigModule } from './run-config-module.ts'

/** A configuration file that was read, and where its fields are. */
export interface ConfigFile {
  readonly document: ConfigurationDocument
  /** The file, those that it imports, and its images. */
  readonly files: readonly string[]
  /** Builds the failure that lists errors with their lines. */
  readonly describe: (errors: readonly FieldError[]) => CommandFailure
}

/** No service has so much to configure. */
const mostBytes = 2 * 1024 * 1024
/** An alias can stand for a large part of a file, and aliases can stand for aliases. */
const mostAliases = 100

/** What a file contains, and where a field is, if its format has lines. */
interface Content {
  readonly input: unknown
  readonly placeOf?: ((field: string) => string) | undefined
  /** The files that a module consists of. */
  readonly files?: readonly string[]
}

/** @throws CommandFailure that lists everything that is wrong with the file */
export const readConfigFile = async (path: string): Promise<ConfigFile> => {
  const name = basename(path)
  const {
    input,
    placeOf,
    files = [path],
  }: Content = /\.[cm]?[jt]s$/.test(name) ? await runModule(path, name) : await readYaml(path, name)
  const images = await readImages(input, folderOf(path))
  return readConfigDocument(
    images.input,
    { name, placeOf, files: [...files, ...images.files] },
    images.errors,
  )
}

interface DocumentSource {
  /** The file, as errors name it. */
  readonly name: string
  readonly placeOf: Content['placeOf']
  readonly files: readonly string[]
}

/** @throws CommandFailure that lists everything that is wrong with the document */
export const readConfigDocument = (
  input: unknown,
  { name, placeOf, files }: DocumentSource,
  known: readonly FieldError[] = [],
): ConfigFile => {
  const describe = (errors: readonly FieldError[]) =>
    createFailure(
      name,
      errors.map(({ field, message }) => `${placeOf ? `${placeOf(field)} ` : ''}${field} ${message}`),
    )
  try {
    return { document: readDocument(input, known), describe, files }
  } catch (error) {
    throw withPlace(describe, error)
  }
}

/** The failure that lists the errors of a refused document. Other errors stay as they are. */
export const withPlace = (describe: ConfigFile['describe'], error: unknown): unknown =>
  error instanceof AppError && error.details.errors ? describe(error.details.errors) : error

/** JSON is YAML, too, but not all YAML is JSON. */
const readYaml = async (path: string, name: string): Promise<Content> => {
  const lines = new LineCounter()
  const text = await readText(path, name)
  const parsed = parseDocument(text, { lineCounter: lines, prettyErrors: false })
  const toPlace = (offset: number): string => {
    const { line, col } = lines.linePos(offset)
    return `${line}:${col}`
  }
  if (parsed.errors.length > 0)
    throw createFailure(
      name,
      parsed.errors.map(
        ({ code, pos, message }) =>
          `${toPlace(pos[0])} ${code === 'MULTIPLE_DOCS' ? 'A second document begins. A file has one document: write the other one into a file of its own.' : message}`,
      ),
    )
  const wrong = /\.json$/i.test(name) ? findJsonError(text) : undefined
  if (wrong)
    throw createFailure(name, [
      `${wrong.at === undefined ? '' : `${toPlace(wrong.at)} `}This is not JSON. JSON has no comments, no comma after the last entry, and quotation marks around names and texts. A file in YAML ends with .yaml.`,
    ])
  const placeOf = (field: string) => toPlace(findOffset(parsed.contents, field.split('.')))
  return { input: toPlain(parsed, name), placeOf }
}

/** Where a text stops being JSON, if the parser says it. Undefined for JSON. */
const findJsonError = (text: string): { readonly at: number | undefined } | undefined => {
  try {
    JSON.parse(text)
    return undefined
  } catch (error) {
    const [, position] = /at position (\d+)/.exec(getErrorMessage(error)) ?? []
    return { at: position === undefined ? undefined : Number(position) }
  }
}

/** Runs a module, which exports its document. Its values have no lines. */
const runModule = async (path: string, name: string): Promise<Content> => {
  // A file that does not exist has the same message in each format.
  await (await openFile(path, name)).close()
  const { value, files, problem } = await runConfigModule(path)
  if (problem !== undefined) throw new CommandFailure(`${name} cannot be run: ${problem}`)
  if (value === undefined) throw new CommandFailure(`${name} must export its document as default.`)
  return { input: value, files }
}

const readText = async (path: string, name: string): Promise<string> => {
  const file = await openFile(path, name)
  try {
    const { size } = await file.stat()
    if (size > mostBytes) throw new CommandFailure(`${name} has more than ${mostBytes / 1024 / 1024} MB.`)
    return await file.readFile('utf8')
  } finally {
    await file.close()
  }
}

const toPlain = (parsed: ReturnType<typeof parseDocument>, name: string): unknown => {
  try {
    return parsed.toJS({ maxAliasCount: mostAliases })
  } catch {
    throw new CommandFailure(`${name} has too many aliases.`)
  }
}

/** The failure that lists what is wrong with a file. */
export const createFailure = (name: string, problems: readonly string[]): CommandFailure =>
  new CommandFailure(
    [
      `${name} has ${problems.length === 1 ? 'a problem' : `${problems.length} problems`}:`,
      ...problems.map((problem) => `  ${problem}`),
    ].join('\n'),
  )

/** Where the deepest part of a path is that the file has. */
const findOffset = (node: unknown, path: readonly string[]): number => {
  const [name, ...rest] = path
  const start = (node as Node | null)?.range?.[0] ?? 0
  if (name === undefined || !isCollection(node)) return start
  for (const [at, item] of node.items.entries()) {
    if (!isPair(item)) {
      if (String(at) === name) return findOffset(item, rest)
      continue
    }
    if (!isScalar(item.key)) continue
    // The name of a product can have points.
    const parts = String(item.key.value).split('.')
    if (!parts.every((part, index) => part === path[index])) continue
    const left = path.slice(parts.length)
    const inner = isCollection(item.value) && left.length > 0 ? findOffset(item.value, left) : undefined
    return inner ?? item.key.range?.[0] ?? start
  }
  return start
}
