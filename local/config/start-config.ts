import { existsSync } from 'node:fs'
import { basename, resolve } from 'node:path'
import type { AppliedChange } from '../../lib/features/configuration/apply.part.ts'
import type { LocalHooks } from '../../lib/features/configuration/hooks.models.ts'
import type { Seeded } from '../../lib/features/configuration/seed.part.ts'
import { getErrorMessage } from '../../lib/kernel/util/error-message.ts'
import type { Services } from '../../lib/services.ts'
import { planLocally } from './apply-config.ts'
import { openOutputsFile } from './outputs-file.ts'
import { readConfigFile, withPlace } from './read-config-file.ts'
import { watchConfig } from './watch-config.ts'

/** The files that local mode applies without being asked to, if one is in the folder where it starts. */
const standardNames = ['ts', 'mts', 'js', 'mjs'].map((extension) => `latchkey.config.${extension}`)

/** @throws Error if there are several */
export const findConfigFile = (folder: string): string | undefined => {
  const found = standardNames.filter((name) => existsSync(resolve(folder, name)))
  if (found.length > 1) throw new Error(`There are ${found.join(' and ')}. Name one of them in CONFIG_FILE.`)
  return found[0] && resolve(folder, found[0])
}

export interface ConfigOptions {
  readonly file: string
  /** Where the outputs are written. Without it, `print` gets what is shown only once. */
  readonly outputs: string | undefined
  readonly print: (line: string) => void
  readonly onFailure: (reason: string) => void
}

export interface AppliedConfig {
  /** Such as `3 created, 1 unchanged`. */
  readonly summary: string
  readonly files: readonly string[]
  readonly hooks: LocalHooks | undefined
}

const words = { create: 'created', adopt: 'adopted', update: 'changed', none: 'unchanged' } as const

/**
 * Applies a file with its seed. What the file no longer has stays.
 *
 * @throws CommandFailure that lists what is wrong with the file
 */
export const applyConfigFile = async (
  services: Services,
  { file, outputs, print }: Pick<ConfigOptions, 'file' | 'outputs' | 'print'>,
): Promise<AppliedConfig> => {
  const { document, describe, files } = await readConfigFile(file)
  const store = outputs === undefined ? undefined : await openOutputsFile(outputs)
  const counts = new Map<string, number>()
  const note = async (applied: AppliedChange | Seeded) => {
    const {
      change: { kind, key, action },
      outputs: own,
    } = applied
    counts.set(action, (counts.get(action) ?? 0) + 1)
    await store?.add(applied)
    if (store) return
    for (const [name, value] of Object.entries(own))
      if (shownOnce.includes(name)) print(`${kind} ${key} has the ${name} ${value}`)
  }
  try {
    const { changes, apply, applySeed, finish } = await planLocally(services, document, { prune: false })
    const held = (await store?.prepare({ document, changes, renew: [] })) ?? {}
    for (const change of changes) if (change.action === 'none') await note({ change, outputs: {} })
    for await (const applied of apply(held)) await note(applied)
    for await (const seeded of applySeed()) await note(seeded)
    await store?.finish(await finish({ held, renew: [] }))
  } catch (error) {
    throw withPlace(describe, error)
  }
  const parts = Object.entries(words).flatMap(([action, word]) => {
    const number = counts.get(action)
    return number === undefined ? [] : [`${number} ${word}`]
  })
  return { summary: parts.join(', ') || 'nothing to apply', files, hooks: document.hooks }
}

/** What only the first run knows. */
const shownOnce = ['client_secret', 'token', 'full_url']

/** Applies a file again after each change of it. A mistake in it changes nothing. */
export const watchConfigFile = (
  services: Services,
  { files, hooks }: AppliedConfig,
  options: ConfigOptions,
): { readonly close: () => Promise<void> } => {
  const { file, print, onFailure } = options
  const name = basename(file)
  let known = files
  return watchConfig(files, async () => {
    try {
      const applied = await applyConfigFile(services, options)
      known = applied.files
      // The functions have read their settings.
      if (JSON.stringify(applied.hooks) !== JSON.stringify(hooks))
        print(`${name}: start again to use other hooks.`)
      print(`${name}: ${applied.summary}.`)
    } catch (error) {
      onFailure(getErrorMessage(error))
    }
    return known
  })
}
