import { existsSync } from 'node:fs'
import { basename } from 'node:path'
import { createInterface } from 'node:readline/promises'
import { Readable } from 'node:stream'
import { stringify } from 'yaml'
import type { ConfigurationDocument } from '../../lib/features/configuration/document.models.ts'
import type { ShownChange } from '../../lib/features/configuration/door.part.ts'
import { type CheckedSecrets, listHolders } from '../../lib/features/configuration/held-secrets.part.ts'
import { isWork } from '../../lib/features/configuration/plan.part.ts'
import { AppError } from '../../lib/kernel/errors/errors.ts'
import { CommandFailure } from '../../local/command-failure.ts'
import type { PlanOptions } from '../../local/config/apply-config.ts'
import { openOutputsFile } from '../../local/config/outputs-file.ts'
import { type ConfigFile, readConfigFile, withPlace } from '../../local/config/read-config-file.ts'
import { endInterrupted } from '../exit-codes.ts'
import { createExistsFailure, writeNewFile } from '../input.ts'
import { type ConfigCommand, configExitCodes } from './command.ts'
import { describePlan, nameChange } from './describe-plan.ts'
import { type Door, type OpenPlan, openLocalDoor } from './door.ts'
import { separateImages } from './export-images.ts'
import { openFunctionDoor } from './function-door.ts'
import { isStackTemplate, readStack } from './read-stack.ts'

type Command<Name> = Extract<ConfigCommand, { name: Name }>

/** Checks a file without a service. Returns the exit code. */
export const runValidate = async ({ file }: Command<'validate'>): Promise<number> => {
  requireNoStack(file)
  await readConfigFile(file)
  process.stdout.write('The file is valid. Only diff and apply can compare it with a service.\n')
  return configExitCodes.done
}

/** @throws CommandFailure if the file is the template of a stack */
const requireNoStack = (file: string): void => {
  if (isStackTemplate(file))
    throw new CommandFailure(
      `${basename(file)} is the template of a stack: diff shows what it would change, and cdk deploy applies it.`,
    )
}

const openDoor = (
  address: string | undefined,
  whenNew: 'create' | 'simulate' | 'fail',
): Promise<Door> | Door => (address === undefined ? openLocalDoor(whenNew) : openFunctionDoor(address))

/** Shows what would change. Returns the exit code. */
export const runDiff = async (command: Command<'diff'>): Promise<number> => {
  const isStack = isStackTemplate(command.file)
  if (!isStack && command.owner !== undefined)
    throw new CommandFailure('--owner is for the template of a stack. A file names its owner.')
  const files = isStack ? await readStack(command.file, command.owner) : [await readConfigFile(command.file)]
  const door = await openDoor(command.function, 'simulate')
  try {
    const changes: ShownChange[] = []
    for (const file of files) {
      const shown = await plan(door, file, {
        prune: command.prunes,
        readSecret: isStack ? readUnknownSecret : undefined,
      })
      process.stdout.write(describePlan(shown.changes, isStack))
      changes.push(...shown.changes)
    }
    if (command.refusesRights && changes.some(givesRights)) return configExitCodes.givesRights
    // What a construct leaves behind is deleted or released with it.
    const isDifferent = changes.some((change) => isWork(change) || (isStack && change.action === 'keep'))
    return isDifferent ? configExitCodes.wouldChange : configExitCodes.done
  } finally {
    await door.close()
  }
}

/** The secrets of a stack are in Secrets Manager, which a plan does not read. */
const readUnknownSecret = (): string => 'known to the stack alone'

/** Whether a line of the plan says `(gives rights)` or `(weaker)`. */
const givesRights = (change: ShownChange): boolean => isWork(change) && change.broadens

