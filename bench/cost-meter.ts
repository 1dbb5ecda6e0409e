import type { TableCall } from '../test/infra/dynamodb-proxy.ts'
import type { JsonValue } from '../test/support/client.ts'

export interface Cost {
  readonly calls: number
  /** Sequential calls: calls that overlap in time count as one. */
  readonly roundTrips: number
  readonly readUnits: number
  readonly writeUnits: number
}

const nothing: Cost = { calls: 0, roundTrips: 0, readUnits: 0, writeUnits: 0 }
const reads = ['BatchGetItem', 'GetItem', 'Query']

const unitsOf = ({ ConsumedCapacity = [] }: JsonValue): number =>
  [ConsumedCapacity].flat().reduce((sum, { CapacityUnits = 0 }) => sum + CapacityUnits, 0)

/** Counts the calls between a service and its table, from outside the service. */
export const costMeter = () => {
  let cost = nothing
  let running = 0
  return {
    onCall: ({ action }: TableCall) => {
      cost = { ...cost, calls: cost.calls + 1, roundTrips: cost.roundTrips + (running === 0 ? 1 : 0) }
      running += 1
      return (output: JsonValue) => {
        running -= 1
        const kind = reads.includes(action) ? 'readUnits' : 'writeUnits'
        cost = { ...cost, [kind]: cost[kind] + unitsOf(output) }
      }
    },
    /** Returns the cost since the last call of this function. */
    take: (): Cost => {
      const taken = cost
      cost = nothing
      return taken
    },
  }
}
