import type { APIGatewaySimpleAuthorizerWithContextResult } from 'aws-lambda'
import { createAuthorizer } from '../../lib/features/authorizers/create-authorizer.part.ts'
import { copyOrganizationEvents } from '../../lib/features/organizations/events.records.ts'
import { rateLimitNames } from '../../lib/kernel/limits/rate-limits.ts'
import { readAuditItems } from '../support/audit-items.ts'
import { httpEvent } from '../support/authorizer-events.ts'
import type { TestService } from '../support/service.ts'
import { type Attempt, drawAttempt } from './attempts.ts'
import { buildWorld } from './build-world.ts'
import { type Apply, fillWorld, makeChange } from './changes.ts'
import type { Subject } from './markers.ts'
import { type Received, type Sent, send, withCalls } from './send.ts'
import { audience, type World } from './world.ts'

/** Settings under which no rate limit hides what is behind it. */
export const stormSettings = {
  RATE_LIMITS: rateLimitNames.map((name) => `${name}=1000000/10`).join(', '),
}

export interface StormOptions {
  /** How many are sent once the organizations exist. */
  readonly requests: number
  readonly seed: number
}

export interface StormReport {
  /** How long the requests took. */
  readonly seconds: number
  readonly requests: number
  readonly changes: number
  /** How many answers were compared with those about something that does not exist. */
  readonly compared: number
  /** How many markers were in answers, each of something that the caller may see. */
  readonly seen: number
  readonly statuses: ReadonlyMap<number, number>
  /** Each with what is wrong, and the requests before it. */
  readonly findings: readonly string[]
}

/** Requests between two changes. They run at the same time, because none changes anything. */
const requestsAtOnce = 12
const maxFindings = 5
const shownBefore = 12

type Authorize = (
  event: ReturnType<typeof httpEvent>,
) => Promise<APIGatewaySimpleAuthorizerWithContextResult<object>>

/**
 * Sends random requests of members, former members, keys and tokens of many organizations against each other, and compares each
 * answer with a model. Nothing in an answer may belong to an organization that the caller may not see, and what is not theirs looks
 * like what does not exist.
 */
