import { spawn } from 'node:child_process'
import { cpSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join, resolve } from 'node:path'
import { packages } from '../../build/package/packages.ts'
import { localVariables } from '../../local/settings.ts'
import manifest from '../../package.json' with { type: 'json' }

/** How a package manager lays out node_modules. */
export type Layout = 'npm' | 'pnpm'

/** A project of its own in a temporary folder, whose path contains a space. */
export interface Project {
  readonly folder: string
  /** The Node.js of the machine, which can be older than the one of Latchkey. */
  readonly node: string
  readonly remove: () => void
}

interface Result {
  readonly code: number | null
  /** What the program printed, also as errors. */
  readonly output: string
}

interface Options {
  readonly cwd?: string
  /** Variables in addition to those of a terminal. */
  readonly env?: NodeJS.ProcessEnv
}

/** The PATH without the programs of Latchkey, as in a terminal. */
const path = (process.env['PATH'] ?? '')
  .split(delimiter)
  .filter((folder) => !folder.includes('node_modules') && !folder.includes('node-gyp-bin'))
  .join(delimiter)

/** The environment of a terminal: without the variables that npm sets for its scripts, and the test runner for its tests. */
export const terminalEnvironment = (): NodeJS.ProcessEnv => ({
  ...Object.fromEntries(
    Object.entries(process.env).filter(
      ([name]) =>
        !/^(npm_(?!config_(registry|cache)$)|INIT_CWD|NODE_|VITEST|FORCE_COLOR)/.test(name) &&
        !localVariables.includes(name),
    ),
  ),
  PATH: path,
  NO_COLOR: '1',
})

/** Runs a program of a terminal to its end. */
export const run = (
  [program = '', ...args]: readonly string[],
  { cwd, env }: Options = {},
): Promise<Result> =>
  new Promise((resolve, reject) => {
    const environment = { ...terminalEnvironment(), ...env }
    const child = spawn(program, args, { cwd, env: environment, stdio: ['ignore', 'pipe', 'pipe'] })
    let output = ''
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', (text: string) => {
        output += text
      })
    child.once('error', reject)
    child.once('close', (code) => resolve({ code, output }))
  })

/** Runs a program of a terminal. Returns what it printed. @throws Error if it fails */
export const runOrFail = async (command: readonly string[], options?: Options): Promise<string> => {
  const { code, output } = await run(command, options)
  if (code !== 0) throw new Error(`${command.join(' ')} failed: ${output.slice(-2000)}`)
  return output
}

/** The packages by the names of their folders in `dist`. */
export type Tarballs = Readonly<Record<keyof typeof packages, string>>

/** Builds and packs all packages. Returns the paths of their tarballs. */
export const pack = async (): Promise<Tarballs> => {
  const folder = mkdtempSync(join(tmpdir(), 'latchkey-pack-'))
  // npm scripts find the Node.js of Latchkey, which builds the packages.
  await runOrFail(['npm', 'run', 'build:package'])
  const packOne = async (name: string): Promise<string> => {
    const output = await runOrFail([
      'npm',
      'pack',
      `./dist/${name}`,
      '--silent',
      '--pack-destination',
      folder,
    ])
    return join(folder, output.trim())
  }
  return {
    client: await packOne('client'),
    middleware: await packOne('middleware'),
    hooks: await packOne('hooks'),
    construct: await packOne('construct'),
    latchkey: await packOne('latchkey'),
  }
}

const pnpm = resolve('test/package/node_modules/.bin/pnpm')

const installCommands: Readonly<Record<Layout, readonly string[]>> = {
  npm: ['npm', 'install', '--no-audit', '--no-fund', '--prefer-offline'],
  pnpm: [pnpm, 'install', '--prefer-offline', '--reporter=silent'],
}

/** Creates a project in a temporary folder, and installs its dependencies. Returns the folder. */
export const installProject = async (
  layout: Layout,
  dependencies: Readonly<Record<string, string>>,
): Promise<string> => {
  const folder = mkdtempSync(join(tmpdir(), `latchkey ${layout} `))
  writeFileSync(
    join(folder, 'package.json'),
    JSON.stringify({ name: 'product', private: true, dependencies }),
  )
  await runOrFail(installCommands[layout], { cwd: folder })
  return folder
}

/** Creates the project of `test/package/app` and installs all packages there. */
export const createProject = async (layout: Layout, tarballs: Tarballs): Promise<Project> => {
  const folder = await installProject(layout, {
    '@types/node': '24.19.2',
    'aws-cdk-lib': manifest.devDependencies['aws-cdk-lib'],
    constructs: '10.8.1',
    ...Object.fromEntries(
      Object.values(packages).map(({ name, folder: one }) => [name, `file:${tarballs[one]}`]),
    ),
  })
  cpSync('test/package/app', folder, { recursive: true })
  const node = (await runOrFail(['node', '-p', 'process.execPath'], { cwd: folder })).trim()
  return { folder, node, remove: () => rmSync(folder, { recursive: true, force: true, maxRetries: 10 }) }
}

/** The files below a folder, by their relative paths. Links are not followed. */
export const listFiles = (folder: string): readonly string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))
