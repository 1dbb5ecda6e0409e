import { ConflictError, ContentionError, StorageFullError, TableBusyError } from '../errors/errors.ts'
import { isStorageFull } from './engine-failure.ts'
import { type Condition, expressions, type Update, updateExpression } from './expressions.ts'
import type { Key } from './keys/keys.ts'

export type Item = Key & { readonly [attribute: string]: unknown }

type Action =
  | { readonly put: Item; readonly condition?: Condition }
  | { readonly update: Key; readonly changes: Update }
  | { readonly delete: Key; readonly condition?: Condition | undefined }
  | { readonly check: Key; readonly condition: Condition }
  | Addition

/**
 * Adds to numbers and to sets of numbers of an item, which begin with 0 and without members. A transaction has one for each
 * item: see `mergeAdditions`.
 */
interface Addition {
  readonly addTo: Key
  readonly amounts: Readonly<Record<string, number | ReadonlySet<number>>>
  readonly condition?: Condition | undefined
}

export interface RecordEdit {
  readonly before: object
  readonly after: object
}

/** One step of a transaction. Either all steps are written or none is. */
export type Step = Action & {
  /** Whether a transaction with this step changes what a request is about: see `noteChange`. */
  readonly isChange?: true
  /** The record before and after the step, where a directory keeps some of it: see `local-changes.ts`. */
  readonly edits?: RecordEdit
  /** Creates the error that the transaction throws when the condition of this step does not hold. */
  readonly orElse?: OrElse | undefined
}

export type OrElse = () => Error

/** Converts a step to the form that DynamoDB expects. */
export const toTransactItem = (tableName: string, step: Step) => {
  const x = expressions()
  const base = { TableName: tableName }
  const condition = (test: Condition | undefined) => (test ? { ConditionExpression: test(x) } : {})
  if ('put' in step)
    return { Put: { ...base, Item: step.put, ...condition(step.condition), ...x.attributes() } }
  if ('delete' in step)
    return { Delete: { ...base, Key: step.delete, ...condition(step.condition), ...x.attributes() } }
  if ('check' in step)
    return {
      ConditionCheck: { ...base, Key: step.check, ConditionExpression: step.condition(x), ...x.attributes() },
    }
  const clauses = 'addTo' in step ? toAdditionUpdate(step)(x) : step.changes(x)
  const expression = updateExpression(clauses)
  // DynamoDB rejects an update that changes nothing.
  if (expression === '' && clauses.condition)
    return {
      ConditionCheck: {
        ...base,
        Key: getKey(step),
        ConditionExpression: clauses.condition,
        ...x.attributes(),
      },
    }
  return {
    Update: {
      ...base,
      Key: getKey(step),
      UpdateExpression: expression,
      ...(clauses.condition ? { ConditionExpression: clauses.condition } : {}),
      ...x.attributes(),
    },
  }
}

/** The update that an addition is. */
export const toAdditionUpdate =
  ({ amounts, condition }: Addition): Update =>
  (x) => ({
    include: Object.entries(amounts)
      .map(([name, amount]) => `${x.path(name)} ${x.value(amount)}`)
      .join(', '),
    ...(condition ? { condition: condition(x) } : {}),
  })

/** The key of the item that a step writes or checks. */
export const getKey = (step: Step): Key => {
  if ('put' in step) return step.put
  if ('update' in step) return step.update
  if ('addTo' in step) return step.addTo
  return 'delete' in step ? step.delete : step.check
}

/** The name of the item that a step writes or checks. */
export const formatStepKey = (step: Step): string => {
  const { pk, sk } = getKey(step)
  return `${pk}\n${sk}`
}

/** Whether two steps of the same item can be one. */
export const canMerge = (a: Step, b: Step): boolean =>
  'addTo' in a && 'addTo' in b && a.condition === b.condition

/** Makes the additions to each item one step, because a transaction names each item once. The error is that of the first. */
export const mergeAdditions = (steps: readonly Step[]): readonly Step[] => {
  const merged: Step[] = []
  const places = new Map<string, number>()
  for (const step of steps) {
    const place = 'addTo' in step ? places.get(formatStepKey(step)) : undefined
    const known = place === undefined ? undefined : merged[place]
    if (place !== undefined && known && 'addTo' in known && 'addTo' in step && canMerge(known, step))
      merged[place] = { ...known, amounts: addAmounts(known.amounts, step.amounts) }
    else {
      if ('addTo' in step) places.set(formatStepKey(step), merged.length)
      merged.push(step)
    }
  }
  return merged
}

const addAmounts = (a: Addition['amounts'], b: Addition['amounts']): Addition['amounts'] => {
  const sums = new Map(Object.entries(a))
  for (const [name, amount] of Object.entries(b)) {
    const known = sums.get(name)
    if (typeof amount === 'number') sums.set(name, amount + (typeof known === 'number' ? known : 0))
    else sums.set(name, new Set([...(known instanceof Set ? (known as ReadonlySet<number>) : []), ...amount]))
  }
  return Object.fromEntries(sums)
}

