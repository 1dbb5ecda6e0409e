import { createInterface } from 'node:readline/promises'

/** Asks in a terminal whether to write. Without one, only `--yes` is an answer. An interruption means no. */
export const isWanted = async (
  { isConfirmed }: { readonly isConfirmed: boolean },
  question: string,
  signal: AbortSignal,
): Promise<boolean> => {
  if (isConfirmed || !process.stdin.isTTY || !process.stdout.isTTY) return isConfirmed
  const terminal = createInterface({ input: process.stdin, output: process.stdout })
  // In a terminal, the interface gets Ctrl-C in place of the process.
  terminal.on('SIGINT', () => process.kill(process.pid, 'SIGINT'))
  try {
    return /^y(es)?$/i.test((await terminal.question(`${question} [y/N] `, { signal })).trim())
  } catch (error) {
    if (signal.aborted) return false
    throw error
  } finally {
    terminal.close()
  }
}
