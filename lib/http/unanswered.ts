import { answersHead, type Operation } from '../kernel/contract/operation.ts'
import { AppError } from '../kernel/errors/errors.ts'
import { ConnectionError } from '../kernel/table/post.ts'
import { TableError } from '../kernel/table/table-client.ts'

/** What did not answer may answer a moment later. */
const retrySeconds = 5

/**
 * Returns the refusal of a request that ran out of time, or whose table or key did not answer. Other errors stay as they are. A request
 * that only reads can be sent again. What became of a change is not known: its work may go on, or its write may have been committed.
 */
export const toUnanswered = (error: unknown, operation: Operation | undefined): unknown => {
  if (!isUnanswered(error)) return error
  return operation && !answersHead(operation)
    ? new AppError('temporarily_unavailable', {
        reason: 'outcome_unknown',
        detail:
          'The service ran out of time. The change may have been made. Read what the request is about before you send it again.',
      })
    : new AppError('temporarily_unavailable', {
        reason: 'out_of_time',
        detail:
          'The service ran out of time. Nothing was changed. Wait the number of seconds in the Retry-After header, then try again.',
        headers: { 'retry-after': String(retrySeconds) },
      })
}

/** Whether an error is no bug: no answer of the table, an answer that says nothing about a write, a failure of AWS, or a time limit. */
const isUnanswered = (error: unknown): boolean =>
  error instanceof ConnectionError ||
  (error instanceof TableError && (error.status >= 500 || error.mayBeCommitted)) ||
  (error instanceof Error && (timeLimits.has(error.name) || isServerFault(error)))

/** The time limit of a function, and that of a call to AWS or to another server. */
const timeLimits: ReadonlySet<string> = new Set(['TimeoutError'])

/** Errors of the AWS SDK say whether AWS is the cause. */
const isServerFault = (error: Error): boolean => '$fault' in error && error.$fault === 'server'
