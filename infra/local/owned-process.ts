import { spawn } from 'node:child_process'

/** A program that can't outlive us. */
export interface OwnedProcess {
  /** Resolves once the program has ended, by itself or by us. */
  readonly exited: Promise<void>
  readonly hasExited: () => boolean
  /** The end of what it printed, for saying why it failed. */
  readonly output: () => string
  /** Asks it to end, and makes it end after a few seconds. */
  readonly stop: () => Promise<void>
}

// The shell holds the other end of our pipe. A line in it asks the program to end; its closing, which is what
// the kernel does for us even when we are killed outright, ends the program at once. Its files are for us alone.
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

/** Starts a program that ends with this process, however this process ends. Its output isn't shown. */
export const startOwned = (command: readonly string[]): OwnedProcess => {
  // In a process group of its own: Ctrl-C in a terminal reaches the whole group of the program in the foreground,
  // and would take the engine from under the requests that we still want to finish.
  const child = spawn('sh', ['-c', guard, 'sh', ...command], {
    stdio: ['pipe', 'pipe', 'pipe'],
    detached: true,
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
