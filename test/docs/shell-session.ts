import { execFile } from 'node:child_process'
import { resolve } from 'node:path'
import { checkCommand } from './command-rules.ts'
import { matchesOutput, type ShellCommand } from './shell-commands.ts'

export interface SessionOptions {
  /** The URL of the running service, which replaces the default one in commands. */
  readonly url: string
  /** What `npm start` printed. */
  readonly printed: string
  readonly folder: string
  readonly environment: Readonly<Record<string, string>>
}

export interface ShellSession {
  readonly run: (command: ShellCommand) => Promise<void>
  readonly variables: Readonly<Record<string, string>>
  /** What the last command printed. */
  readonly getLastOutput: () => string
}

/** Each curl of a script ends with an error for a status of 400 or more, also in a pipe. */
const failsWithStatus = 'set -o pipefail\ncurl() { command curl --fail-with-body "$@"; }\n'

const documentedUrl = 'http://localhost:3000'

/** Runs the commands of one document in their order. Variables are carried from command to command. */
export const openSession = (
  options: SessionOptions,
  given: Readonly<Record<string, string>>,
): ShellSession => {
  const variables: Record<string, string> = { ...given }
  let lastOutput = ''

  const bash = (script: string) =>
    new Promise<string>((fulfill, reject) =>
      execFile(
        'bash',
        // Without SHLVL, bash takes the socket that it reads from for a sign-in over the network, and runs the user's ~/.bashrc.
        ['--norc', '-c', script],
        { cwd: options.folder, env: { ...options.environment, ...variables } },
        (error, stdout, stderr) =>
          error ? reject(new Error(`${script}\n${error.code} ${stdout}${stderr}`)) : fulfill(stdout),
      ),
    )

  const assign = async (name: string, value: string): Promise<void> => {
    const [, field, isPrinted] = /^'the (\w+)(.* npm start printed)?/.exec(value) ?? []
    if (isPrinted) variables[name] = /password (\S+)/.exec(options.printed)?.[1] ?? ''
    else if (field) variables[name] = fieldOf(JSON.parse(bodyOf(lastOutput)), field)
    else variables[name] = await bash(`printf %s ${value.replaceAll(documentedUrl, options.url)}`)
    if (variables[name] === '') throw new Error(`${name} has no value`)
  }

  const execute = async ({ text, expected }: ShellCommand): Promise<void> => {
    const cli = text.replace(
      /(?<=^(?:STAGE=\w+ )?)npm exec --no -- latchkey /,
      `${process.execPath} ${resolve('cli/latchkey.ts')} `,
    )
    // An error is only right where it is shown. Its form differs, so its status decides.
    const rules = expected === undefined ? failsWithStatus : ''
    lastOutput = await bash(`${rules}${cli.replaceAll(documentedUrl, options.url)}`)
    const output = lastOutput.replaceAll(options.url, documentedUrl)
    if (expected !== undefined && !matchesOutput(expected, output))
      throw new Error(`${text}\nexpected: ${expected}\nactual:   ${output}`)
  }

  return {
    variables,
    getLastOutput: () => lastOutput,
    run: async (command) => {
      const { text } = command
      const [, name, value = ''] = /^([A-Z_]+)=('[^']*'|"[^"]*"|\S*)$/.exec(text) ?? []
      if (name) return assign(name, value)
      // Tools that only look at a deployed table can't run here.
      if (
        /^curl /.test(text) ||
        (/^(?:STAGE=\w+ )?npm exec --no -- latchkey (?:users|organizations|config|migrate from-csv) /.test(
          text,
        ) &&
          !text.includes('--table') &&
          !text.includes('--function'))
      )
        return execute(command)
      checkCommand(text)
    },
  }
}

/** The body of an output that may begin with headers. */
const bodyOf = (output: string): string =>
  output.startsWith('HTTP/') ? output.slice(output.indexOf('\r\n\r\n') + 4) : output

const fieldOf = (value: unknown, field: string): string => {
  if (value === null || typeof value !== 'object') return ''
  for (const [name, inner] of Object.entries(value)) {
    const found = name === field ? String(inner) : fieldOf(inner, field)
    if (found !== '') return found
  }
  return ''
}
