import { randomInt } from 'node:crypto'
import { countEvent, getEventCount } from '../../kernel/rates/rates.ts'
import type { Table } from '../../kernel/table/table.ts'
import { isWithin } from '../../kernel/util/time.ts'
import type { Services } from '../../services.ts'

/*
 * How many requests for emails the whole service gets. A process counts its own, and writes one of 20 to one of four counters in
 * turn. The answers say what all processes wrote, so nothing is read, and the mean of the counters stands for the whole. A process
 * with fewer than 20 requests in a sixth of the window writes nothing: without pressure, the count costs nothing. Under pressure it
 * costs 0.05 write units a request, and the counters take 80,000 requests a second.
 *
 * So many processes with few requests each are not noticed. Lambda gives a request to a new process only while all others work, so
 * under load each of them has many.
 */

const requestsPerWrite = 20
const counters = 4

interface Observation {
  /** The part of the window that `requests` are of. */
  part: number
  /** The requests of this process in it that no write counted. */
  requests: number
  /** The counter that is written next. */
  counter: number
  /** What the last writes to the counters counted, newest first. */
  counts: readonly number[]
  countedAt: number
  /** When the log said that there is pressure. */
  notedAt: number
}

const observations = new WeakMap<Table, Observation>()

/**
 * The requests for emails in relation to their limit. Above 1, all networks have to prove work. A failure is only logged, because
 * the request does not depend on it.
 */
export const measurePressure = async (services: Services): Promise<number> => {
  const { table, config, now, log } = services
  const limit = config.rateLimits.mailRequests
  const [at, partMs] = [now(), limit.windowMs / 6]
  const part = Math.floor(at / partMs)
  const known = observations.get(table) ?? {
    ...{ part, requests: 0, counter: randomInt(counters) },
    ...{ counts: [], countedAt: 0, notedAt: 0 },
  }
  observations.set(table, known)
  if (known.part !== part) Object.assign(known, { part, requests: 0 })
  if (!isWithin(known.countedAt, at, partMs)) known.counts = []
  known.requests += 1
  if (known.requests >= requestsPerWrite) {
    known.requests = 0
    known.counter = (known.counter + 1) % counters
    try {
      const item = await countEvent(table, limit, `counter ${known.counter}`, at)
      known.counts = [getEventCount(item, limit, at), ...known.counts].slice(0, counters)
      known.countedAt = at
    } catch (error) {
      log.warn('mail_requests.not_counted', { error })
    }
  }
  const pressure = estimate(known.counts) / limit.max
  if (pressure > 1 && !isWithin(known.notedAt, at, limit.windowMs)) {
    known.notedAt = at
    log.warn('mail_requests.pressure', { limit: limit.max })
  }
  return pressure
}

/** The requests of all processes that the counts stand for. */
const estimate = (counts: readonly number[]): number =>
  counts.length === 0
    ? 0
    : (counts.reduce((sum, count) => sum + count, 0) / counts.length) * counters * requestsPerWrite
