import type { RequestContext } from '../../accounts/callers/request-context.ts'
import { toAppError } from '../../http/problem.ts'
import type { ManagedKind, ThingKind } from '../../kernel/contract/managed-kinds.ts'
import { type FieldError, invalidRequest } from '../../kernel/errors/errors.ts'
import { openRehearsal } from '../../kernel/table/rehearsal.ts'
import type { Step } from '../../kernel/table/transaction.ts'
import { omitUndefined, readOwn } from '../../kernel/util/object-fields.ts'
import type { Services } from '../../services.ts'
import type { ConfigurationDocument, SecretReference } from './document.models.ts'
import type { HeldSecrets } from './held-secrets.part.ts'
import type { Outputs, Values } from './kind.part.ts'
import { createRunner, isThing, settings, things } from './kinds.part.ts'
import {
  type Adoption,
  buildDeletedSteps,
  buildLockSteps,
  buildManageSteps,
  buildReleaseSteps,
  type Claim,
  idOfSettings,
  listManaged,
  type ManagedRecord,
  noteApplied,
} from './managed.records.ts'
import { hashValues, isWork, kindOf, type PlannedChange, pathOf, toValues } from './plan.part.ts'

/** Returns the secret that an environment variable has, or undefined. */
export type ReadSecret = (name: string) => string | undefined

/** What a document is applied with. */
export interface ApplyOptions extends Pick<ConfigurationDocument, 'owner'> {
  readonly readSecret: ReadSecret
  /** What the caller keeps of the secrets that this makes. */
  readonly held?: HeldSecrets | undefined
  /** The resource of a stack that asks for the only entry, and what must hold in each transaction by which it begins to manage. */
  readonly claim?: { readonly claim: Claim; readonly guard: readonly Step[] } | undefined
}

/** What a change is applied with. */
interface Run {
  readonly services: Services
  readonly context: RequestContext
  readonly owner: string
  readonly readSecret: ReadSecret
  readonly held?: HeldSecrets | undefined
  readonly claim?: ApplyOptions['claim']
  /** The IDs of things by their kind and key, also of those that this run created. */
  readonly ids: Map<string, number>
}

/** Connections name attributes of users, whose claims name clients. Other settings follow, and what is deleted, in its order. */
const listWork = (changes: readonly PlannedChange[]): readonly PlannedChange[] => {
  const placeOf = ({ kind, action }: PlannedChange): number => {
    if (action === 'delete') return 4
    if (kind === 'user_attributes') return 1
    if (kind === 'saml_provider' || kind === 'oidc_connection') return 2
    return isThing(kind) ? 0 : 3
  }
  return changes.filter(isWork).toSorted((a, b) => placeOf(a) - placeOf(b))
}

const nameOf = (kind: string, key: string): string => `${kind} ${key}`

const openRun = async (services: Services, context: RequestContext, options: ApplyOptions): Promise<Run> => {
  const managed = await listManaged(services.table)
  const present = managed.filter(({ deletedAt }) => deletedAt === undefined)
  const ids = new Map(present.map(({ kind, key, id }) => [nameOf(kind, key), id]))
  return { ...options, services, context, ids }
}

/**
 * Tries out all changes without writing anything, so that a document with a mistake is not applied by half. Entries that refer to
 * what changes are tried once more at the end, also those that stay as they are: a document is refused whether the service has
 * a part of it already or not.
 *
 * @throws AppError `invalid_request` that lists what is wrong, by path
 */
export const rehearseChanges = async (
  services: Services,
  context: RequestContext,
  options: ApplyOptions,
  changes: readonly PlannedChange[],
): Promise<void> => {
  const rehearsed = { ...services, table: openRehearsal(services.table) }
  const run = await openRun(rehearsed, context, options)
  const errors = new Map<PlannedChange, readonly FieldError[]>()
  const notCreated = new Set<ManagedKind>()
  const rehearse = async (change: PlannedChange, tryOut: (change: PlannedChange) => Promise<unknown>) => {
    try {
      await tryOut(change)
    } catch (error) {
      // What refers to something that could not be created is not wrong because of that.
      const followUps = listNames(change.kind).filter(([, target]) => notCreated.has(target))
      const paths = followUps.map(([name]) => `${pathOf(change)}.${name}`)
      const own = listErrors(pathOf(change), error).filter(
        ({ field }) => !paths.some((path) => field === path || field.startsWith(`${path}.`)),
      )
      errors.set(change, own)
      if (change.action === 'create') notCreated.add(change.kind)
    }
  }
  for (const change of listWork(changes)) await rehearse(change, (one) => applyChange(run, one))
  const changed = new Set(changes.filter(({ action }) => changesThing.has(action)).map(({ kind }) => kind))
  for (const change of changes)
    if (!errors.has(change) && listTargets(change.kind).some((kind) => changed.has(kind)))
      await rehearse(change, (one) => applyAgain(run, one))
  if (errors.size > 0) throw invalidRequest([...errors.values()].flat())
}

