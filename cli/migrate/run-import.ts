import type { AttributeChange } from '../../lib/accounts/users/attributes.models.ts'
import { findUserAttributes, type UserAttribute } from '../../lib/accounts/users/attributes.records.ts'
import { createGroupFinder } from '../../lib/features/user-files/group-finder.ts'
import type { Entry } from '../../lib/features/user-files/import-file.ts'
import { readJsonLine } from '../../lib/features/user-files/json-lines.ts'
import { groupsPerUser } from '../../lib/kernel/limits/limits.ts'
import type { Services } from '../../lib/services.ts'
import { CommandFailure } from '../../local/command-failure.ts'
import { exitCodes } from '../exit-codes.ts'
import { openInput } from '../input.ts'
import { retryThrottled } from '../pool.ts'
import { startProgress } from '../progress.ts'
import { openReport } from '../report.ts'
import { openTarget } from '../users/import-target.ts'
import { importUsers } from '../users/import-users.ts'
import type { ImportCommand } from './command.ts'
import { isWanted } from './document.ts'
import { openAuth0 } from './from-auth0.ts'
import { openBetterAuth } from './from-better-auth.ts'
import { openClerk } from './from-clerk.ts'
import { openCognito } from './from-cognito.ts'
import { openCsv, readColumnMap } from './from-csv.ts'
import { openDjango } from './from-django.ts'
import { openFirebase } from './from-firebase.ts'
import { openKeycloak } from './from-keycloak.ts'
import { collectGroupNames, createGroups, type GroupNames, isGroupName, planGroups } from './groups.ts'
import { listRest, type Source, type SourceRecord } from './source.ts'
import { createTally, formatPreview, formatResult, type Pass, type Preview, type Tally } from './tally.ts'

/**
 * Moves the values of a record to the attributes of the service that have their names. Cognito's begin with `custom:`. Other
 * values stay behind, and are reported.
 */
export const moveAttributes = (
  record: SourceRecord,
  definitions: readonly UserAttribute[],
): SourceRecord & { readonly moved: readonly AttributeChange[] } => {
  const names = new Set(definitions.map(({ name }) => name))
  const given = Object.entries(record.attributes ?? {})
  const moved = given.flatMap(([from, value]) => {
    const name = from.replace(/^custom:/, '')
    return names.has(name) && isMovable(value) ? [{ from, name, value }] : []
  })
  const known = moved.map(({ from }) => from)
  const rest = listRest(Object.fromEntries(given), known).map((name) => `attribute ${name}`)
  return {
    ...record,
    left: [...(record.left ?? []), ...rest],
    moved: moved.map(({ name, value }) => ({ name, value })),
  }
}

const isMovable = (value: unknown): value is NonNullable<AttributeChange['value']> =>
  ['string', 'number', 'boolean'].includes(typeof value)
    ? value !== ''
    : Array.isArray(value) && value.length > 0 && value.every((part) => typeof part === 'string')

/** Shows what a migration would do, and does it if it is wanted. Returns the exit code. */
export const runImport = async (command: ImportCommand, signal: AbortSignal): Promise<number> => {
  const { id: inputId, close } = await openInput(command.file, 'json-lines', {
    isDocument: true,
  })
  await close()
  const source = { ...(await openSource(command)), inputId }
  const preview = await withTarget(command, 'simulate', (services) =>
    previewImport(services, command, source, signal),
  )
  if (signal.aborted || preview.counts.imported + preview.counts.known === 0)
    return getExitCode(preview, signal)
  if (preview.privileged.length > 0 && !command.trustsGroups)
    throw new CommandFailure(
      'Users would get the permissions of existing groups. Repeat with --trust-groups if they should.',
    )
  if (!(await isWanted(command, 'Import them now?', signal))) {
    process.stdout.write('Nothing was written. Pass --yes to import.\n')
    return getExitCode(preview, signal)
  }
  return withTarget(command, 'create', (services) => importAll(services, command, source, preview, signal))
}

/** A source with the identity of its file, which a report must not replace. */
interface InputSource extends Source {
  readonly inputId: string
}

const previewImport = async (
  services: Services,
  command: ImportCommand,
  source: InputSource,
  signal: AbortSignal,
): Promise<Preview> => {
  const pass = await runPass(services, command, { source, signal, isDryRun: true })
  const plan = await planGroups(services.table, pass.groups.list())
  const preview = { ...pass, ...plan }
  process.stdout.write(formatPreview(command, preview, { isInterrupted: signal.aborted }))
  return preview
}

