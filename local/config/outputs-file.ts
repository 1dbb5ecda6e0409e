import { randomBytes } from 'node:crypto'
import { readFile, rename, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { type ConfigurationDocument, thingLists } from '../../lib/features/configuration/document.models.ts'
import type { ShownApplied, ShownChange } from '../../lib/features/configuration/door.part.ts'
import {
  type HeldSecret,
  type HeldSecrets,
  holdWhole,
  listHolders,
  secretOutputs,
} from '../../lib/features/configuration/held-secrets.part.ts'
import type { Outputs } from '../../lib/features/configuration/kind.part.ts'
import type { OutputsByKey } from '../../lib/features/configuration/outputs.part.ts'
import { isWork } from '../../lib/features/configuration/plan.part.ts'
import { seedLists } from '../../lib/features/configuration/seed.models.ts'
import type { Seeded } from '../../lib/features/configuration/seed.part.ts'
import { mintRandom } from '../../lib/kernel/secrets/credentials.ts'
import { readOwn } from '../../lib/kernel/util/object-fields.ts'
import { CommandFailure, codeOf } from '../command-failure.ts'
import type { FinishedPlan } from './apply-config.ts'

/** The file with what products need: the identifiers of clients, and their secrets. Only its owner can read it. */
export interface OutputsFile {
  /**
   * Mints the random part of each secret that the plan can lead to, and writes it down before anything is sent. Returns what the file has
   * of all secrets of the document.
   */
  readonly prepare: (request: PrepareRequest) => Promise<HeldSecrets>
  /** Adds what one change brought, at once. */
  readonly add: (applied: ShownApplied | Seeded) => Promise<void>
  /** Adds what the service chose, and the secrets that it accepts. Random parts that led to nothing go. */
  readonly finish: (finished: FinishedPlan) => Promise<void>
}

export interface PrepareRequest {
  readonly document: ConfigurationDocument
  readonly changes: readonly Pick<ShownChange, 'kind' | 'key' | 'action'>[]
  /** The paths of the entries that get a new secret. */
  readonly renew: readonly string[]
}

const lists = { ...thingLists, ...seedLists }

/** The random part of a secret that the service has not confirmed. */
const pendingName = 'pending'

/** @throws CommandFailure if there is a file that is none of these, or no place for one */
export const openOutputsFile = async (path: string): Promise<OutputsFile> => {
  let outputs = await readOutputsFile(path)
  const replace = async (next: OutputsByKey): Promise<void> => {
    outputs = next
    const draft = `${path}.${randomBytes(6).toString('hex')}.part`
    try {
      await writeFile(draft, `${JSON.stringify(outputs, null, 2)}\n`, { flag: 'wx', mode: 0o600 })
      await rename(draft, path)
    } catch (error) {
      const reason =
        codeOf(error) === 'ENOENT' ? `the folder ${dirname(path)} does not exist` : String(codeOf(error))
      throw new CommandFailure(`${path} cannot be written: ${reason}.`)
    }
  }
  const write = (more: OutputsByKey): Promise<void> => replace(mergeOutputs(outputs, more))
  return {
    prepare: async ({ document, changes, renew }) => {
      const held: [string, HeldSecret][] = []
      const minted: Record<string, Record<string, Outputs>> = {}
      for (const { kind, key, path: entry } of listHolders(document)) {
        const list = lists[kind]
        const own = outputs[list]?.[key] ?? {}
        const { [secretOutputs[kind]]: secret, [pendingName]: pending } = own
        const change = changes.find((one) => one.kind === kind && one.key === key)
        const isWanted =
          renew.includes(entry) || (secret === undefined && change !== undefined && isWork(change))
        const random = pending ?? (isWanted ? mintRandom() : undefined)
        if (random !== undefined) {
          held.push([entry, { random: String(random) }])
          minted[list] = { ...minted[list], [key]: { [pendingName]: random } }
        } else held.push([entry, secret === undefined ? {} : holdWhole(String(secret))])
      }
      await write(minted)
      return Object.fromEntries(held)
    },
    add: async ({ change: { kind, key }, outputs: own }) => {
      const list = readOwn<string>(lists, kind)
      if (list !== undefined && Object.keys(own).length > 0) await write({ [list]: { [key]: own } })
    },
    finish: async ({ outputs: chosen, secrets }) => {
      const settled = Object.entries(secretOutputs).flatMap(([kind, name]) => {
        const list = thingLists[kind as keyof typeof secretOutputs]
        const values = Object.entries(secrets).flatMap(([entry, { value }]) =>
          value !== undefined && entry.startsWith(`${list}.`)
            ? [[entry.slice(list.length + 1), { [name]: value }] as const]
            : [],
        )
        return values.length > 0 ? [[list, Object.fromEntries(values)] as const] : []
      })
      await replace(dropPending(mergeOutputs(mergeOutputs(outputs, chosen), Object.fromEntries(settled))))
    },
  }
}

const mergeOutputs = (outputs: OutputsByKey, more: OutputsByKey): OutputsByKey => {
  const names = new Set([...Object.keys(outputs), ...Object.keys(more)])
  return Object.fromEntries(
    [...names].map((list) => {
      const keys = new Set([...Object.keys(outputs[list] ?? {}), ...Object.keys(more[list] ?? {})])
      return [
        list,
        Object.fromEntries([...keys].map((key) => [key, { ...outputs[list]?.[key], ...more[list]?.[key] }])),
      ]
    }),
  )
}

/** The service has said what became of them. */
const dropPending = (outputs: OutputsByKey): OutputsByKey =>
  Object.fromEntries(
    Object.entries(outputs).map(([list, entries]) => [
      list,
      Object.fromEntries(
        Object.entries(entries).flatMap(([key, { [pendingName]: pending, ...own }]) =>
          pending !== undefined && Object.keys(own).length === 0 ? [] : [[key, own]],
        ),
      ),
    ]),
  )

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
