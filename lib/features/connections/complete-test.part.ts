import { testResultBytes, testResultMs } from '../../kernel/limits/connection-limits.ts'
import type { Services } from '../../services.ts'
import { toConsolePage } from '../pages/addresses.models.ts'
import type { SignInDiagnosis } from './diagnosis.models.ts'
import { type SignInFlow, storeTestResult } from './flows.records.ts'
import type { ConnectionName } from './records.ts'

/**
 * Stores what a test sign-in found for administrators, and for the holder of a set-up link if they started it. No one is signed
 * in. Returns where the browser goes next: the page of the connection in the console, or of the link.
 */
export const completeTest = async (
  { table, config, now }: Services,
  connection: ConnectionName,
  { id, isSetupTest }: Pick<SignInFlow, 'id' | 'isSetupTest'>,
  found: SignInDiagnosis,
): Promise<string> => {
  const receivedAt = now()
  const result = { receivedAt, diagnosis: encode(found) }
  await storeTestResult(table, connection.id, id, result, receivedAt + testResultMs)
  return isSetupTest
    ? `${config.publicUrl}/setup#test=${id}`
    : toConsolePage(config.publicUrl, 'connections', connection.kind, connection.id, 'tests', id)
}

/** A provider may send thousands of groups. The steps explain the result without them. */
const encode = (diagnosis: SignInDiagnosis): string => {
  const text = JSON.stringify(diagnosis)
  return Buffer.byteLength(text) <= testResultBytes ? text : JSON.stringify({ ...diagnosis, subject: null })
}