/** The actions after which an entry can be wrong that refers to the thing. */
const changesThing: ReadonlySet<PlannedChange['action']> = new Set(['adopt', 'update', 'delete'])

/** The kinds of all things that decide whether an entry of a kind is right. */
const listTargets = (kind: ManagedKind): readonly ThingKind[] =>
  listNames(kind).flatMap(([, target]) => [target, ...listTargets(target)])

/** The fields that name things, with the kind of these. */
const listNames = (kind: ManagedKind): readonly (readonly [field: string, ThingKind])[] => {
  const { references, alsoNames = {} } = kindOf(kind)
  return Object.entries({ ...references, ...alsoNames })
}

const applyAgain = async (run: Run, { kind, key, entry, kept }: PlannedChange): Promise<void> => {
  if (!entry) return
  const runner = createRunner(run.services, run.context)
  const values = readPlainValues(run, kind, { entry, kept })
  if (!isThing(kind)) await settings[kind].update(runner, values, key)
  else {
    const { secret } = things[kind]
    const plain = Object.entries(values).filter(([name]) => name !== secret)
    await things[kind].update(runner, run.ids.get(nameOf(kind, key)) ?? 0, Object.fromEntries(plain))
  }
}

const readPlainValues = (run: Run, kind: ManagedKind, given: Parameters<typeof toValues>[1]): Values =>
  toValues(kind, given, (target, wanted) => run.ids.get(nameOf(target, wanted)))

/** Runs what one entry of a document asks for. @throws AppError `invalid_request` with the path of what was refused */
export const withPaths = async <Result>(path: string, run: () => Promise<Result>): Promise<Result> => {
  try {
    return await run()
  } catch (error) {
    throw invalidRequest(listErrors(path, error))
  }
}

/** @throws the error if it is no refusal */
const listErrors = (path: string, error: unknown): readonly FieldError[] => {
  const refusal = toAppError(error)
  if (!refusal) throw error
  return (
    refusal.details.errors?.map(({ field, message }) => ({ field: `${path}.${field}`, message })) ?? [
      { field: path, message: refusal.message },
    ]
  )
}

export interface AppliedChange {
  readonly change: PlannedChange
  /** What only this run knows: the secret of a new client. */
  readonly outputs: Outputs
}

/**
 * Applies changes one after the other, and reports each when it is complete. What was interrupted goes on with the next plan.
 *
 * @throws AppError `invalid_request` that names the change that was refused. Those before it stay
 */
export async function* applyChanges(
  services: Services,
  context: RequestContext,
  options: ApplyOptions,
  changes: readonly PlannedChange[],
): AsyncGenerator<AppliedChange> {
  const run = await openRun(services, context, options)
  for (const change of listWork(changes)) {
    const outputs = await withPaths(pathOf(change), () => applyChange(run, change))
    yield { change, outputs }
  }
}

const applyChange = async (run: Run, change: PlannedChange): Promise<Outputs> => {
  const { kind, key, record, entry, kept } = change
  if (change.action === 'delete') {
    if (record) await letGo(run, record)
    return {}
  }
  if (!entry) return {}
  const plain = readPlainValues(run, kind, { entry, kept })
  const values = isThing(kind) ? addSecret(run, kind, plain) : plain
  const { managed, outputs } = isThing(kind)
    ? await applyThing(run, { ...change, kind }, values)
    : { managed: await applySettings(run, change, values), outputs: {} }
  run.ids.set(nameOf(kind, key), managed.id)
  await noteApplied(run.services.table, managed, {
    given: hashValues(entry),
    result: hashValues(await readValues(run, managed)),
  })
  return outputs
}

