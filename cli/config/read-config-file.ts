import { readFile, stat } from 'node:fs/promises'
import { basename } from 'node:path'
import { pathToFileURL } from 'node:url'
import { isCollection, isPair, isScalar, LineCounter, type Node, parseDocument } from 'yaml'
import type { ConfigurationDocument } from '../../lib/features/configuration/document.models.ts'
import { readDocument } from '../../lib/features/configuration/read-document.ts'
import { AppError, type FieldError } from '../../lib/kernel/errors/errors.ts'
import { getErrorMessage } from '../../lib/kernel/util/error-message.ts'
import { CommandFailure, codeOf } from '../command-failure.ts'

/** A configuration file that was read, and where its fields are. */
export interface ConfigFile {
  readonly document: ConfigurationDocument
  /** Builds the failure that lists errors with their lines. */
  readonly describe: (errors: readonly FieldError[]) => CommandFailure
}

/** No service has so much to configure. */
const mostBytes = 2 * 1024 * 1024
/** An alias can stand for a large part of a file, and aliases can stand for aliases. */
const mostAliases = 100

/** @throws CommandFailure that lists everything that is wrong with the file */
export const readConfigFile = async (path: string): Promise<ConfigFile> => {
  const name = basename(path)
  if (/\.[cm]?[jt]s$/.test(name)) return readModule(path, name)
  const lines = new LineCounter()
  const parsed = parseDocument(await readText(path, name), { lineCounter: lines, prettyErrors: false })
  const placeOf = (offset: number): string => {
    const { line, col } = lines.linePos(offset)
    return `${line}:${col}`
  }
  if (parsed.errors.length > 0)
    throw new CommandFailure(
      listProblems(
        name,
        parsed.errors.map(({ pos, message }) => `${placeOf(pos[0])} ${message}`),
      ),
    )
  const describe = (errors: readonly FieldError[]) =>
    new CommandFailure(
      listProblems(
        name,
        errors.map(({ field, message }) => {
          const offset = findOffset(parsed.contents, field.split('.'))
          return `${placeOf(offset)} ${field} ${message}`
        }),
      ),
    )
  try {
    return { document: readDocument(toPlain(parsed, name)), describe }
  } catch (error) {
    throw error instanceof AppError && error.details.errors ? describe(error.details.errors) : error
  }
}

/** Runs a module, which exports its document. Its values have no lines. */
const readModule = async (path: string, name: string): Promise<ConfigFile> => {
  const describe = (errors: readonly FieldError[]) =>
    new CommandFailure(
      listProblems(
        name,
        errors.map(({ field, message }) => `${field} ${message}`),
      ),
    )
  const exported: unknown = await import(pathToFileURL(path).href).catch((error: unknown) => {
    throw new CommandFailure(`${name} cannot be run: ${getErrorMessage(error)}`)
  })
  const input = (exported as { readonly default?: unknown }).default
  if (input === undefined) throw new CommandFailure(`${name} must export its document as default.`)
  try {
    // Only what JSON can say, as in other files.
    return { document: readDocument(JSON.parse(JSON.stringify(input))), describe }
  } catch (error) {
    throw error instanceof AppError && error.details.errors ? describe(error.details.errors) : error
  }
}

const readText = async (path: string, name: string): Promise<string> => {
  try {
    const { size } = await stat(path)
    if (size > mostBytes) throw new CommandFailure(`${name} has more than ${mostBytes / 1024 / 1024} MB.`)
    return await readFile(path, 'utf8')
  } catch (error) {
    if (error instanceof CommandFailure) throw error
    if (codeOf(error) === 'ENOENT') throw new CommandFailure(`The file ${path} does not exist.`)
    throw new CommandFailure(`${path} cannot be read (${codeOf(error)}).`)
  }
}

const toPlain = (parsed: ReturnType<typeof parseDocument>, name: string): unknown => {
  try {
    return parsed.toJS({ maxAliasCount: mostAliases })
  } catch {
    throw new CommandFailure(`${name} has too many aliases.`)
  }
}

const listProblems = (name: string, problems: readonly string[]): string =>
  [
    `${name} has ${problems.length === 1 ? 'a problem' : `${problems.length} problems`}:`,
    ...problems.map((problem) => `  ${problem}`),
  ].join('\n')

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
    if (!isScalar(item.key) || String(item.key.value) !== name) continue
    const inner = isCollection(item.value) && rest.length > 0 ? findOffset(item.value, rest) : undefined
    return inner ?? item.key.range?.[0] ?? start
  }
  return start
}