const importAll = async (
  services: Services,
  command: ImportCommand,
  source: InputSource,
  { missing }: Preview,
  signal: AbortSignal,
): Promise<number> => {
  await createGroups(services, missing)
  const startedAt = performance.now()
  let pass: Pass | undefined
  try {
    pass = await runPass(services, command, { source, signal, isDryRun: false }, (now) => {
      pass = now
    })
    return getExitCode(pass, signal)
  } finally {
    if (pass)
      process.stdout.write(
        formatResult(command, pass, {
          durationMs: performance.now() - startedAt,
          isInterrupted: signal.aborted,
        }),
      )
  }
}

/** Opens the table for a part of the command. Opening local mode changes the environment. */
const withTarget = async <Result>(
  { table }: ImportCommand,
  whenNew: 'simulate' | 'create',
  work: (services: Services) => Promise<Result>,
): Promise<Result> => {
  const environment = { ...process.env }
  const target = await openTarget({ table, whenNew })
  try {
    return await work(target.services)
  } finally {
    await target.close()
    process.env = environment
  }
}

interface PassOptions {
  readonly source: InputSource
  readonly signal: AbortSignal
  readonly isDryRun: boolean
}

/** Reads the whole source, and imports it or checks what an import would do. */
const runPass = async (
  services: Services,
  { report: path, source: sourceName }: ImportCommand,
  { source, signal, isDryRun }: PassOptions,
  onProgress: (pass: Pass) => void = () => {},
): Promise<Pass> => {
  const [tally, groups] = [createTally(), collectGroupNames()]
  const report = await openReport(path, source.inputId)
  const definitions = await retryThrottled(() => findUserAttributes(services.table))
  const progress = startProgress(source.size)
  try {
    const counts = await importUsers(toEntries({ source, sourceName, definitions }, tally, groups), {
      services,
      report: {
        ...report,
        add: (line, errors) => {
          tally.addRefusal(line, errors)
          return report.add(line, errors)
        },
      },
      isDryRun,
      groupFinder: createGroupFinder(services.table, isDryRun ? isGroupName : undefined),
      signal,
      onProgress: (counts) => {
        onProgress({ counts, tally, groups })
        progress.show(counts, source.getPosition(counts.line))
      },
    })
    return { counts, tally, groups }
  } finally {
    progress.end()
    await report.close()
  }
}

interface EntryOptions {
  readonly source: Source
  readonly sourceName: string
  readonly definitions: readonly UserAttribute[]
}

/** The lines that the import takes. It checks them as those of any other file. */
async function* toEntries(
  { source, sourceName, definitions }: EntryOptions,
  tally: Tally,
  groups: GroupNames,
): AsyncGenerator<Entry> {
  for await (const read of source.records()) {
    const record = moveAttributes(read, definitions)
    tally.addRecord(record)
    const { line, fields, id, errors = [], moved } = record
    for (const name of listGroups(fields)) groups.add(name)
    if (errors.length > 0) yield { line, fields: undefined, errors }
    else if (fields)
      yield readJsonLine(
        line,
        JSON.stringify({
          ...fields,
          ...(moved.length > 0 ? { attributes: moved } : {}),
          ...(id ? { external_id: { source: sourceName, id } } : {}),
        }),
      )
  }
}

const listGroups = (fields: SourceRecord['fields']): readonly string[] => {
  const groups: unknown = fields?.groups
  if (!Array.isArray(groups) || groups.length > groupsPerUser) return []
  return groups.filter((group) => typeof group === 'string')
}

const getExitCode = ({ counts: { refused } }: Pass, { aborted }: AbortSignal): number => {
  if (aborted) return exitCodes.interrupted
  return refused > 0 ? exitCodes.someRefused : exitCodes.done
}

/** Opens the export of a command with the reader of its source. @throws CommandFailure */
const openSource = (command: ImportCommand): Promise<Source> => {
  const { name, file } = command
  switch (name) {
    case 'django':
      return openDjango(file, command)
    case 'keycloak':
      return openKeycloak(file, command.takesPasskeys)
    case 'auth0':
      return openAuth0(file, command.hashes)
    case 'cognito':
      return openCognito(file, command)
    case 'firebase':
      return openFirebase(file, command.hashConfig)
    case 'clerk':
      return openClerk(file, command.hashes)
    case 'better-auth':
      return openBetterAuth(file, command.takesPasskeys)
    case 'csv':
      return openCsv(file, { ...command, columns: readColumnMap(command.map) })
  }
}
