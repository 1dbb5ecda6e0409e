import { randomInt } from 'node:crypto'
import { countEvent, getEventCount } from '../../kernel/rates/rates.ts'
import type { Table } from '../../kernel/table/table.ts'
import { isWithin } from '../../kernel/util/time.ts'
import type { Services } from '../../services.ts'

/*
 * How many requests for emails the whole service gets, and how many of them went through because they needed no proof of work, or had
 * one. The first number decides whether a proof is asked, the second one what it costs: a flood of requests without a proof costs its
 * sender nothing, and must not make that of others harder.
 *
 * A process counts its own, and writes one of 20 to one of four counters in
 * turn. The answers say what all processes wrote, so nothing is read, and the mean of the counters stands for the whole. A process
 * with fewer than 20 requests in a sixth of the window writes nothing: without pressure, the count costs nothing. Under pressure it
 * costs 0.05 write units a request, and the counters take 80,000 requests a second.
 *
 * So many processes with few requests each are not noticed. Lambda gives a request to a new process only while all others work, so
 * under load each of them has many.
 */

/** What is counted: all requests, or those that went through. */
export type CountedRequests = 'asked' | 'admitted'

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

const observations: Readonly<Record<CountedRequests, WeakMap<Table, Observation>>> = {
  asked: new WeakMap(),
  admitted: new WeakMap(),
}

/** What the counters are called in the table. */
const counterNames = { asked: 'counter', admitted: 'admitted' } as const satisfies Record<
  CountedRequests,
  string
>

/** What this process knows now. What it counted in another part of the window is forgotten. */
const observe = ({ table, config, now }: Services, counted: CountedRequests): Observation => {
  const [at, partMs] = [now(), config.rateLimits.mailRequests.windowMs / 6]
  const part = Math.floor(at / partMs)
  const known = observations[counted].get(table) ?? {
    ...{ part, requests: 0, counter: randomInt(counters) },
    ...{ counts: [], countedAt: 0, notedAt: 0 },
  }
  observations[counted].set(table, known)
  if (known.part !== part) Object.assign(known, { part, requests: 0 })
  if (!isWithin(known.countedAt, at, partMs)) known.counts = []
  return known
}

/** The requests of a kind in relation to the limit, without counting one. */
export const readPressure = (services: Services, counted: CountedRequests): number =>
  estimate(observe(services, counted).counts) / services.config.rateLimits.mailRequests.max

/**
 * Counts a request, and returns the requests of its kind in relation to their limit. Above 1, all networks have to prove work. A failure
 * is only logged, because the request does not depend on it.
 */
export const measurePressure = async (services: Services, counted: CountedRequests): Promise<number> => {
  const { table, config, now, log } = services
  const limit = config.rateLimits.mailRequests
  const at = now()
  const known = observe(services, counted)
  known.requests += 1
  if (known.requests >= requestsPerWrite) {
    known.requests = 0
    known.counter = (known.counter + 1) % counters
    try {
      const item = await countEvent(table, limit, `${counterNames[counted]} ${known.counter}`, at)
      known.counts = [getEventCount(item, limit, at), ...known.counts].slice(0, counters)
      known.countedAt = at
    } catch (error) {
      log.warn('mail_requests.not_counted', { error })
    }
  }
  const pressure = readPressure(services, counted)
  if (counted === 'asked' && pressure > 1 && !isWithin(known.notedAt, at, limit.windowMs)) {
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
