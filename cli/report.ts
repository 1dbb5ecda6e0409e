import { open, rm, stat } from 'node:fs/promises'
import { basename } from 'node:path'
import type { FieldError } from '../lib/kernel/errors/errors.ts'
import { CommandFailure, codeOf } from '../local/command-failure.ts'

const columns = 80

/** Breaks a text into lines that fit a terminal, each with the indent. A longer word, such as an address, stays whole. */
export const wrapText = (text: string, indent: string): string => {
  const lines: string[] = []
  for (const word of text.split(' ')) {
    const line = lines.at(-1)
    if (line !== undefined && line.length + 1 + word.length <= columns)
      lines[lines.length - 1] = `${line} ${word}`
    else lines.push(indent + word)
  }
  return lines.join('\n')
}

/** Lists refused lines as JSON Lines with `line` and `errors`, without the content of the lines. */
export interface Report {
  readonly add: (line: number, errors: readonly FieldError[]) => Promise<void>
  /** Removes an empty report. */
  readonly close: () => Promise<void>
}

/**
 * Starts a new report in place of the one from an earlier run. `inputId` identifies the import file.
 *
 * @throws CommandFailure when the report cannot be written, or when it would overwrite the import file.
 */
export const openReport = async (path: string, inputId: string): Promise<Report> => {
  await requireOtherFile(path, inputId)
  const file = await open(path, 'w', 0o600).catch((error: unknown) => {
    throw new CommandFailure(
      `The report cannot be written to ${path} (${codeOf(error)}). Choose another file with --report.`,
    )
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

const requireOtherFile = async (path: string, inputId: string): Promise<void> => {
  const stats = await stat(path).catch(() => undefined)
  if (stats && `${stats.dev}:${stats.ino}` === inputId)
    throw new CommandFailure(`${basename(path)} is the import file. Choose another file for the report.`)
}
