import { existsSync } from 'node:fs'
import { createInterface } from 'node:readline/promises'
import { Readable } from 'node:stream'
import { stringify } from 'yaml'
import type { ConfigurationDocument } from '../../lib/features/configuration/document.models.ts'
import type { ShownChange } from '../../lib/features/configuration/door.step.ts'
import { isWork } from '../../lib/features/configuration/plan.step.ts'
import { readOwn } from '../../lib/kernel/util/object-fields.ts'
import { CommandFailure } from '../../local/command-failure.ts'
import { openOutputsFile } from '../../local/config/outputs-file.ts'
import { type ConfigFile, readConfigFile, withPlace } from '../../local/config/read-config-file.ts'
import { endInterrupted } from '../exit-codes.ts'
import { createExistsFailure, writeNewFile } from '../input.ts'
import { type ConfigCommand, configExitCodes } from './command.ts'
import { describePlan, nameChange } from './describe-plan.ts'
import { type Door, type OpenPlan, openLocalDoor } from './door.ts'
import { separateImages } from './export-images.ts'
import { openFunctionDoor } from './function-door.ts'

type Command<Name> = Extract<ConfigCommand, { name: Name }>

/** Checks a file without a service. Returns the exit code. */
export const runValidate = async ({ file }: Command<'validate'>): Promise<number> => {
  await readConfigFile(file)
  process.stdout.write('The file is valid. Only diff and apply can compare it with a service.\n')
  return configExitCodes.done
}

const openDoor = (
  address: string | undefined,
  whenNew: 'create' | 'simulate' | 'fail',
): Promise<Door> | Door => (address === undefined ? openLocalDoor(whenNew) : openFunctionDoor(address))

/** Shows what would change. Returns the exit code. */
export const runDiff = async (command: Command<'diff'>): Promise<number> => {
  const file = await readConfigFile(command.file)
  const door = await openDoor(command.function, 'simulate')
  try {
    const { changes } = await plan(door, file, command.prunes)
    process.stdout.write(describePlan(changes))
    if (command.refusesRights && changes.some(givesRights)) return configExitCodes.givesRights
    return changes.some(isWork) ? configExitCodes.wouldChange : configExitCodes.done
  } finally {
    await door.close()
  }
}

/** Whether a line of the plan says `(gives rights)` or `(weaker)`. */
const givesRights = (change: ShownChange): boolean => isWork(change) && change.broadens

/** Applies a file. Returns the exit code. */
export const runApply = async (command: Command<'apply'>, signal: AbortSignal): Promise<number> => {
  const file = await readConfigFile(command.file)
  const door = await openDoor(command.function, 'create')
  try {
    const { document, describe } = file
    const { changes, apply, applySeed } = await plan(door, file, command.prunes)
    process.stdout.write(describePlan(changes))
    if (command.refusesRights && changes.some(givesRights)) {
      process.stderr.write('Nothing was changed, because the plan gives rights or makes a policy weaker.\n')
      return configExitCodes.givesRights
    }
    if (command.outputs === undefined) requireNoSecrets(document, changes)
    const outputs = command.outputs === undefined ? undefined : await openOutputsFile(command.outputs)
    if (changes.some(isWork)) {
      if (!command.isConfirmed) await confirm(signal)
      for await (const applied of withPlaces(describe, apply())) {
        await outputs?.add(applied)
        process.stdout.write(`Applied ${nameChange(applied.change)}.\n`)
        // A function has applied the others of its answer, which may have secrets.
        if (command.function === undefined) signal.throwIfAborted()
      }
    }
    if (applySeed)
      for await (const seeded of withPlaces(describe, applySeed())) {
        await outputs?.add(seeded)
        const { kind, key, action } = seeded.change
        if (action !== 'none') process.stdout.write(`Applied ${kind} ${key} of the seed.\n`)
        signal.throwIfAborted()
      }
    else if (document.seed) process.stdout.write('The seed was left out. It is only for local mode.\n')
    await outputs?.merge(await door.readOutputs(document))
    return configExitCodes.done
  } catch (error) {
    return endInterrupted(error, signal, 'Run the same command again to go on.')
  } finally {
    await door.close()
  }
}

/** Writes what a service has. Returns the exit code. */
export const runConfigExport = async (command: Command<'export'>, signal: AbortSignal): Promise<number> => {
  const { file, owner } = command
  if (file !== undefined && existsSync(file)) throw createExistsFailure(file)
  const door = await openDoor(command.function, 'fail')
  try {
    const complete = await door.exportDocument(owner)
    // Without a file, the output has the images in base64.
    const { document, images } =
      file === undefined ? { document: complete, images: [] } : separateImages(complete, file)
    const text = stringify(document, { lineWidth: 100 })
    const taken = images.find(({ path }) => existsSync(path))
    if (taken) throw createExistsFailure(taken.path)
    for (const { path, bytes } of images) await writeNewFile(Readable.from([bytes]), path, signal)
    if (file === undefined) process.stdout.write(text)
    else await writeNewFile(Readable.from([text]), file, signal)
    return configExitCodes.done
  } finally {
    await door.close()
  }
}

const plan = async (door: Door, { document, describe }: ConfigFile, prune: boolean): Promise<OpenPlan> => {
  try {
    return await door.plan(document, prune)
  } catch (error) {
    throw withPlace(describe, error)
  }
}

async function* withPlaces<Value>(
  describe: ConfigFile['describe'],
  values: AsyncIterable<Value>,
): AsyncGenerator<Value> {
  try {
    yield* values
  } catch (error) {
    throw withPlace(describe, error)
  }
}

/** A secret is shown once, so there has to be a place for it. @throws CommandFailure */
const requireNoSecrets = (document: ConfigurationDocument, changes: readonly ShownChange[]): void => {
  const names = changes.filter((change) => getsSecret(document, change)).map(({ key }) => key)
  if (names.length > 0)
    throw new CommandFailure(
      `Nothing was changed. Add --outputs FILE: the service makes a secret for ${names.join(', ')}, which it shows only once.`,
    )
}

const getsSecret = ({ clients = {} }: ConfigurationDocument, { kind, action, key }: ShownChange): boolean => {
  if (kind !== 'client' || action !== 'create') return false
  const { type = 'confidential', public_keys: keys = [] } = readOwn(clients, key) ?? {}
  return type === 'confidential' && keys.length === 0
}

/** @throws CommandFailure unless the person says yes */
const confirm = async (signal: AbortSignal): Promise<void> => {
  if (!process.stdin.isTTY)
    throw new CommandFailure('Nothing was changed. Add --yes to apply without a question.')
  const terminal = createInterface({ input: process.stdin, output: process.stderr })
  try {
    const answer = await terminal.question('Apply this? Only "yes" applies it: ', { signal })
    if (answer.trim() !== 'yes') throw new CommandFailure('Nothing was changed.')
  } finally {
    terminal.close()
  }
}
