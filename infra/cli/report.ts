import { open, rm, stat } from 'node:fs/promises'
import { basename } from 'node:path'
import type { FieldError } from '../../lib/core/errors.ts'
import { CommandFailure, codeOf } from './failure.ts'

/** Tells refused lines, as JSON lines of `line` and `errors`; nothing of what the lines hold. */
export interface Report {
  readonly add: (line: number, errors: readonly FieldError[]) => Promise<void>
  /** A report of nothing is taken away. */
  readonly close: () => Promise<void>
}

/**
 * Begins a report anew, in place of the one of an earlier run.
 *
 * @throws CommandFailure when it can't be written there; `input` is the identity of the one file it must not be.
 */
export const openReport = async (path: string, input: string): Promise<Report> => {
  await requireOtherFile(path, input)
  const file = await open(path, 'w', 0o600).catch((error: unknown) => {
    throw new CommandFailure(`The report can't be written to ${path} (${codeOf(error)}): name another.`)
  })
  let count = 0
  return {
    add: async (line, errors) => {
      count += 1
      await file.appendFile(`${JSON.stringify({ line, errors })}\n`)
    },
    close: async () => {
      await file.close()
      if (count === 0) await rm(path, { force: true })
    },
  }
}

const requireOtherFile = async (path: string, input: string): Promise<void> => {
  const facts = await stat(path).catch(() => undefined)
  if (facts && `${facts.dev}:${facts.ino}` === input)
    throw new CommandFailure(`${basename(path)} is what is to be read: name another file for the report.`)
}
