import type { TableCall } from '../../infra/dynamodb-proxy.ts'
import type { StubAnswer } from '../../infra/stub-server.ts'
import { createConflicts } from './conflicts.ts'
import { refuseExpressions } from './expression-limits.ts'
import { refuseKeys } from './key-limits.ts'
import { cancellation, serviceError } from './refusals.ts'

export interface StrictTable {
  /** Returns a refusal, or a function to call when the engine has answered. */
  readonly start: (call: TableCall) => StubAnswer | (() => void)
  /** Throttles the next calls that match, as DynamoDB does with a partition that gets too many requests. */
  readonly throttleNext: (times: number, matches?: (call: TableCall) => boolean) => void
}

const throttled = ({ action, input }: TableCall): StubAnswer =>
  action.startsWith('Transact')
    ? cancellation(
        input.TransactItems.map((_: unknown, at: number) => (at === 0 ? 'ThrottlingError' : 'None')),
        { ThrottlingError: 'Throughput exceeds the current capacity of your table or index.' },
      )
    : serviceError('ThrottlingException', 'Throughput exceeds the current capacity of your table or index.')

/** Refuses what DynamoDB refuses and the engine does not. */
export const createStrictTable = (): StrictTable => {
  const conflicts = createConflicts()
  let throttling = { times: 0, matches: (_: TableCall) => true }
  return {
    start: (call) => {
      const refusal = refuseExpressions(call) ?? refuseKeys(call)
      if (refusal) return refusal
      if (throttling.times > 0 && throttling.matches(call)) {
        throttling = { ...throttling, times: throttling.times - 1 }
        return throttled(call)
      }
      return conflicts.start(call)
    },
    throttleNext: (times, matches = () => true) => {
      throttling = { times, matches }
    },
  }
}