export const runStorm = async (
  service: TestService,
  { requests, seed }: StormOptions,
): Promise<StormReport> => {
  const world = await buildWorld(service, seed)
  const startedAt = performance.now()
  const authorize = createAuthorizer({
    ...process.env,
    AUTHORIZER_MACHINES: 'true',
    AUTHORIZER_ORGANIZATION: 'optional',
    AUTHORIZER_ORGANIZATION_TOKENS: 'true',
    AUTHORIZER_AUDIENCES: audience,
  }) as unknown as Authorize
  const statuses = new Map<number, number>()
  const findings: string[] = []
  const recent: string[] = []
  let [sentCount, changeCount, compared, seen] = [0, 0, 0, 0]

  const note = (sent: Sent, answer: Received, name: string): void => {
    sentCount++
    statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1)
    recent.push(`${sentCount} ${name}: ${describeRequest(sent)} -> ${answer.status}`)
    if (recent.length > requestsAtOnce * 2 + shownBefore) recent.shift()
  }
  const report = (problem: string, sent: Sent, answer: Received): void => {
    findings.push(
      [
        `seed ${seed}, ${problem}`,
        `  ${describeRequest(sent)}`,
        `  ${answer.status} ${answer.text}`,
        ...recent,
      ].join('\n'),
    )
  }
  const receive = ({ isForAuthorizer }: Attempt, sent: Sent): Promise<Received> =>
    isForAuthorizer ? askAuthorizer(authorize, sent) : send(sent)

  const check = (attempt: Attempt, answer: Received): void => {
    const { name, sent, statuses: expected, sees, contains, lacks, lists } = attempt
    const shown = answer.text + JSON.stringify([answer.headers, answer.cookies]) + readClaims(answer.text)
    if (!expected.includes(answer.status)) report(`${name}: the model says ${expected}`, sent, answer)
    else if (
      contains !== undefined &&
      !shown.includes(contains) &&
      !shown.includes(contains.replaceAll('"', '\\"'))
    )
      report(`${name}: the answer lacks ${contains}`, sent, answer)
    else if (lists && !lists.every((id) => shown.includes(String(id))))
      report(`${name}: the list lacks some of ${lists}`, sent, answer)
    else if (lacks !== undefined && shown.includes(lacks))
      report(`${name}: the answer has ${lacks}`, sent, answer)
    const given = `${sent.path} ${JSON.stringify(sent.body ?? '')}`
    for (const [marker, subject] of world.markers.find(shown)) {
      if (sees(subject, marker)) seen++
      else if (!given.includes(marker) && !isOfStaff(world, subject))
        report(`${name}: the answer shows ${marker} of ${subject}`, sent, answer)
    }
  }
  const compare = (
    attempt: Attempt,
    answer: Received,
    twin: Sent,
    other: Received,
    sameCalls: boolean,
  ): void => {
    compared++
    const [one, two] = [
      describeAnswer(attempt.sent, answer, sameCalls),
      describeAnswer(twin, other, sameCalls),
    ]
    if (one !== two)
      report(`${attempt.name}: ${describeRequest(twin)} is answered in another way: ${two}`, attempt.sent, {
        ...answer,
        text: one,
      })
  }

  const apply: Apply = async (sent, expected) => {
    const answer = await send(sent)
    note(sent, answer, 'change')
    if (!expected.includes(answer.status)) report(`a change: the model says ${expected}`, sent, answer)
    return answer
  }
  /** The chains of audit events copy them to their organizations after a time. */
  const showEvents = async (): Promise<void> => {
    const { table } = service.services
    await copyOrganizationEvents(table, await readAuditItems(table))
  }
  await fillWorld(world, service, apply)
  await showEvents()
  const filledWith = sentCount
  while (sentCount - filledWith < requests && findings.length < maxFindings) {
    changeCount++
    await makeChange(world, service, apply)
    if (changeCount % 400 === 0) await showEvents()
    const attempts = Array.from({ length: requestsAtOnce }, () => drawAttempt(world))
    const answers = await Promise.all(
      attempts.map((attempt) =>
        Promise.all([receive(attempt, attempt.sent), attempt.twin && receive(attempt, attempt.twin.sent)]),
      ),
    )
    for (const [at, [answer, other]] of answers.entries()) {
      const attempt = attempts[at] as Attempt
      note(attempt.sent, answer, attempt.name)
      check(attempt, answer)
      rememberCursor(world, answer)
      if (!attempt.twin || !other) continue
      note(attempt.twin.sent, other, `${attempt.name}, unknown`)
      compare(attempt, answer, attempt.twin.sent, other, attempt.twin.sameCalls)
    }
  }
  return {
    seconds: Math.round((performance.now() - startedAt) / 1000),
    requests: sentCount,
    changes: changeCount,
    compared,
    seen,
    statuses,
    findings,
  }
}

/** The claims of all tokens in a text, which have markers as well. */
const readClaims = (text: string): string =>
  [...text.matchAll(/\beyJ[\w-]+\.(eyJ[\w-]+)\./g)]
    .map(([, claims = '']) => Buffer.from(claims, 'base64url').toString())
    .join('\n')

const isOfStaff = (_: World, subject: Subject): boolean => subject === 'staff'

const askAuthorizer = async (authorize: Authorize, { bearer = '' }: Sent): Promise<Received> => {
  const { result, calls } = await withCalls(() => authorize(httpEvent(bearer)))
  return {
    status: result.isAuthorized ? 200 : 403,
    headers: {},
    text: JSON.stringify(result),
    cookies: [],
    calls,
  }
}

/** Positions in lists, for requests to the lists of others. */
const rememberCursor = ({ cursors, random }: World, { headers }: Received): void => {
  const [, query] = /^<[^>?]+(\?[^>]+)>; rel="next"$/.exec(headers['link'] ?? '') ?? []
  if (query === undefined || query.includes('organization=')) return
  if (cursors.length < 200) cursors.push(query)
  else cursors[random.below(cursors.length)] = query
}

const describeRequest = ({ method, path, bearer = 'no credential', body, form }: Sent): string =>
  `${method} ${path} ${JSON.stringify(body ?? form ?? '')} ${bearer.slice(0, 14)}`

/** Everything about an answer except its request. */
const describeAnswer = (
  sent: Sent,
  { status, headers, text, cookies, calls }: Received,
  withTableCalls: boolean,
): string => {
  const { 'x-request-id': requestId = ' ', ...others } = headers
  const names = cookies.map((cookie) => cookie.replace(/=[^;]*/, ''))
  const given = sent.path.split(/[/?&=]/).filter((part) => /^\d{9}$|^mk/.test(part))
  const shown = [text, JSON.stringify(others), ...names].join('\n').replaceAll(requestId, 'the request')
  return [
    status,
    given.reduce((rest, id) => rest.replaceAll(id, 'the ID'), shown),
    withTableCalls ? calls : '',
  ].join('\n')
}