/** Applies a file. Returns the exit code. */
export const runApply = async (command: Command<'apply'>, signal: AbortSignal): Promise<number> => {
  requireNoStack(command.file)
  const file = await readConfigFile(command.file)
  const door = await openDoor(command.function, 'create')
  try {
    const { document, describe } = file
    const { changes, apply, applySeed, finish } = await plan(door, file, { prune: command.prunes })
    process.stdout.write(describePlan(changes))
    if (command.refusesRights && changes.some(givesRights)) {
      process.stderr.write('Nothing was changed, because the plan gives rights or makes a policy weaker.\n')
      return configExitCodes.givesRights
    }
    if (command.outputs === undefined) requireNoSecrets(document, changes)
    const { renew } = command
    requireHolders(document, renew)
    const outputs = command.outputs === undefined ? undefined : await openOutputsFile(command.outputs)
    const isWanted = changes.some(isWork) || renew.length > 0
    if (isWanted && !command.isConfirmed) await confirm(signal)
    // Before anything is sent: what the service makes is written down already.
    const held = (await outputs?.prepare({ document, changes, renew })) ?? {}
    if (changes.some(isWork)) {
      for await (const applied of withPlaces(describe, apply(held))) {
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
    if (!outputs) return configExitCodes.done
    const finished = await finish({ held, renew })
    await outputs.finish(finished)
    return reportSecrets(command, finished.secrets) ? configExitCodes.done : configExitCodes.failed
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

/** Gives what an owner manages to another one. Returns the exit code. */
export const runTransfer = async (command: Command<'transfer'>, signal: AbortSignal): Promise<number> => {
  const { from, to } = command
  const door = await openDoor(command.function, 'fail')
  try {
    const transfer = door.openTransfer({ from, to })
    const { things, nearest } = await transfer.plan()
    if (things.length === 0) {
      const question = nearest === null ? '' : ` Did you mean ${nearest}?`
      process.stdout.write(`Nothing belongs to ${from}.${question}\n`)
      return configExitCodes.done
    }
    const lines = things.map(({ isDeleted, ...thing }) => `> ${nameChange(thing)}${isDeleted ? deleted : ''}`)
    process.stdout.write(`${lines.join('\n')}\n\n${things.length} to move from ${from} to ${to}.\n`)
    if (command.isDryRun) return configExitCodes.done
    if (!command.isConfirmed) await confirm(signal)
    for await (const thing of transfer.apply()) {
      process.stdout.write(`Moved ${nameChange(thing)}.\n`)
      // A function has moved the others of its answer.
      if (command.function === undefined) signal.throwIfAborted()
    }
    return configExitCodes.done
  } catch (error) {
    return endInterrupted(nameOptions(error), signal, 'Run the same command again to go on.')
  } finally {
    await door.close()
  }
}

/** Errors about owners are about the options that name them. */
const nameOptions = (error: unknown): unknown => {
  const errors = error instanceof AppError ? error.details.errors : undefined
  return errors
    ? new CommandFailure(errors.map(({ field, message }) => `--${field} ${message}.`).join('\n'))
    : error
}

const deleted = ' (deleted, its key can be used again)'

const plan = async (
  door: Door,
  { document, describe }: ConfigFile,
  options: PlanOptions,
): Promise<OpenPlan> => {
  try {
    return await door.plan(document, options)
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

/** @throws CommandFailure if an entry has no secret that can be renewed */
const requireHolders = (document: ConfigurationDocument, renew: readonly string[]): void => {
  const paths = listHolders(document).map(({ path }) => path)
  const wrong = renew.filter((entry) => !paths.includes(entry))
  if (wrong.length > 0)
    throw new CommandFailure(
      `--renew names ${wrong.join(', ')}, which is no client or service account of this document that has a secret. It has ${paths.join(', ') || 'none'}.`,
    )
}

/** Says which secrets the file of outputs does not have as the service does. Returns false if that fails the command. */
const reportSecrets = (
  { file, outputs, function: address, requiresSecrets }: Command<'apply'>,
  secrets: CheckedSecrets,
): boolean => {
  let isRight = true
  for (const [path, { state }] of Object.entries(secrets)) {
    if (state === 'works') continue
    const isFailure = state === 'other' || requiresSecrets
    const what = state === 'other' ? 'has another secret than the service' : 'has no secret'
    const target = address === undefined ? '' : ` --function ${address}`
    const renewal = `npm exec --no -- latchkey config apply ${file} --outputs ${outputs}${target} --renew ${path}`
    const line = `${outputs} ${what} for ${path}. To get a new one: ${renewal}\n`
    if (isFailure) process.stderr.write(line)
    else process.stdout.write(line)
    isRight &&= !isFailure
  }
  return isRight
}

/** A secret is shown once, so there has to be a place for it. @throws CommandFailure */
const requireNoSecrets = (document: ConfigurationDocument, changes: readonly ShownChange[]): void => {
  const names = changes.filter((change) => getsSecret(document, change)).map(({ key }) => key)
  if (names.length > 0)
    throw new CommandFailure(
      `Nothing was changed. Add --outputs FILE: the service makes a secret for ${names.join(', ')}, which it shows only once.`,
    )
}

const getsSecret = (document: ConfigurationDocument, { kind, action, key, fields }: ShownChange): boolean =>
  listHolders(document).some((one) => one.kind === kind && one.key === key) &&
  // A service account without scopes has no token.
  (action === 'create' || fields.some(({ name, before }) => name === 'scopes' && (before ?? null) === null))

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
