import { randomBytes } from 'node:crypto'
import { readFile, rename, writeFile } from 'node:fs/promises'
import { thingLists } from '../../lib/features/configuration/document.models.ts'
import type { ShownApplied } from '../../lib/features/configuration/door.step.ts'
import type { OutputsByKey } from '../../lib/features/configuration/outputs.step.ts'
import { seedLists } from '../../lib/features/configuration/seed.models.ts'
import type { Seeded } from '../../lib/features/configuration/seed.step.ts'
import { readOwn } from '../../lib/kernel/util/object-fields.ts'
import { CommandFailure, codeOf } from '../command-failure.ts'

/** The file with what products need: the identifiers of clients, and their secrets. Only its owner can read it. */
export interface OutputsFile {
  /** Adds what one change brought, at once: no later run knows the secret of a client. */
  readonly add: (applied: ShownApplied | Seeded) => Promise<void>
  readonly merge: (outputs: OutputsByKey) => Promise<void>
}

const lists = { ...thingLists, ...seedLists }

/** @throws CommandFailure if there is a file that is none of these */
export const openOutputsFile = async (path: string): Promise<OutputsFile> => {
  let outputs = await readOutputsFile(path)
  const write = async (more: OutputsByKey): Promise<void> => {
    const names = new Set([...Object.keys(outputs), ...Object.keys(more)])
    outputs = Object.fromEntries(
      [...names].map((list) => {
        const keys = new Set([...Object.keys(outputs[list] ?? {}), ...Object.keys(more[list] ?? {})])
        return [
          list,
          Object.fromEntries(
            [...keys].map((key) => [key, { ...outputs[list]?.[key], ...more[list]?.[key] }]),
          ),
        ]
      }),
    )
    const draft = `${path}.${randomBytes(6).toString('hex')}.part`
    await writeFile(draft, `${JSON.stringify(outputs, null, 2)}\n`, { flag: 'wx', mode: 0o600 })
    await rename(draft, path)
  }
  return {
    merge: write,
    add: async ({ change: { kind, key }, outputs: own }) => {
      const list = readOwn<string>(lists, kind)
      if (list !== undefined && Object.keys(own).length > 0) await write({ [list]: { [key]: own } })
    },
  }
}

const readOutputsFile = async (path: string): Promise<OutputsByKey> => {
  try {
    const value: unknown = JSON.parse(await readFile(path, 'utf8'))
    const isKnown =
      typeof value === 'object' &&
      value !== null &&
      Object.keys(value).every((list) => Object.values<string>(lists).includes(list))
    if (!isKnown) throw new SyntaxError()
    return value as OutputsByKey
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return {}
    if (error instanceof SyntaxError)
      throw new CommandFailure(`${path} is no file of outputs. Choose another file with --outputs.`)
    throw new CommandFailure(`${path} cannot be read (${codeOf(error)}).`)
  }
}