/** The condition of a write did not hold, and no failing step has an error of its own. */
export class ConditionFailed extends Error {
  /** Whether the call was sent again because no answer arrived. The condition may then have failed because of an earlier attempt. */
  readonly wasRepeated: boolean

  constructor(wasRepeated = false) {
    super('a condition of the write did not hold')
    this.name = 'ConditionFailed'
    this.wasRepeated = wasRepeated
  }
}

/** The error of a step that can report other failing steps of the same transaction as well. */
export interface CombinableError extends Error {
  /** Returns one error for this and `other`, or undefined if the two are unrelated. */
  combine(other: Error): Error | undefined
}

const isCombinable = (error: Error): error is CombinableError => 'combine' in error

/** Whether a conditional write was committed. @throws any error except ConditionFailed */
export const wasCommitted = async (write: Promise<unknown>): Promise<boolean> => {
  try {
    await write
    return true
  } catch (error) {
    if (error instanceof ConditionFailed) return false
    throw error
  }
}

/** Another request changed the record after it was read. */
export class EditConflict extends ConflictError {
  constructor() {
    super('record_changed', 'the record was changed by another request')
    this.name = 'EditConflict'
  }
}

interface CancellationReason {
  readonly Code?: string
}

const getReasons = (error: unknown): readonly CancellationReason[] =>
  (error as { CancellationReasons?: readonly CancellationReason[] }).CancellationReasons ?? []

/** What got in the way of a call: too many requests for the table, or another transaction with the same records. */
type Obstacle = 'throttling' | 'contention'

/** The reasons of a cancelled transaction. */
const obstacleCodes = new Map<string, Obstacle>([
  ['ThrottlingError', 'throttling'],
  ['ProvisionedThroughputExceeded', 'throttling'],
  ['RequestLimitExceeded', 'throttling'],
  ['TransactionConflict', 'contention'],
])

const obstacleErrors = new Map<string, Obstacle>([
  ['ThrottlingException', 'throttling'],
  ['ProvisionedThroughputExceededException', 'throttling'],
  ['RequestLimitExceeded', 'throttling'],
  ['TransactionConflictException', 'contention'],
  ['TransactionInProgressException', 'contention'],
])

/** Throttling comes first: it is what an operator must know. */
const findObstacle = (error: Error): Obstacle | undefined => {
  if (error.name !== 'TransactionCanceledException') return obstacleErrors.get(error.name)
  const codes = getReasons(error).map(({ Code = '' }) => Code)
  // A condition that does not hold is final, even if something else got in the way.
  if (codes.includes('ConditionalCheckFailed')) return undefined
  const found = codes.map((code) => obstacleCodes.get(code))
  return found.includes('throttling') ? 'throttling' : found.find((obstacle) => obstacle !== undefined)
}

/** Whether the same call may succeed later. The SDK has repeated a throttled call itself, but not a cancelled transaction. */
export const isTransient = (error: unknown): boolean =>
  error instanceof Error &&
  findObstacle(error) !== undefined &&
  (error.name === 'TransactionCanceledException' || obstacleErrors.get(error.name) === 'contention')

/** Converts an error of the SDK to one that callers of the table know. Called after the last attempt. */
export const mapError = (error: unknown, wasRepeated = false): unknown => {
  if (!(error instanceof Error)) return error
  if (error.name === 'ConditionalCheckFailedException') return new ConditionFailed(wasRepeated)
  if (isStorageFull(error.message)) return new StorageFullError(error)
  const obstacle = findObstacle(error)
  if (obstacle === 'contention') return new ContentionError('other requests kept changing the records', error)
  return obstacle ? new TableBusyError('the table did not take the call in time', error) : error
}

/**
 * Converts the SDK's error for a transaction of these steps. If several steps failed, the first one in order
 * that has an error decides. Its error can include those of later steps: see `CombinableError`.
 */
export const mapTransactionError = (error: unknown, steps: readonly Step[]): unknown => {
  const reasons = getReasons(error)
  const failedSteps = steps.filter((_, at) => reasons[at]?.Code === 'ConditionalCheckFailed')
  return failedSteps.length === 0 ? mapError(error) : buildConditionError(failedSteps)
}

/** The error of a transaction whose conditions in these steps did not hold. */
export const buildConditionError = (failedSteps: readonly Step[]): Error => {
  const [first, ...others] = failedSteps.flatMap(({ orElse }) => (orElse ? [orElse()] : []))
  return first ? others.reduce(combineErrors, first) : new ConditionFailed()
}

const combineErrors = (combined: Error, next: Error): Error =>
  (isCombinable(combined) ? combined.combine(next) : undefined) ?? combined

interface Consumed {
  readonly CapacityUnits?: number | undefined
}

/** The consumed capacity units in an answer. */
export const getConsumedUnits = (output: { ConsumedCapacity?: Consumed | readonly Consumed[] }): number => {
  const consumed = output.ConsumedCapacity ?? []
  return (Array.isArray(consumed) ? consumed : [consumed as Consumed]).reduce(
    (sum: number, { CapacityUnits = 0 }: Consumed) => sum + CapacityUnits,
    0,
  )
}
