import { once } from 'node:events'
import { Agent, request } from 'node:http'
import { text } from 'node:stream/consumers'
import { rateLimitNames } from '../../lib/kernel/limits/rate-limits.ts'
import { addSignedIn } from '../support/people.ts'
import type { TestService } from '../support/service.ts'
import { buildRequest, type FuzzRequest } from './build-request.ts'
import { checkAnswer, type FuzzAnswer } from './check-answer.ts'
import { createRandom } from './random.ts'

/** Settings under which no rate limit hides what is behind it. */
export const fuzzSettings = {
  RATE_LIMITS: rateLimitNames.map((name) => `${name}=1000000/10`).join(', '),
  ALLOW_PRIVATE_METADATA: 'false',
}

export interface FuzzOptions {
  readonly requests: number
  readonly seed: number
}

export interface FuzzReport {
  /** The number of answers by their status. */
  readonly statuses: ReadonlyMap<number, number>
  /** The failing requests, each with what is wrong and how to send it again. */
  readonly findings: readonly string[]
}

/** Requests can end sessions and change users, so that credentials are renewed. */
const requestsPerCredentials = 160
/** The requests of a seed are always the same. Only their order within such a group may differ. */
const requestsAtOnce = 8

const maxFindings = 20

/** Sends hostile requests to all operations, and checks each answer. */
export const fuzz = async (service: TestService, { requests, seed }: FuzzOptions): Promise<FuzzReport> => {
  const random = createRandom(seed)
  const agent = new Agent({ keepAlive: true })
  const statuses = new Map<number, number>()
  const findings: string[] = []
  let credentials: readonly (string | undefined)[] = []
  try {
    for (let from = 0; from < requests && findings.length < maxFindings; from += requestsAtOnce) {
      if (from % requestsPerCredentials === 0) credentials = await createCredentials(service)
      const count = Math.min(requestsAtOnce, requests - from)
      const given = Array.from({ length: count }, () => buildRequest(random, credentials))
      const answers = await Promise.all(given.map((one) => send(service.url, agent, one)))
      for (const [at, answer] of answers.entries()) {
        const one = given[at] as FuzzRequest
        statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1)
        const problem = checkAnswer(one, answer)
        if (problem !== undefined) findings.push(describeFinding(from + at, problem, one, answer))
      }
    }
  } finally {
    agent.destroy()
  }
  return { statuses, findings }
}

/** No credential, a user, an administrator with a session and an API token, and one that does not exist. */
const createCredentials = async (service: TestService): Promise<readonly (string | undefined)[]> => {
  const user = await addSignedIn(service, { permissions: ['media:access'] })
  const admin = await addSignedIn(service, { permissions: ['system:admin-access'] })
  const body = { name: 'fuzz', scopes: ['system:admin-access'] }
  const answer = await service.client('POST', '/api/2/api-tokens', { bearer: admin.bearer, body })
  if (answer.status !== 201) throw new Error(`no API token: ${answer.text}`)
  const { token } = answer.body
  return [undefined, user.bearer, ...Array(3).fill(admin.bearer), ...Array(3).fill(token), 'lks_x']
}

const send = async (url: string, agent: Agent, given: FuzzRequest): Promise<FuzzAnswer> => {
  const { method, target, headers, body } = given
  const bytes = body === undefined ? undefined : Buffer.from(body)
  const length = bytes === undefined ? {} : { 'content-length': bytes.length }
  // A URL object would normalize the path.
  const { hostname, port } = new URL(url)
  const sent = request({ hostname, port, path: target, method, agent, headers: { ...headers, ...length } })
  sent.end(bytes)
  const [response] = await once(sent, 'response')
  return {
    status: response.statusCode,
    contentType: response.headers['content-type'] ?? '',
    text: await text(response),
  }
}

const describeFinding = (at: number, problem: string, given: FuzzRequest, answer: FuzzAnswer): string =>
  [
    `request ${at} (${given.operation.id}): ${problem}`,
    `  ${given.method} ${given.target.slice(0, 500)}`,
    `  ${JSON.stringify(given.headers).slice(0, 500)}`,
    `  ${JSON.stringify(given.body)?.slice(0, 500) ?? 'no body'}`,
    `  ${answer.status} ${answer.text.slice(0, 500)}`,
  ].join('\n')
