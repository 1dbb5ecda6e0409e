import { mock } from 'node:test'
import { startProxy, type TableCall } from '../test/infra/dynamodb-proxy.ts'
import type { JsonValue } from '../test/support/client.ts'
import { medianOf } from '../test/support/cpu-time.ts'
import { startKms } from '../test/support/kms.ts'
import { startService } from '../test/support/service.ts'
import { unusedHook } from '../test/support/unused-hook.ts'
import { type Cost, costMeter } from './cost-meter.ts'
import { sendEveryOperation } from './every-operation.ts'
import { measureVisits, type Visits } from './measure-background.ts'
import { type Flows, keyMeter, measureFlows } from './measure-flows.ts'
import type { Measure } from './send-operation.ts'

export interface MeasuredOperation extends Pick<Cost, 'calls' | 'readUnits' | 'writeUnits'> {
  /** The name of the operation. */
  readonly id: string
  /** Requests to KMS. */
  readonly kmsCalls: number
  /** Emails that the request itself sends. The mailer sends all others later. */
  readonly emails: number
  /** The CPU time of this process for the request, with its client, gateway and table endpoint, to a tenth. */
  readonly cpuMs: number
}

/** Rate limits count in slices that are a multiple of this. The AWS SDK accepts a clock that is this much wrong. */
const roundMs = 10_000
/** The time between two requests. A round has fewer than 500. */
const stepMs = 20

/**
 * Sends requests of each operation to the real handlers with a real engine. Calls and units are those of its first request.
 * The CPU time is the median of the rounds after the first one, which also loads and compiles code. The clock is set, so that
 * no slice of a rate limit ends within a round: the first request of a slice takes one more call.
 */
export const measureEveryOperation = async (
  engine: string,
  rounds: number,
): Promise<{
  readonly operations: readonly MeasuredOperation[]
  readonly visits: Visits
  readonly flows: Flows
}> => {
  const startMs = Math.floor(Date.now() / roundMs) * roundMs
  mock.timers.enable({ apis: ['Date'], now: startMs })
  const meter = costMeter()
  const keys = keyMeter()
  const onCall = (call: TableCall) => {
    const countRead = keys.count(call)
    const addUnits = meter.onCall(call)
    return (output: JsonValue) => {
      countRead(output)
      addUnits(output)
    }
  }
  const proxy = await startProxy({ endpoint: engine, onCall })
  process.env['DYNAMODB_ENDPOINT'] = proxy.url
  const kms = await startKms()
  const service = await startService(
    {
      AWS_ENDPOINT_URL_KMS: kms.url,
      KMS_KEY_ID: 'key',
      ALLOW_PRIVATE_METADATA: 'true',
      ALLOWED_ORIGINS: 'https://shop.example.com',
      LINK_URL: 'Shop=https://shop.example.com/shared/{id}',
      SECURITY_CONTACT: 'mailto:security@example.com',
      SECURITY_CONTACT_UNTIL: '9999-12-31',
      ...unusedHook,
    },
    // Table calls of the mailer are not part of a request. Passkeys need a name instead of an address.
    { sendsMail: false, hostname: 'localhost' },
  )
  const first = new Map<string, Omit<MeasuredOperation, 'id' | 'cpuMs'>>()
  const times = new Map<string, readonly number[]>()
  const measure: Measure = async (id, work) => {
    mock.timers.setTime(Date.now() + stepMs)
    meter.take()
    const [kmsCalls, emails] = [kms.calls.length, service.mailbox.mails.length]
    const before = process.cpuUsage()
    const answer = await work()
    const { user, system } = process.cpuUsage(before)
    const { calls, readUnits, writeUnits } = meter.take()
    const others = {
      kmsCalls: kms.calls.length - kmsCalls,
      emails: service.mailbox.mails.length - emails,
    }
    if (!first.has(id)) first.set(id, { calls, readUnits, writeUnits, ...others })
    times.set(id, [...(times.get(id) ?? []), (user + system) / 1000])
    return answer
  }
  let visits: Visits
  let flows: Flows
  try {
    for (let round = 0; round < rounds; round++) {
      mock.timers.setTime(startMs + round * roundMs)
      await sendEveryOperation(service, measure)
      if (Date.now() >= startMs + (round + 1) * roundMs)
        throw new Error(
          'A round takes too long: a slice of a rate limit can end within it. Shorten the steps.',
        )
    }
    // A process can start one service, because handlers read their environment once.
    visits = await measureVisits(service, meter)
    flows = await measureFlows(service, { units: meter, keys })
  } finally {
    await service.close()
    await kms.close()
    await proxy.close()
    process.env['DYNAMODB_ENDPOINT'] = engine
    mock.timers.reset()
  }
  const measured = [...first].map(([id, cost]) => ({
    id,
    ...cost,
    cpuMs: Math.round(medianOf(withoutFirst(times.get(id) ?? [])) * 10) / 10,
  }))
  return { operations: measured, visits, flows }
}

/** The first call also loads modules. It counts if there is no other. */
const withoutFirst = (times: readonly number[]): readonly number[] =>
  times.length > 1 ? times.slice(1) : times
