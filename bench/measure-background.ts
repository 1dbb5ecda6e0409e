import { randomUUID } from 'node:crypto'
import { mock } from 'node:test'
import { findWaitingEntries } from '../lib/accounts/outbox/outbox.records.ts'
import { createForwardJob } from '../lib/features/audit/forward.job.ts'
import { maintainChains } from '../lib/features/audit/maintain-chains.ts'
import { createOutboxJob } from '../lib/features/mail/outbox.job.ts'
import { createClientPauses, runDueJobs } from '../lib/features/oauth/run-logout-jobs.ts'
import { lastSeenPrecisionMs } from '../lib/kernel/limits/limits.ts'
import type { Key } from '../lib/kernel/table/keys/keys.ts'
import { day, minute } from '../lib/kernel/util/time.ts'
import { startProxy } from '../test/infra/dynamodb-proxy.ts'
import { startEventBridge } from '../test/infra/event-bridge-stub.ts'
import { addAuditEvents, readAuditItems } from '../test/support/audit-items.ts'
import { startAuditTable } from '../test/support/audit-table.ts'
import { addPerson, addSignedIn } from '../test/support/people.ts'
import type { TestService } from '../test/support/service.ts'
import { costMeter } from './cost-meter.ts'
import { getAuditEventBytes } from './event-sizes.ts'
import type { RecordedCosts, Units } from './recorded-costs.ts'

/* What a real day takes besides requests of operations that were sent a moment ago: visits, background functions, and files. */

const subtract = (a: Units, b: Units): Units => ({
  readUnits: a.readUnits - b.readUnits,
  writeUnits: a.writeUnits - b.writeUnits,
})

/** The units for each of many events, to a tenth, because events are spread over chains at random. */
const divide = ({ readUnits, writeUnits }: Units, count: number): Units => ({
  readUnits: Math.round((readUnits / count) * 10) / 10,
  writeUnits: Math.round((writeUnits / count) * 10) / 10,
})

const recordsOf = (keys: readonly Key[]) => ({
  Records: keys.map(({ pk, sk }, at) => ({
    eventName: 'INSERT' as const,
    dynamodb: { SequenceNumber: String(at + 1), Keys: { pk: { S: pk }, sk: { S: sk } } },
  })),
})

export type Visits = Pick<RecordedCosts, 'afterFiveMinutes' | 'firstOfDay' | 'sentEmail' | 'signInPage'>

/**
 * Measures requests of a session that was last seen a while ago, an email that is sent, and the files of the sign-in page. The
 * clock of the process is a mock, which this moves.
 */
export const measureVisits = async (
  service: TestService,
  meter: ReturnType<typeof costMeter>,
): Promise<Visits> => {
  // Shortly before midnight, because the first request of a UTC day counts the user.
  const midnight = (Math.floor(Date.now() / day) + 1) * day
  mock.timers.setTime(midnight - 10 * minute)
  const { bearer } = await addSignedIn(service)
  const visit = async (): Promise<Units> => {
    meter.take()
    const { status, text } = await service.client('GET', '/api/2/users/me', { bearer })
    if (status !== 200) throw new Error(`get_current_user: ${status} ${text}`)
    return meter.take()
  }
  await visit()
  const again = await visit()
  mock.timers.setTime(Date.now() + lastSeenPrecisionMs + 1000)
  const afterFiveMinutes = subtract(await visit(), again)
  mock.timers.setTime(midnight + 1000)
  const firstOfDay = subtract(await visit(), again)
  return {
    afterFiveMinutes,
    firstOfDay,
    sentEmail: await measureEmail(service, meter),
    signInPage: await measureSignInPage(service.url),
  }
}

