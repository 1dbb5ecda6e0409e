import { type ChildProcessByStdio, spawn } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import type { TestService } from '../support/service.ts'
import { compileCacheSetting } from '../support/shared-folder.ts'

export interface RunningCommand {
  readonly process: ChildProcessByStdio<null, Readable, Readable>
  readonly ended: Promise<CommandResult>
}

export interface CommandResult {
  /** Null when a signal ended the process. */
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

type Environment = Readonly<Record<string, string>>

/** Starts the command `npm exec --no -- latchkey users` with only the given settings. */
export const startUsers = (args: readonly string[], env: Environment, cwd?: string): RunningCommand =>
  startCommand('users', args, env, cwd)

type Script =
  | 'config'
  | 'users'
  | 'organizations'
  | 'migrate'
  | 'audit'
  | 'leaks'
  | 'table'
  | 'verify'
  | 'leftovers'
  | 'login'
  | 'logout'
  | 'whoami'

export const startCommand = (
  script: Script,
  args: readonly string[],
  env: Environment,
  cwd?: string,
): RunningCommand => {
  const { PATH = '' } = process.env
  const child = spawn(process.execPath, [join(process.cwd(), 'cli/latchkey.ts'), script, ...args], {
    env: { PATH, ...compileCacheSetting(), ...env },
    cwd,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const closed = new Promise<number | null>((resolve) => child.once('close', resolve))
  const ended = Promise.all([closed, text(child.stdout), text(child.stderr)]).then(
    ([code, stdout, stderr]) => ({ code, stdout, stderr }),
  )
  return { process: child, ended }
}

export const runUsers = (
  args: readonly string[],
  env: Environment = {},
  cwd?: string,
): Promise<CommandResult> => startUsers(args, env, cwd).ended

export const runMigrate = (
  args: readonly string[],
  env: Environment = {},
  cwd?: string,
): Promise<CommandResult> => startCommand('migrate', args, env, cwd).ended

export const runOrganizations = (args: readonly string[], env: Environment = {}): Promise<CommandResult> =>
  startCommand('organizations', args, env).ended

export const runAudit = (args: readonly string[], env: Environment = {}): Promise<CommandResult> =>
  startCommand('audit', args, env).ended

export const runLeaks = (args: readonly string[]): Promise<CommandResult> =>
  startCommand('leaks', args, {}).ended

/** Runs a command as the documentation writes it, in words: `npm exec --no -- latchkey table …`. */
export const runDocumented = (
  words: readonly string[],
  env: Environment,
  cwd: string,
): Promise<CommandResult> => {
  const [script, ...args] = words.slice(5)
  if (words.slice(0, 5).join(' ') !== 'npm exec --no -- latchkey')
    throw new Error('The command is none of Latchkey.')
  return startCommand(script as Script, args, env, cwd).ended
}

/** Runs the command `npm exec --no -- latchkey table` in a folder, where it keeps its progress. */
export const runTable = (
  args: readonly string[],
  env: Environment = {},
  cwd?: string,
): Promise<CommandResult> => startCommand('table', args, env, cwd).ended

export const startVerify = (args: readonly string[], env: Environment = {}, cwd?: string): RunningCommand =>
  startCommand('verify', args, env, cwd)

export const startSignIn = (
  script: 'login' | 'logout' | 'whoami',
  args: readonly string[],
  env: Environment,
): RunningCommand => startCommand(script, args, env)

/** The environment for the table of a test service, as for a deployed table. */
export const environmentOf = (): Environment => {
  const { DYNAMODB_ENDPOINT = '', LOCAL_KEY_FILE = '' } = process.env
  return {
    DYNAMODB_ENDPOINT,
    LOCAL_KEY_FILE,
    AWS_REGION: 'local',
    AWS_ACCESS_KEY_ID: 'local',
    AWS_SECRET_ACCESS_KEY: 'local',
  }
}

export interface Folder {
  readonly path: string
  /** Writes a file and returns its path. */
  readonly file: (name: string, content: string | Uint8Array) => string
  readonly remove: () => void
}

export const makeFolder = (): Folder => {
  const path = mkdtempSync(join(tmpdir(), 'latchkey-cli-'))
  return {
    path,
    file: (name, content) => {
      writeFileSync(join(path, name), content)
      return join(path, name)
    },
    remove: () => rmSync(path, { recursive: true, force: true, maxRetries: 10 }),
  }
}

export interface Refusal {
  readonly line: number
  readonly errors: readonly { readonly field: string; readonly message: string }[]
}

/** The report next to an import file. */
export const refusalsOf = async (file: string): Promise<readonly Refusal[]> =>
  linesOf(await readFile(`${file}.refused.jsonl`, 'utf8')) as readonly Refusal[]

export const linesOf = (jsonLines: string): readonly unknown[] =>
  jsonLines
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line))

export const jsonLines = (users: readonly object[]): string =>
  users.map((user) => `${JSON.stringify(user)}\n`).join('')

/** Signs in over HTTP, and returns the status and the body. */
export const signInAs = (
  { client }: Pick<TestService, 'client'>,
  username: string,
  password: string,
  otp?: string,
) => client('POST', '/api/2/auth/login', { body: { username, password, ...(otp ? { otp } : {}) } })
