import { conflict } from '../errors/errors.ts'
import { retry } from '../util/work.ts'
import { EditConflict } from './transaction.ts'

const options = {
  attempts: 5,
  baseMs: 10,
  capMs: 100,
  isRetryable: (error: unknown) => error instanceof EditConflict,
}

/**
 * Runs an action that reads records and changes them. Runs it again when it throws `EditConflict`, because another
 * request changed the records in between. `action` receives the number of the attempt, starting at 1.
 *
 * @throws AppError `conflict` with this detail when the fifth attempt fails with a conflict as well.
 */
export const retryConflicts = async <T>(
  action: (attempt: number) => Promise<T>,
  detail: string,
): Promise<T> => {
  try {
    return await retry(action, options)
  } catch (error) {
    throw error instanceof EditConflict ? conflict(detail) : error
  }
}
