import { spawn } from 'node:child_process'

/** The file name extension of modules: `.ts` in the sources, `.js` in the published package. */
export const moduleExtension = import.meta.url.endsWith('.ts') ? '.ts' : '.js'

/** The URL of another module by its path without an extension, relative to this folder. For modules that no import names. */
export const getModuleUrl = (path: string): URL => new URL(`${path}${moduleExtension}`, import.meta.url)

/** A program that ends with this process. */
export interface ChildProcess {
  /** Resolves after the program has ended. */
  readonly exited: Promise<void>
  readonly hasExited: () => boolean
  /** The end of its output, for error messages. */
  readonly output: () => string
  /** Asks the program to end, and kills it after a few seconds. */
  readonly stop: () => Promise<void>
}

// The shell reads a pipe from this process. A line in the pipe asks the program to end. When the pipe closes, which
// also happens if this process is killed, the program is killed. The umask keeps its files private.
const guard = `
umask 077
exec 3<&0
"$@" </dev/null 3<&- &
program=$!
{ while read -r _; do kill -s TERM $program; done; kill -s KILL $program; } <&3 >/dev/null 2>&1 &
exec 3<&-
wait $program
`

const keptCharacters = 4096
const stopTimeoutMs = 3000

/**
 * Starts a program that ends with this process, however this process ends. Its output is captured. The default
 * environment is that of this process.
 */
export const startChildProcess = (command: readonly string[], env = process.env): ChildProcess => {
  // Ctrl-C in a terminal reaches the whole foreground process group. The engine gets its own group, so that running
  // requests can finish.
  const child = spawn('sh', ['-c', guard, 'sh', ...command], {
    stdio: ['pipe', 'pipe', 'pipe'],
    detached: true,
    env,
  })
  let output = ''
  let ended = false
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      output = (output + text).slice(-keptCharacters)
    })
  }
  child.stdin.on('error', () => {})

  const exited = new Promise<void>((resolve) => {
    const end = () => {
      ended = true
      child.stdin.destroy()
      resolve()
    }
    child.once('exit', end)
    child.once('error', (error) => {
      output += error.message
      end()
    })
  })

  return {
    exited,
    hasExited: () => ended,
    output: () => output,
    stop: async () => {
      if (!ended) child.stdin.write('stop\n')
      const force = setTimeout(() => child.stdin.destroy(), stopTimeoutMs)
      await exited
      clearTimeout(force)
    },
  }
}
