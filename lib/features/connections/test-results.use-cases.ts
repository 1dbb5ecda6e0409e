import type { UseCase } from '../../http/use-case.ts'
import { notFound } from '../../kernel/errors/errors.ts'
import { testResultMs } from '../../kernel/limits/connection-limits.ts'
import { formatTime } from '../../kernel/util/time.ts'
import type { Services } from '../../services.ts'
import { type ConnectionTestResult, SignInDiagnosis } from './diagnosis.models.ts'
import { findTestResult } from './flows.records.ts'
import type { connectionTests } from './tests.operations.ts'

/** Shows administrators what a test sign-in found, through a connection of any kind. */
export const getConnectionTestResult: UseCase<typeof connectionTests.getConnectionTestResult> = async (
  { params },
  services,
) => ({ status: 200, body: await readTestResult(services, params.id, params.token) })

/** @throws AppError `not_found` if there is no such result any more */
export const readTestResult = async (
  { table, now }: Services,
  connectionId: number,
  id: string,
): Promise<ConnectionTestResult> => {
  const result = await findTestResult(table, connectionId, id)
  // DynamoDB deletes expired items late.
  if (!result || result.receivedAt + testResultMs <= now())
    throw notFound('result', 'Results of tests are kept for a day. Test the sign-in again.')
  const diagnosis = SignInDiagnosis.parse(JSON.parse(result.diagnosis))
  return { ...diagnosis, received_at: formatTime(result.receivedAt) }
}
