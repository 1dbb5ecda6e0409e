import { BusyError } from '../../errors/errors.ts'

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
