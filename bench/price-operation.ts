import { priceOf, type Region } from './prices.ts'
import type { RecordedOperation } from './recorded-costs.ts'

/** CPU time of a password hash with the default cost. The bench hashes with the lowest cost. */
const hashMs = 315
const hashing = [
  'login',
  'confirm_identity',
  'change_own_password',
  'set_user_password',
  'reset_password',
  'accept_invitation',
]
/** Operations that check a password before they hash another one. */
const hashingTwice = ['change_own_password']
/** The assumed time of a call of the table or KMS, in milliseconds. */
const callMs = 5
/** The assumed time of a call of SES, in milliseconds. */
const emailMs = 100
/** The memory in MB with which a function has one full processor. */
const fullProcessorMb = 1769
/** The assumed size of all log lines of a request. */
export const logBytes = 1000

/** The dollars of a million GB-milliseconds. */
export const priceTime = (memoryMb: number, billedMs: number): number =>
  (memoryMb / 1024) * billedMs * 1000 * priceOf('gbSecond')

/** The billed milliseconds of an operation. */
export const getBilledMs = (id: string, operation: RecordedOperation): number => {
  const { cpuMs, calls, kmsCalls, emails, memoryMb } = operation
  const hashes = hashingTwice.includes(id) ? 2 : hashing.includes(id) ? 1 : 0
  const processor = Math.min(1, memoryMb / fullProcessorMb)
  return Math.ceil((cpuMs + hashes * hashMs) / processor + (calls + kmsCalls) * callMs + emails * emailMs)
}

/** The US dollars of a million requests of an operation. */
export const priceOperation = (
  id: string,
  operation: RecordedOperation,
  region: Region = 'us-east-1',
): number => {
  const { readUnits, writeUnits, kmsCalls, emails, memoryMb } = operation
  return (
    readUnits * priceOf('readUnits', region) +
    writeUnits * priceOf('writeUnits', region) +
    kmsCalls * priceOf('kmsRequests', region) +
    emails * priceOf('emails', region) +
    priceTime(memoryMb, getBilledMs(id, operation)) +
    priceOf('invocations', region) +
    priceOf('httpRequests', region) +
    (logBytes / 1000) * priceOf('logGb', region)
  )
}
