import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { CommandFailure, codeOf } from '../command-failure.ts'

/** Where a segment of the table continues. Keys can contain usernames and addresses. */
export interface Position {
  readonly next?: { readonly pk: string; readonly sk: string } | undefined
  readonly isDone?: boolean
}

/** How far a command got, so that an interrupted one resumes. */
export interface SavedState {
  /** The command with its options. Another one must not continue the positions. */
  readonly command: string
  /** Epoch milliseconds of the first run. */
  readonly startedAt: number
  readonly positions: readonly Position[]
}

/** The state of an earlier run of the same command, if it was interrupted. @throws CommandFailure */
export const readState = (path: string, command: string): SavedState | undefined => {
  let text: string
  try {
    text = readFileSync(path, 'utf8')
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined
    throw new CommandFailure(`${path} cannot be read (${codeOf(error)}).`)
  }
  const state: SavedState = JSON.parse(text)
  if (state.command !== command)
    throw new CommandFailure(
      `${path} belongs to another command: ${state.command}. Finish that one, or delete the file.`,
    )
  return state
}

/** Replaces the file at once, so that an interruption leaves a whole one. Only the owner can read it. */
export const writeState = (path: string, state: SavedState): void => {
  writeFileSync(`${path}.part`, JSON.stringify(state), { mode: 0o600 })
  renameSync(`${path}.part`, path)
}

export const removeState = (path: string): void => rmSync(path, { force: true })