/** Replaces the reference to a secret by the secret. @throws AppError `invalid_request` if there is none */
const addSecret = ({ readSecret }: Run, kind: ThingKind, values: Values): Values => {
  const { secret: field } = things[kind]
  const reference = field === undefined ? undefined : values[field]
  if (field === undefined || reference === undefined) return values
  const { env } = reference as SecretReference
  const value = readSecret(env)
  if (value === undefined || value === '')
    throw invalidRequest([{ field: `${field}.env`, message: `names ${env}, which is not set` }])
  return { ...values, [field]: value }
}

const newRecord = (
  { owner, claim }: Run,
  { kind, key, kept, record }: PlannedChange,
  id: number,
  adoption?: Adoption,
): ManagedRecord => ({
  ...{ kind, key, id, owner },
  ...(claim && {
    // What was deleted and is created again has noted the claim already.
    claims: record?.claims ?? [{ ...claim.claim, ...(adoption && { hasAdopted: true, adoption }) }],
    ...omitUndefined({ claimVersion: record?.claimVersion }),
  }),
  ...(kept && Object.keys(kept).length > 0 && { kept }),
  given: '',
  result: '',
})

const applyThing = async (
  run: Run,
  change: PlannedChange & { readonly kind: ThingKind },
  values: Values,
): Promise<{ readonly managed: ManagedRecord; readonly outputs: Outputs }> => {
  const { services } = run
  const { action, kind, record, id = 0 } = change
  const context = { ...run.context, presetRandom: readOwn(run.held ?? {}, pathOf(change))?.random }
  if (action === 'create') {
    const manage = (created: number) => [
      ...buildManageSteps(newRecord(run, change, created), record),
      ...listGuard(run),
    ]
    const created = await things[kind].create(
      createRunner(services, { ...context, alongside: manage, restores: record?.id }),
      values,
      change.key,
    )
    const completed = await things[kind].complete?.(createRunner(services, context), created.id, values)
    return { managed: newRecord(run, change, created.id), outputs: { ...created.outputs, ...completed } }
  }
  const managed = record ?? newRecord(run, change, id, await readAdoption(run, { kind, key: change.key, id }))
  await lock(run, managed, action)
  const runner = createRunner(services, context)
  await things[kind].update(runner, id, values)
  return { managed, outputs: (await things[kind].complete?.(runner, id, values)) ?? {} }
}

const listGuard = ({ claim }: Run): readonly Step[] => claim?.guard ?? []

/** What a resource of a stack takes over, so that it can give it back. */
const readAdoption = async (
  run: Run,
  managed: Pick<ManagedRecord, 'kind' | 'key' | 'id'>,
): Promise<Adoption | undefined> =>
  run.claim && { at: run.context.at, before: (await readValues(run, managed)) ?? {} }

/** Keeps people from changing what is about to be applied. */
const lock = async (run: Run, record: ManagedRecord, action: PlannedChange['action']): Promise<void> => {
  const { table } = run.services
  if (action === 'adopt') await table.transact([...buildManageSteps(record, undefined), ...listGuard(run)])
  else if (record.unlocked) await table.transact(buildLockSteps(record))
}

const applySettings = async (run: Run, change: PlannedChange, values: Values): Promise<ManagedRecord> => {
  const { services, context } = run
  const { kind, key } = change
  const at = { kind, key, id: idOfSettings(kind, key) }
  const managed = change.record ?? newRecord(run, change, at.id, await readAdoption(run, at))
  await lock(run, managed, change.action)
  if (!isThing(change.kind) && change.fields.length > 0)
    await settings[change.kind].update(createRunner(services, context), values, change.key)
  return managed
}

/** What the service has of a thing or of settings now. */
export const readValues = async (
  { services, context }: Pick<Run, 'services' | 'context'>,
  { kind, id, key }: Pick<ManagedRecord, 'kind' | 'id' | 'key'>,
): Promise<Values | undefined> =>
  isThing(kind)
    ? (await things[kind].read(services, [id]))[0]?.values
    : settings[kind].read(createRunner(services, context), key)

/** Deletes a thing. Settings stay as they are, and anybody can manage them from then on. */
const letGo = async ({ services, context }: Run, record: ManagedRecord): Promise<void> => {
  const { kind, id } = record
  if (!isThing(kind)) {
    await services.table.transact(buildReleaseSteps(record))
    return
  }
  const deleted = buildDeletedSteps(record, services.now())
  const [thing] = await things[kind].read(services, [id])
  if (thing) await things[kind].remove(createRunner(services, { ...context, alongside: () => deleted }), id)
  else await services.table.transact(deleted)
}
