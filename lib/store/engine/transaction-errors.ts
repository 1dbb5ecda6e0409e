import { ConflictError } from '../../core/errors.ts'

/** A condition did not hold; of a transaction, `steps` are the places of the steps whose condition did not. */
export class ConditionFailed extends Error {
  readonly steps: readonly number[]
  /** Whether the call was made more than once, so that an earlier one may be what its condition met. */
  readonly wasRepeated: boolean

  constructor(steps: readonly number[] = [0], wasRepeated = false) {
    super('a condition of the write did not hold')
    this.name = 'ConditionFailed'
    this.steps = steps
    this.wasRepeated = wasRepeated
  }
}

/** Whether a conditional write was made. @throws whatever else than its condition it failed for. */
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

const reasonsOf = (error: unknown): readonly CancellationReason[] =>
  (error as { CancellationReasons?: readonly CancellationReason[] }).CancellationReasons ?? []

/** Why a transaction is refused that may succeed when it is made again; of its own, the SDK repeats none of these. */
const passing = new Set([
  'TransactionConflict',
  'ThrottlingError',
  'ProvisionedThroughputExceeded',
  'RequestLimitExceeded',
])

/** Whether another transaction, or too much load, got in the way, so that the same call may succeed when it is made again. */
export const isTransient = (error: unknown): boolean => {
  if (!(error instanceof Error)) return false
  if (error.name === 'TransactionConflictException' || error.name === 'TransactionInProgressException')
    return true
  return (
    error.name === 'TransactionCanceledException' &&
    reasonsOf(error).some(({ Code = '' }) => passing.has(Code)) &&
    !reasonsOf(error).some(({ Code }) => Code === 'ConditionalCheckFailed')
  )
}

/** The error that callers of the table know for what the SDK threw. */
export const mapError = (error: unknown): unknown => {
  if (!(error instanceof Error)) return error
  if (error.name === 'ConditionalCheckFailedException') {
    const { attempts = 1 } = (error as { $metadata?: { attempts?: number } }).$metadata ?? {}
    return new ConditionFailed([0], attempts > 1)
  }
  const failed = reasonsOf(error).flatMap(({ Code }, place) =>
    Code === 'ConditionalCheckFailed' ? [place] : [],
  )
  return failed.length > 0 ? new ConditionFailed(failed) : error
}

interface Consumed {
  readonly CapacityUnits?: number | undefined
}

/** The capacity units that an answer of the table names. */
export const getConsumedUnits = (output: { ConsumedCapacity?: Consumed | readonly Consumed[] }): number => {
  const consumed = output.ConsumedCapacity ?? []
  return (Array.isArray(consumed) ? consumed : [consumed as Consumed]).reduce(
    (sum: number, { CapacityUnits = 0 }: Consumed) => sum + CapacityUnits,
    0,
  )
}
