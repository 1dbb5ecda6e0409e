import { startProxy } from '../infra/dynamodb-proxy.ts'
import { medianOf } from '../support/cpu-time.ts'
import { startService } from '../support/service.ts'
import { type Cost, costMeter } from './cost-meter.ts'
import { createSend, sendEveryOperation } from './every-operation.ts'

export interface MeasuredOperation extends Pick<Cost, 'calls' | 'readUnits' | 'writeUnits'> {
  /** The name of the operation. */
  readonly id: string
  /** The CPU time of this process for the request, with its client, gateway and table endpoint. */
  readonly cpuMs: number
}

/**
 * Sends requests of each operation to the real handlers with a real engine. Calls and units are those of its first request.
 * The CPU time is the median of the rounds after the first one, which also loads and compiles code.
 */
export const measureEveryOperation = async (
  engine: string,
  rounds: number,
): Promise<readonly MeasuredOperation[]> => {
  const meter = costMeter()
  const proxy = await startProxy({ endpoint: engine, onCall: meter.onCall })
  process.env['DYNAMODB_ENDPOINT'] = proxy.url
  // Table calls of the mailer are not part of a request. Passkeys need a name instead of an address.
  const service = await startService({}, { sendsMail: false, hostname: 'localhost' })
  const first = new Map<string, Cost>()
  const times = new Map<string, readonly number[]>()
  const send = createSend(service, async (id, work) => {
    meter.take()
    const before = process.cpuUsage()
    const answer = await work()
    const { user, system } = process.cpuUsage(before)
    const cost = meter.take()
    if (!first.has(id)) first.set(id, cost)
    else times.set(id, [...(times.get(id) ?? []), (user + system) / 1000])
    return answer
  })
  try {
    for (let round = 0; round < rounds; round++) await sendEveryOperation(service, send)
  } finally {
    await service.close()
    await proxy.close()
    process.env['DYNAMODB_ENDPOINT'] = engine
  }
  return [...first].map(([id, { calls, readUnits, writeUnits }]) => ({
    ...{ id, calls, readUnits, writeUnits },
    cpuMs: medianOf(times.get(id) ?? []),
  }))
}
