import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process'
import { once } from 'node:events'
import { terminalEnvironment } from './project.ts'

/** A shell that stays open between commands, as the terminal of a person does. */
export interface Terminal {
  /** Runs a command. Returns what it printed. @throws Error if it fails */
  readonly run: (command: string) => Promise<string>
  /** Starts a program in the present folder, and waits until it prints `ready`, or what else is given. */
  readonly start: (command: string, ready?: RegExp) => Promise<void>
  /** Ends everything. */
  readonly close: () => Promise<void>
}

/** What a program printed so far, and a promise for the first text that matches. */
const watch = (child: ChildProcessWithoutNullStreams) => {
  let output = ''
  const events = new EventTarget()
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text
      events.dispatchEvent(new Event('change'))
    })
  child.once('close', () => events.dispatchEvent(new Event('close')))
  return {
    waitFor: (pattern: RegExp, from = 0): Promise<RegExpExecArray> =>
      new Promise((resolve, reject) => {
        const listening = new AbortController()
        const check = () => {
          const found = pattern.exec(output.slice(from))
          if (!found) return
          listening.abort()
          resolve(found)
        }
        const fail = () => reject(new Error(`The program ended: ${output}`))
        events.addEventListener('change', check, listening)
        events.addEventListener('close', fail, listening)
        check()
      }),
  }
}

export const openTerminal = (cwd: string): Terminal => {
  const open = (args: readonly string[], folder: string) =>
    spawn('bash', ['--norc', ...args], { cwd: folder, env: terminalEnvironment(), detached: true })
  const shell = open([], cwd)
  const shellOutput = watch(shell)
  const started: ChildProcessWithoutNullStreams[] = []
  let present = cwd
  let seen = 0
  return {
    run: async (command) => {
      shell.stdin.write(`${command}\nprintf '\\n-- %s %s\\n' "$?" "$PWD"\n`)
      const [text, output = '', code, folder = cwd] = await shellOutput.waitFor(
        /^([\s\S]*?)\n-- (\d+) (.*)\n/,
        seen,
      )
      seen += text.length
      present = folder
      if (code !== '0') throw new Error(`${command}\n${output}`)
      return output
    },
    start: async (command, ready = /^ready /m) => {
      const child = open(['-c', command], present)
      started.push(child)
      await watch(child).waitFor(ready)
    },
    close: async () => {
      for (const child of [...started, shell]) {
        if (child.exitCode !== null || !child.pid) continue
        process.kill(-child.pid, 'SIGTERM')
        await once(child, 'close')
      }
    },
  }
}
