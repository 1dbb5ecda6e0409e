import { createHash } from 'node:crypto'
import { breachAnswerBytes, breachLookupTimeoutMs } from '../../core/limits.ts'
import { buildMetricFields } from '../../core/metrics.ts'
import type { Services } from '../../services.ts'
import { type BreachCache, createBreachCache } from './breach-cache.ts'

/**
 * Whether a password is known from a breach, by the range look-up of Have I Been Pwned: only the first five of forty
 * digits of its SHA-1 leave this process, and they are those of a thousand others too. Where no answer is to be had
 * in time the password passes, and the log says so: nobody is kept from choosing one because that service is down.
 */
export const isBreached = async (services: Services, password: string): Promise<boolean> => {
  const { breachEndpoint } = services.config
  if (breachEndpoint === undefined) return false
  const digest = createHash('sha1').update(password.normalize('NFC'), 'utf8').digest('hex').toUpperCase()
  const [prefix, suffix] = [digest.slice(0, 5), digest.slice(5)]
  const memory = memoryOf(services)
  const answer = memory.recall(prefix) ?? (await asked(services, memory, breachEndpoint, prefix))
  return answer !== undefined && holds(answer, suffix)
}

/** One for each set of services, which is one a function: a pause is that of a process, not of the table. */
const memories = new WeakMap<Services, BreachCache>()

const memoryOf = (services: Services): BreachCache => {
  const memory = memories.get(services) ?? createBreachCache(services.now)
  memories.set(services, memory)
  return memory
}

const asked = async (
  services: Services,
  memory: BreachCache,
  endpoint: string,
  prefix: string,
): Promise<string | undefined> => {
  try {
    if (memory.isPaused()) throw new Unanswered('not asked, after failures in a row')
    const answer = await fetchRange(endpoint + prefix)
    memory.keep(prefix, answer)
    return answer
  } catch (error) {
    memory.failed()
    services.log.warn('breached_passwords.unanswered', {
      reason: reasonOf(error),
      ...buildMetricFields('BreachLookUpUnanswered', services),
    })
    return undefined
  }
}

const fetchRange = async (url: string): Promise<string> => {
  const response = await fetch(url, {
    // Answers of one length alike, so that who listens in doesn't learn the prefix by it.
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

/** Lines of `suffix:count`, whatever follows the first. */
const answerForm = /^\s*([\dA-F]{35}:\d+\s|$)/i

/** Its text may be logged: it holds nothing of the request. */
class Unanswered extends Error {}

const readText = async ({ body }: Response): Promise<string> => {
  const chunks: Uint8Array[] = []
  let bytes = 0
  // Leaving the loop by an error ends the exchange.
  for await (const chunk of body ?? []) {
    bytes += chunk.length
    if (bytes > breachAnswerBytes) throw new Unanswered(`answered with more than ${breachAnswerBytes} bytes`)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('latin1')
}

/** A count of 0 is padding. */
const holds = (answer: string, suffix: string): boolean => {
  const count = new RegExp(`^${suffix}:(\\d+)\\r?$`, 'im').exec(answer)?.[1]
  return Number(count ?? 0) > 0
}

const reasonOf = (error: unknown): string => {
  if (error instanceof Unanswered) return error.message
  if (!(error instanceof Error)) return 'unknown'
  if (error.name === 'TimeoutError') return `no answer within ${breachLookupTimeoutMs} ms`
  const { cause } = error
  return cause instanceof Error && 'code' in cause ? String(cause.code) : 'the connection failed'
}
