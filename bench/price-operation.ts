import { fullProcessorMb, getMemoryMb } from '../infra/parts/functions.ts'
import { operations } from '../lib/features/operations.ts'
import type { MeasuredOperation } from './measure-every-operation.ts'
import type { Prices } from './prices.ts'

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
/** The assumed size of all log lines of a request. */
const logBytes = 1000

export interface PricedOperation extends MeasuredOperation {
  readonly memoryMb: number
  readonly billedMs: number
  /** US dollars for a million requests, by region. */
  readonly prices: readonly number[]
}

/** Estimates the billed time of an operation, and its price for a million requests. */
export const priceOperation = (measured: MeasuredOperation, regions: readonly Prices[]): PricedOperation => {
  const { id, cpuMs, calls, readUnits, writeUnits, kmsCalls, emails } = measured
  const memoryMb = getMemoryMb(operations.find((one) => one.id === id)?.group ?? 'unmatched')
  const hashes = hashingTwice.includes(id) ? 2 : hashing.includes(id) ? 1 : 0
  const processor = Math.min(1, memoryMb / fullProcessorMb)
  const billedMs = Math.ceil(
    (cpuMs + hashes * hashMs) / processor + (calls + kmsCalls) * callMs + emails * emailMs,
  )
  const priceIn = (price: Prices): number =>
    readUnits * price.readUnits +
    writeUnits * price.writeUnits +
    kmsCalls * price.kmsRequests +
    emails * price.emails +
    (memoryMb / 1024) * billedMs * 1000 * price.gbSecond +
    price.invocations +
    price.httpRequests +
    (logBytes / 1000) * price.logGb
  return { ...measured, memoryMb, billedMs, prices: regions.map(priceIn) }
}
