import { execFile } from 'node:child_process'
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { sourceFolders } from '../support/floors.ts'
import { type Block, sectionOf } from './markdown.ts'

const run = promisify(execFile)
const folders = [...sourceFolders, 'bench', 'test', 'docs', 'examples', 'config']
/** Pages beside the documentation, which generated parts are in as well. */
const pages = ['README.md', 'SECURITY.md', 'SUPPORT.md', 'CODE_OF_CONDUCT.md', 'CHANGELOG.md']
const parts = [...folders, ...pages, 'package.json', 'tsconfig.json', 'vitest.config.ts']
const page = 'docs/contributing.md'

/** The steps of a section of docs/contributing.md: its blocks that create a file or add lines to one. */
export const stepsOf = (section: string): readonly Block[] =>
  sectionOf(page, section).blocks.filter(({ language }) => /^tsx?$/.test(language))

/** A copy of the project in which a test carries out steps of the documentation. */
export interface Copy {
  /** Carries out a step: a new file, or lines for an existing one. */
  readonly apply: (step: Block) => void
  /** Runs a tool of the project, and returns what it printed. @throws Error with what it printed */
  readonly run: (tool: string, ...args: readonly string[]) => Promise<string>
  /**
   * Checks the types of the included files with all that they import: it takes a third of the time of all. The next check examines
   * what has changed.
   */
  readonly checkTypes: () => Promise<unknown>
  readonly read: (path: string) => string
  readonly write: (path: string, text: string) => void
  readonly removeFolder: (path: string) => void
  /** Returns the files that differ from those of the project. */
  readonly listChanges: () => readonly string[]
  readonly remove: () => void
}

export const copyProject = (include: readonly string[]): Copy => {
  const copy = mkdtempSync(join(tmpdir(), 'latchkey-copy-'))
  for (const part of parts) cpSync(part, join(copy, part), { recursive: true })
  symlinkSync(resolve('node_modules'), join(copy, 'node_modules'))
  writeFileSync(join(copy, 'tsconfig.group.json'), JSON.stringify({ extends: './tsconfig.json', include }))
  const runTool: Copy['run'] = async (tool, ...args) => {
    const command = resolve('node_modules/.bin', tool)
    const { stdout } = await run(command, args, { cwd: copy }).catch(({ stdout, stderr }) => {
      throw new Error(`${tool} failed: ${stdout}${stderr}`)
    })
    return stdout
  }
  return {
    run: runTool,
    checkTypes: () =>
      runTool('tsc', '-p', 'tsconfig.group.json', '--incremental', '--tsBuildInfoFile', 'types.tsbuildinfo'),
    read: (path) => readFileSync(join(copy, path), 'utf8'),
    write: (path, text) => writeFileSync(join(copy, path), text),
    removeFolder: (path) => rmSync(join(copy, path), { recursive: true }),
    listChanges: () => listFiles(copy).filter((path) => !isSame(join(copy, path), path)),
    remove: () => rmSync(copy, { recursive: true }),
    apply: (step) => {
      const { options, text } = step
      const file = options.get('file')
      const into = options.get('into')
      const path = join(copy, file ?? into ?? '')
      if (file) mkdirSync(dirname(path), { recursive: true })
      const present = file ? '' : readFileSync(path, 'utf8')
      const at = file ? 0 : findPlace(step, present)
      writeFileSync(path, present.slice(0, at) + text + present.slice(at))
    },
  }
}

/** Where the lines of a step go: after one line or before another one, or else to the top of the file. */
const findPlace = ({ line, options }: Block, present: string): number => {
  const [after, before] = [options.get('after'), options.get('before')]
  const marker = after ?? before
  if (marker === undefined) return 0
  const start = present.startsWith(`${marker}\n`) ? 0 : present.indexOf(`\n${marker}\n`) + 1
  if (start === 0 && !present.startsWith(`${marker}\n`))
    throw new Error(`line ${line}: "${marker}" is not in ${options.get('into')}`)
  return after === undefined ? start : start + marker.length + 1
}

const listFiles = (copy: string): readonly string[] =>
  folders.flatMap((part) =>
    readdirSync(join(copy, part), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name).slice(copy.length + 1)),
  )

const isSame = (copied: string, path: string): boolean => {
  try {
    return readFileSync(copied).equals(readFileSync(path))
  } catch {
    return false
  }
}
