import { BusyError } from '../errors/errors.ts'

/* What is wrong with the disk of the embedded engine of local mode. AWS looks after the disks of DynamoDB. */

const failures = [
  {
    pattern: /disk is full|no space left/i,
    sentence: 'The disk with the data is full. Free space on it. The service needs no restart.',
    endsWithWrite: true,
  },
  {
    pattern: /disk image is malformed|is not a database|file is encrypted/i,
    sentence: 'The database file is damaged. Stop the service and restore a copy of the data folder.',
    endsWithWrite: false,
  },
] as const

let current: (typeof failures)[number] | undefined
let report: ((sentence: string) => void) | undefined

/** The failure as one sentence, without paths. Undefined while the engine works. */
export const getEngineFailure = (): string | undefined => current?.sentence

/** Returns the sentence for a message of the engine, if it is about its disk. */
export const explainEngineError = (message: string): string | undefined => findFailure(message)?.sentence

/** Whether a call failed because the disk is full. The engine has then written nothing. */
export const isStorageFull = (message: string): boolean => findFailure(message)?.endsWithWrite ?? false

const findFailure = (message: string) => failures.find(({ pattern }) => pattern.test(message))

/** Calls `watch` each time a failure begins. */
export const watchEngineFailures = (watch: (sentence: string) => void): void => {
  report = watch
}

/** Notes the outcome of a call: the message of its error, or that a write succeeded. */
export const noteEngineOutcome = (outcome: { readonly error: string } | 'written'): void => {
  if (outcome === 'written') {
    if (current?.endsWithWrite) current = undefined
    return
  }
  const failure = findFailure(outcome.error)
  if (failure === undefined || failure === current) return
  current = failure
  report?.(failure.sentence)
}

const throttlingCodes = [
  'ThrottlingException',
  'ProvisionedThroughputExceededException',
  'RequestLimitExceeded',
  'ThrottlingError',
  'ProvisionedThroughputExceeded',
  // Parallel writes check that the same group exists.
  'TransactionConflict',
]

interface AwsError {
  readonly name?: string
  readonly CancellationReasons?: readonly { readonly Code?: string }[]
}

/** Whether DynamoDB refused a call that may succeed in a moment. */
export const isThrottled = (error: unknown): boolean => {
  if (error instanceof BusyError) return true
  const { name = '', CancellationReasons = [] } = error as AwsError
  return [name, ...CancellationReasons.map(({ Code = '' }) => Code)].some((code) =>
    throttlingCodes.includes(code),
  )
}
