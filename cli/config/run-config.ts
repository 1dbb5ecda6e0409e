import { randomUUID } from 'node:crypto'
import { existsSync } from 'node:fs'
import { createInterface } from 'node:readline/promises'
import { Readable } from 'node:stream'
import { stringify } from 'yaml'
import { buildCommandContext, type RequestContext } from '../../lib/features/access/request-context.ts'
import { applyChanges, rehearseChanges } from '../../lib/features/configuration/apply.step.ts'
import { exportDocument } from '../../lib/features/configuration/export.step.ts'
import { readOutputs } from '../../lib/features/configuration/outputs.step.ts'
import { isWork, type PlannedChange, planChanges } from '../../lib/features/configuration/plan.step.ts'
import type { Services } from '../../lib/services.ts'
import { CommandFailure } from '../../local/command-failure.ts'
import { openOutputsFile } from '../../local/config/outputs-file.ts'
import { type ConfigFile, readConfigFile, withPlace } from '../../local/config/read-config-file.ts'
import { endInterrupted } from '../exit-codes.ts'
import { createExistsFailure, writeNewFile } from '../input.ts'
import { openTarget } from '../users/import-target.ts'
import { type ConfigCommand, configExitCodes } from './command.ts'
import { describePlan, nameChange } from './describe-plan.ts'

type Command<Name> = Extract<ConfigCommand, { name: Name }>

/** Checks a file without a service. Returns the exit code. */
export const runValidate = async ({ file }: Command<'validate'>): Promise<number> => {
  await readConfigFile(file)
  process.stdout.write('The file is valid. Only diff and apply can compare it with a service.\n')
  return configExitCodes.done
}

/** Shows what would change. Returns the exit code. */
export const runDiff = async (command: Command<'diff'>): Promise<number> => {
  const file = await readConfigFile(command.file)
  const { services, close } = await openTarget({
    ...{ table: command.table, publicUrl: command.url, whenNew: 'simulate' },
  })
  try {
    const changes = await plan(services, file, command.prunes)
    process.stdout.write(describePlan(changes))
    return changes.some(isWork) ? configExitCodes.wouldChange : configExitCodes.done
  } finally {
    await close()
  }
}

/** Applies a file. Returns the exit code. */
export const runApply = async (command: Command<'apply'>, signal: AbortSignal): Promise<number> => {
  const file = await readConfigFile(command.file)
  const { services, close } = await openTarget({
    ...{ table: command.table, publicUrl: command.url, whenNew: 'create' },
  })
  try {
    const changes = await plan(services, file, command.prunes)
    process.stdout.write(describePlan(changes))
    const { document, describe } = file
    if (command.outputs === undefined) requireNoSecrets(changes)
    const outputs = command.outputs === undefined ? undefined : await openOutputsFile(command.outputs)
    if (changes.some(isWork) && !command.isConfirmed) await confirm(signal)
    for await (const applied of withPlaces(
      describe,
      applyChanges(services, createContext(services), { owner: document.owner, readSecret }, changes),
    )) {
      await outputs?.add(applied)
      process.stdout.write(`Applied ${nameChange(applied.change)}.\n`)
      signal.throwIfAborted()
    }
    await outputs?.merge(await readOutputs(services, document.owner))
    return configExitCodes.done
  } catch (error) {
    return endInterrupted(error, signal, 'Run the same command again to go on.')
  } finally {
    await close()
  }
}

/** Writes what a service has. Returns the exit code. */
export const runConfigExport = async (command: Command<'export'>, signal: AbortSignal): Promise<number> => {
  const { file, owner, table, url } = command
  if (file !== undefined && existsSync(file)) throw createExistsFailure(file)
  const { services, close } = await openTarget({ table, publicUrl: url, whenNew: 'fail' })
  try {
    const text = stringify(await exportDocument(services, createContext(services), owner), { lineWidth: 100 })
    if (file === undefined) process.stdout.write(text)
    else await writeNewFile(Readable.from([text]), file, signal)
    return configExitCodes.done
  } finally {
    await close()
  }
}

const readSecret = (name: string): string | undefined => process.env[name]

const createContext = ({ now }: Services): RequestContext => ({
  ...buildCommandContext(now(), `config-${randomUUID()}`),
  credential: 'configuration',
})

const plan = async (
  services: Services,
  { document, describe }: ConfigFile,
  prune: boolean,
): Promise<readonly PlannedChange[]> => {
  const context = createContext(services)
  try {
    const changes = await planChanges(services, context, document, { prune })
    await rehearseChanges(services, context, { owner: document.owner, readSecret }, changes)
    return changes
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
const requireNoSecrets = (changes: readonly PlannedChange[]): void => {
  const names = changes.filter(getsSecret).map(({ key }) => key)
  if (names.length > 0)
    throw new CommandFailure(
      `Nothing was changed. Add --outputs FILE: the service makes a secret for ${names.join(', ')}, which it shows only once.`,
    )
}

const getsSecret = ({ kind, action, entry }: PlannedChange): boolean => {
  if (kind !== 'client' || action !== 'create') return false
  const { type = 'confidential', public_keys: keys = [] } = entry ?? {}
  return type === 'confidential' && Array.isArray(keys) && keys.length === 0
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