const measureEmail = async (service: TestService, meter: ReturnType<typeof costMeter>): Promise<Units> => {
  const { services, mailbox, client } = service
  const address = `${randomUUID()}@example.com`
  const { user } = await addPerson(service, { email: address })
  const waiting = await findWaitingEntries(services.table)
  await client('POST', '/api/2/auth/reset-password/request', { body: { username: user.username } })
  const entries = await findWaitingEntries(services.table)
  const added = entries.filter(({ sk }) => !waiting.some((one) => one.sk === sk))
  meter.take()
  await createOutboxJob(services)(recordsOf(added), { getRemainingTimeInMillis: () => 60_000 })
  const { readUnits, writeUnits } = meter.take()
  if (mailbox.mailsTo(address).length !== 1) throw new Error('The email was not sent.')
  return { readUnits, writeUnits }
}

/** A browser without a cache loads the page, and each file that it names. */
const measureSignInPage = async (origin: string): Promise<RecordedCosts['signInPage']> => {
  const load = async (path: string) => {
    const response = await fetch(origin + path, { headers: { 'accept-encoding': 'gzip, br' } })
    if (response.status !== 200) throw new Error(`${path}: ${response.status}`)
    const text = await response.text()
    return { text, bytes: Number(response.headers.get('content-length') ?? Buffer.byteLength(text)) }
  }
  const { text, bytes } = await load('/')
  const files = new Set([...text.matchAll(/(?:src|href)="(\/assets\/[^"]+)"/g)].map(([, path = '']) => path))
  const loaded = await Promise.all([...files].map(load))
  const all = loaded.reduce((sum, file) => sum + file.bytes, bytes)
  // The page has values of the service, whose lengths differ a little.
  return { files: files.size, bytes: Math.round(all / 1000) * 1000 }
}

/** Enough events to fill the blocks of all chains. */
const measuredEvents = 800

type Background = Pick<RecordedCosts, 'auditEvent' | 'idleReads'>

/** Measures what audit events take after they were written, and what functions read every minute without anything new. */
export const measureBackground = async (engine: string): Promise<Background> => {
  const meter = costMeter()
  const proxy = await startProxy({ endpoint: engine, onCall: meter.onCall })
  const bus = await startEventBridge()
  process.env['DYNAMODB_ENDPOINT'] = proxy.url
  process.env['AWS_ENDPOINT_URL_EVENTBRIDGE'] = bus.url
  const audit = await startAuditTable(Date.now())
  const { services } = audit
  const run = { services, pauses: createClientPauses(), requestId: 'idle' }
  try {
    await maintainChains(services, services.log)
    meter.take()
    await maintainChains(services, services.log)
    const idle = meter.take()
    await runDueJobs(run, () => true)
    const logout = meter.take()

    const at = services.now()
    for (let added = 0; added < measuredEvents; added += 50)
      await addAuditEvents(services.table, 50, at + added)
    const items = await readAuditItems(services.table, [at])
    // A chain takes the events of minutes that are over.
    audit.passTime(15 * minute)
    meter.take()
    await maintainChains(services, services.log)
    const signed = subtract(meter.take(), idle)
    const forward = createForwardJob(services, { AUDIT_BUS_NAME: 'audit', JOB_BUS_NAME: 'jobs' })
    for (let done = 0; done < measuredEvents; done += 100) {
      const keys = items.slice(done, done + 100).map(({ pk, sk }) => ({ pk: String(pk), sk: String(sk) }))
      await forward(recordsOf(keys))
    }
    if (bus.events.length !== measuredEvents) throw new Error(`${bus.events.length} events were forwarded.`)
    return {
      auditEvent: {
        bytes: getAuditEventBytes(),
        signed: divide(signed, measuredEvents),
        forwarded: divide(meter.take(), measuredEvents),
      },
      idleReads: { 'audit-chain': idle.readUnits, 'backchannel-logout': logout.readUnits },
    }
  } finally {
    audit.close()
    await bus.close()
    await proxy.close()
    process.env['DYNAMODB_ENDPOINT'] = engine
    delete process.env['AWS_ENDPOINT_URL_EVENTBRIDGE']
  }
}
