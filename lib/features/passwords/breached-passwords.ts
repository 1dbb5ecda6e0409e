import { createHash } from 'node:crypto'
import {
  breachAnswerBytes,
  breachCacheEntries,
  breachCacheMs,
  breachFailuresBeforePause,
  breachLookupTimeoutMs,
  breachPauseMs,
} from '../../kernel/limits/password-limits.ts'
import { buildMetricFields } from '../../kernel/log/log.ts'
import { getRemainingMs, isWithin } from '../../kernel/util/time.ts'
import type { Services } from '../../services.ts'

/**
 * Whether a password was found in a data breach, by the range lookup of Have I Been Pwned. Only the first five of 40 digits
 * of its SHA-1 leave this process, and about a thousand other passwords share them. Without an answer in time the
 * password passes and a warning is logged, because users must be able to choose one while that service is down.
 */
export const isBreached = async (services: Services, password: string): Promise<boolean> => {
  const { breachEndpoint } = services.config
  if (breachEndpoint === undefined) return false
  const digest = createHash('sha1').update(password.normalize('NFC'), 'utf8').digest('hex').toUpperCase()
  const [prefix, suffix] = [digest.slice(0, 5), digest.slice(5)]
  const cache = getCache(services)
  const answer = cache.get(prefix) ?? (await lookUp(services, cache, breachEndpoint + prefix, prefix))
  return answer !== undefined && containsSuffix(answer, suffix)
}

/** One cache per process, because each process has its own services. */
const caches = new WeakMap<Services, BreachCache>()

const getCache = (services: Services): BreachCache => {
  const cache = caches.get(services) ?? createBreachCache(services.now)
  caches.set(services, cache)
  return cache
}

const lookUp = async (
  services: Services,
  cache: BreachCache,
  url: string,
  prefix: string,
): Promise<string | undefined> => {
  try {
    if (cache.isPaused()) throw new Unanswered('not asked, after consecutive failures')
    const answer = await fetchRange(url)
    cache.set(prefix, answer)
    return answer
  } catch (error) {
    cache.countFailure()
    services.log.warn('breached_passwords.unanswered', {
      reason: describeReason(error),
      ...buildMetricFields('BreachLookUpUnanswered', services),
    })
    return undefined
  }
}

const fetchRange = async (url: string): Promise<string> => {
  const response = await fetch(url, {
    // Padding gives all answers a similar length, so that an eavesdropper does not learn the prefix from it.
    headers: { 'add-padding': 'true', 'user-agent': 'latchkey' },
    redirect: 'error',
    signal: AbortSignal.timeout(breachLookupTimeoutMs),
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

const describeReason = (error: unknown): string => {
  if (error instanceof Unanswered) return error.message
  if (!(error instanceof Error)) return 'unknown'
  if (error.name === 'TimeoutError') return `no answer within ${breachLookupTimeoutMs} ms`
  const { cause } = error
  return cause instanceof Error && 'code' in cause ? String(cause.code) : 'the connection failed'
}

/** The latest answers of the breach service, and whether it is worth asking at present. */
interface BreachCache {
  /** The cached answer for a prefix, unless it is too old. */
  readonly get: (prefix: string) => string | undefined
  /** Caches an answer, and resets the number of consecutive failures. */
  readonly set: (prefix: string, answer: string) => void
  readonly countFailure: () => void
  /** True for a while after consecutive failures. Then one request may try again, and its failure starts a new pause. */
  readonly isPaused: () => boolean
}

const createBreachCache = (now: () => number): BreachCache => {
  const answers = new Map<string, { readonly text: string; readonly at: number }>()
  let failures = 0
  let pausedUntil = 0
  const isPaused = () => getRemainingMs(pausedUntil, now(), breachPauseMs) > 0
  return {
    get: (prefix) => {
      const answer = answers.get(prefix)
      return answer && isWithin(answer.at, now(), breachCacheMs) ? answer.text : undefined
    },
    set: (prefix, text) => {
      failures = 0
      // Deleted first, so that the first entry of the map is always the oldest.
      answers.delete(prefix)
      answers.set(prefix, { text, at: now() })
      const [oldest = ''] = answers.keys()
      if (answers.size > breachCacheEntries) answers.delete(oldest)
    },
    countFailure: () => {
      failures += 1
      if (failures >= breachFailuresBeforePause && !isPaused()) pausedUntil = now() + breachPauseMs
    },
    isPaused,
  }
}
