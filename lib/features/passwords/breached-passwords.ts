import { createHash } from 'node:crypto'
import {
  breachAnswerBytes,
  breachCacheEntries,
  breachCacheMs,
  breachFailuresBeforePause,
  breachLookupTimeoutMs,
  breachPauseMs,
  signInBreachLookupTimeoutMs,
} from '../../kernel/limits/password-limits.ts'
import { buildMetricFields } from '../../kernel/log/log.ts'
import { getRemainingMs, isWithin } from '../../kernel/util/time.ts'
import type { Services } from '../../services.ts'

/** What a lookup is for. A person who signs in waits less than one who chooses a password. */
export type BreachLookupPurpose = 'choice' | 'sign_in'

const timeoutsMs: Readonly<Record<BreachLookupPurpose, number>> = {
  choice: breachLookupTimeoutMs,
  sign_in: signInBreachLookupTimeoutMs,
}

/**
 * Whether a new password was found in a data breach: see `findBreach`. Without an answer in time the password passes and a
 * warning is logged, because users must be able to choose one while that service is down.
 */
export const isBreached = async (services: Services, password: string): Promise<boolean> =>
  (await findBreach(services, password, 'choice')) === true

/**
 * Whether a password was found in a data breach, by the range lookup of Have I Been Pwned. Only the first five of 40 digits
 * of its SHA-1 leave this process, and about a thousand other passwords share them. Undefined without an answer in time, and
 * while the lookup is turned off.
 */
export const findBreach = async (
  services: Services,
  password: string,
  purpose: BreachLookupPurpose,
): Promise<boolean | undefined> => {
  const { breachEndpoint } = services.config
  if (breachEndpoint === undefined) return undefined
  const digest = createHash('sha1').update(password.normalize('NFC'), 'utf8').digest('hex').toUpperCase()
  const [prefix, suffix] = [digest.slice(0, 5), digest.slice(5)]
  const known = getKnown(services)
  const answer =
    known.answers.get(prefix) ??
    (await lookUp(services, known, { url: breachEndpoint + prefix, prefix, purpose }))
  return answer === undefined ? undefined : containsSuffix(answer, suffix)
}

/** What this process knows of the breach service. Who signs in gives up earlier, so those failures are counted apart. */
interface Known {
  readonly answers: BreachCache
  readonly pauses: Readonly<Record<BreachLookupPurpose, Pause>>
}

/** One for each process, because each process has its own services. */
const knownByServices = new WeakMap<Services, Known>()

const getKnown = (services: Services): Known => {
  const { now } = services
  const known = knownByServices.get(services) ?? {
    answers: createBreachCache(now),
    pauses: { choice: createPause(now), sign_in: createPause(now) },
  }
  knownByServices.set(services, known)
  return known
}

interface Lookup {
  readonly url: string
  readonly prefix: string
  readonly purpose: BreachLookupPurpose
}

const lookUp = async (
  services: Services,
  { answers, pauses }: Known,
  { url, prefix, purpose }: Lookup,
): Promise<string | undefined> => {
  const pause = pauses[purpose]
  const timeoutMs = timeoutsMs[purpose]
  try {
    if (pause.isPaused()) throw new Unanswered('not asked, after consecutive failures')
    const answer = await fetchRange(url, timeoutMs)
    pause.end()
    answers.set(prefix, answer)
    return answer
  } catch (error) {
    pause.countFailure()
    services.log.warn('breached_passwords.unanswered', {
      reason: describeReason(error, timeoutMs),
      // A sign-in without an answer asks again the next time, so nothing was let through for good.
      ...(purpose === 'choice' ? buildMetricFields('BreachLookUpUnanswered', services) : { purpose }),
    })
    return undefined
  }
}

const fetchRange = async (url: string, timeoutMs: number): Promise<string> => {
  const response = await fetch(url, {
    // Padding gives all answers a similar length, so that an eavesdropper does not learn the prefix from it.
    headers: { 'add-padding': 'true', 'user-agent': 'latchkey' },
    redirect: 'error',
    signal: AbortSignal.timeout(timeoutMs),
  })
  if (response.status !== 200) {
    await response.body?.cancel()
    throw new Unanswered(`answered with status ${response.status}`)
  }
  const text = await readText(response)
  if (!answerForm.test(text)) throw new Unanswered('answered with something else')
  return text
}

/** The first line of an answer, `suffix:count`, or an empty answer. */
const answerForm = /^\s*([\dA-F]{35}:\d+\s|$)/i

/** There is no usable answer. The message may be logged, because it contains nothing of the request. */
class Unanswered extends Error {}

const readText = async ({ body }: Response): Promise<string> => {
  const chunks: Uint8Array[] = []
  let bytes = 0
  // An error inside the loop also cancels the response.
  for await (const chunk of body ?? []) {
    bytes += chunk.length
    if (bytes > breachAnswerBytes) throw new Unanswered(`answered with more than ${breachAnswerBytes} bytes`)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('latin1')
}

/** A count of 0 is padding. */
const containsSuffix = (answer: string, suffix: string): boolean => {
  const count = new RegExp(`^${suffix}:(\\d+)\\r?$`, 'im').exec(answer)?.[1]
  return Number(count ?? 0) > 0
}

const describeReason = (error: unknown, timeoutMs: number): string => {
  if (error instanceof Unanswered) return error.message
  if (!(error instanceof Error)) return 'unknown'
  if (error.name === 'TimeoutError') return `no answer within ${timeoutMs} ms`
  const { cause } = error
  return cause instanceof Error && 'code' in cause ? String(cause.code) : 'the connection failed'
}

/** The latest answers of the breach service. */
interface BreachCache {
  /** The cached answer for a prefix, unless it is too old. */
  readonly get: (prefix: string) => string | undefined
  readonly set: (prefix: string, answer: string) => void
}

const createBreachCache = (now: () => number): BreachCache => {
  const answers = new Map<string, { readonly text: string; readonly at: number }>()
  return {
    get: (prefix) => {
      const answer = answers.get(prefix)
      return answer && isWithin(answer.at, now(), breachCacheMs) ? answer.text : undefined
    },
    set: (prefix, text) => {
      // Deleted first, so that the first entry of the map is always the oldest.
      answers.delete(prefix)
      answers.set(prefix, { text, at: now() })
      const [oldest = ''] = answers.keys()
      if (answers.size > breachCacheEntries) answers.delete(oldest)
    },
  }
}

/** Whether it is worth asking the breach service at present. */
interface Pause {
  readonly countFailure: () => void
  /** Resets the number of consecutive failures. */
  readonly end: () => void
  /** True for a while after consecutive failures. Then one request may try again, and its failure starts a new pause. */
  readonly isPaused: () => boolean
}

const createPause = (now: () => number): Pause => {
  let failures = 0
  let pausedUntil = 0
  const isPaused = () => getRemainingMs(pausedUntil, now(), breachPauseMs) > 0
  return {
    countFailure: () => {
      failures += 1
      if (failures >= breachFailuresBeforePause && !isPaused()) pausedUntil = now() + breachPauseMs
    },
    end: () => {
      failures = 0
    },
    isPaused,
  }
}
