import { randomUUID } from 'node:crypto'
import type { RequestContext } from '../../accounts/callers/request-context.ts'
import { consume } from '../../accounts/callers/throttle.ts'
import type { AuditEventRecord } from '../../accounts/events/records.ts'
import { auditStep, writeAudit } from '../../accounts/events/write-event.ts'
import { listUsers } from '../../accounts/users/find-users.records.ts'
import { requireUser } from '../../accounts/users/require-records.ts'
import type { UserRecord } from '../../accounts/users/stored-user.records.ts'
import type { UseCase } from '../../http/use-case.ts'
import { conflict, invalidRequest, requireFound } from '../../kernel/errors/errors.ts'
import { type Hook, type HookName, hookNames } from '../../kernel/settings/hooks.ts'
import { retryConflicts } from '../../kernel/table/retry-conflicts.ts'
import type { Table } from '../../kernel/table/table.ts'
import { formatTime } from '../../kernel/util/time.ts'
import type { Services } from '../../services.ts'
import { readEventTimes } from '../audit/event-times.ts'
import { readAuditPage } from '../audit/list.records.ts'
import { describeRequest } from '../hooks/hook-input.ts'
import { HookProblem, type HookProblemKind, inputVersion, invokeHook } from '../hooks/invoke-hook.ts'
import { statesAny } from '../oauth/added-claims.ts'
import { type ClientRecord, findClient } from '../oauth/clients.records.ts'
import { describeTokens } from '../oauth/hook-claims.ts'
import {
  buildHooksOffStep,
  findSignInPolicy,
  isHookOff,
  type StoredSignInPolicy,
} from '../sign-in/policy.records.ts'
import { describeSignIn } from '../sign-in/sign-in-hook.ts'
import { judgeAnswer } from './judge-answer.ts'
import type { Hook as HookBody, HookTrial, HookTrialAccount as TrialAccount } from './models.ts'
import type { hooks } from './operations.ts'

export const listHooks: UseCase<typeof hooks.listHooks> = async (_, services) => {
  const [policy, failures, signIns] = await Promise.all([
    findSignInPolicy(services.table),
    readEvents(services, ['hook.failed', 'hook.bypassed']),
    readEvents(services, ['login.succeeded']),
  ])
  const latency = describeLatency(signIns)
  const shown = hookNames.flatMap((name) =>
    failures.filter(({ target }) => target === name).slice(0, failuresShown),
  )
  const names = await readNames(services.table, [
    ...shown.map(({ user }) => user),
    ...hookNames.map((name) => policy?.hooksOff?.[name]?.by ?? null),
  ])
  return {
    status: 200,
    body: hookNames.map((name) => ({
      ...describeHook(services, { name, policy, names }),
      failures: shown.filter(({ target }) => target === name).map((record) => describeFailure(record, names)),
      latency: name === 'afterSignIn' ? latency : null,
    })),
  }
}

const failuresShown = 10
const eventsRead = 100

type Names = ReadonlyMap<number, string>

/** The newest events of these kinds, of the newest 1,000 of all kinds. */
const readEvents = async (
  services: Services,
  events: readonly string[],
): Promise<readonly AuditEventRecord[]> => {
  const filter = { events: new Set(events), ...readEventTimes({}, services), nowMs: services.now() }
  const request = { limit: eventsRead, after: undefined, skip: 0, isDescending: true }
  const { rows } = await readAuditPage(services.table, filter, request)
  return rows.map(({ row }) => row)
}

const readNames = async (table: Table, given: readonly (number | null)[]): Promise<Names> => {
  const ids = [...new Set(given)].filter((id) => id !== null)
  const users = await listUsers(table, ids)
  return new Map(users.flatMap((user) => (user ? [[user.id, user.username] as const] : [])))
}

const problemKinds: readonly HookProblemKind[] = [
  ...(['timeout', 'connect', 'status', 'error', 'size', 'answer', 'circuit'] as const),
]

const describeFailure = (
  { at, event, outcome, user }: AuditEventRecord,
  names: Names,
): HookBody['failures'][number] => ({
  at: formatTime(at),
  event: event === 'hook.bypassed' ? event : 'hook.failed',
  problem: problemKinds.find((kind) => kind === outcome) ?? null,
  user,
  user_name: names.get(user ?? 0) ?? null,
})

const describeLatency = (signIns: readonly AuditEventRecord[]): HookBody['latency'] => {
  const times = signIns.flatMap(({ hookMs }) => hookMs ?? []).sort((a, b) => a - b)
  const atMost = (share: number) => times[Math.ceil(times.length * share) - 1] ?? 0
  return times.length === 0 ? null : { calls: times.length, median_ms: atMost(0.5), p95_ms: atMost(0.95) }
}

interface HookState {
  readonly name: HookName
  readonly policy: StoredSignInPolicy | undefined
  readonly names: Names
}

const describeHook = (
  { config }: Services,
  { name, policy, names }: HookState,
): Omit<HookBody, 'failures' | 'latency'> => {
  const hook = config.hooks?.[name] ?? config.disabledHooks?.[name]
  const off = policy?.hooksOff?.[name]
  return {
    name,
    state: nameState(config, name, off !== undefined),
    function: hook?.target.kind === 'function' ? hook.target.arn : null,
    timeout_ms: hook?.timeoutMs ?? null,
    on_failure: hook?.onFailure ?? null,
    claims: [...(hook?.claims ?? [])],
    groups: [...(hook?.groups ?? [])],
    attributes: [...(hook?.attributes ?? [])],
    turned_off: off ? { at: formatTime(off.at), by: off.by, by_name: names.get(off.by ?? 0) ?? null } : null,
  }
}

const nameState = (
  { hooks, disabledHooks }: Services['config'],
  name: HookName,
  isOff: boolean,
): HookBody['state'] => {
  if (hooks?.[name]) return isOff ? 'turned_off' : 'on'
  return disabledHooks?.[name] ? 'disabled' : 'not_configured'
}

/**
 * Finds a hook by its name in the path.
 *
 * @throws AppError `not_found` for another name, and for a hook without a function
 * @throws AppError `conflict` for a hook that the settings turn off
 */
const requireHook = (
  { config: { hooks, disabledHooks } }: Services,
  given: string,
): { readonly name: HookName; readonly hook: Hook } => {
  const name = requireFound(
    hookNames.find((one) => one === given),
    'hook',
    `Hooks are ${hookNames.join(', ')}.`,
  )
  if (disabledHooks?.[name])
    throw conflict('The settings of the service turn this hook off. Change `enabled` there.')
  return {
    name,
    hook: requireFound(hooks?.[name], 'function of the hook', 'Configure it in the settings of the service.'),
  }
}

/** Turns a hook off or on. What the hook already is writes nothing. */
export const changeHook: UseCase<typeof hooks.changeHook> = async ({ params, body, context }, services) => {
  const { table, now } = services
  const { name } = requireHook(services, params.name)
  await retryConflicts(async () => {
    const stored = await findSignInPolicy(table)
    if (isHookOff(stored, name) === body.turned_off) return
    const { [name]: _, ...others } = stored?.hooksOff ?? {}
    const off = { by: context.actor, at: now() }
    const event = body.turned_off ? 'hook.turned_off' : 'hook.turned_on'
    await table.transact([
      buildHooksOffStep(stored, body.turned_off ? { ...others, [name]: off } : others),
      auditStep(context, event, { target: name }),
    ])
  }, 'The sign-in policy kept changing. Try again.')
  return { status: 204 }
}

/**
 * Calls the function of a hook for a test. Nothing is written but the event, and no circuit learns of a failure. The event comes first, so
 * that no call is without one.
 */
export const tryHook: UseCase<typeof hooks.tryHook> = async (
  { params, body, principal, context },
  services,
) => {
  const { name, hook } = requireHook(services, params.name)
  const subject = await readSubject(services, name, body)
  await consume(services, 'hookTrials', String((principal.actor ?? principal.user).id))
  const { client } = subject
  const given = buildInput(context, subject)
  const input = { version: inputVersion, hook: name, invocation_id: randomUUID(), is_test: true, ...given }
  const shown = { input: JSON.stringify(input, undefined, 2), message: null, problem: null, problems: [] }
  if (client && !statesAny(hook.claims, client.scopes))
    return { status: 200, body: { ...shown, verdict: 'not_asked', answer: null, duration_ms: 0 } }
  await writeAudit(services, context, 'hook.tried', { user: subject.user?.id ?? null, target: name })
  const startedAt = performance.now()
  const call = await invokeHook(hook, name, input).then(
    (answer) => ({ answer }),
    (error: unknown) => ({ problem: error instanceof HookProblem ? error.problem : ('connect' as const) }),
  )
  const duration_ms = Math.round(performance.now() - startedAt)
  if ('problem' in call)
    return {
      status: 200,
      body: { ...shown, verdict: 'failed', problem: call.problem, answer: null, duration_ms },
    }
  const judged = await judgeAnswer(services, { name, hook }, call.answer)
  return {
    status: 200,
    body: {
      ...{ ...shown, ...judged, duration_ms },
      answer: JSON.stringify(call.answer, undefined, 2).slice(0, answerShown),
    },
  }
}

/** Characters of an answer. What is longer was never an answer that counts. */
const answerShown = 10_000

/** Whom a test is about. */
type Subject =
  | {
      readonly name: 'beforeSignUp'
      readonly account: TrialAccount
      readonly user?: never
      readonly client?: never
    }
  | { readonly name: 'afterSignIn'; readonly user: UserRecord; readonly client?: never }
  | { readonly name: 'beforeToken'; readonly user: UserRecord; readonly client: ClientRecord }

/** @throws AppError `invalid_request` without what the hook is about, and `not_found` for a person or client that does not exist */
const readSubject = async (
  { table }: Services,
  name: HookName,
  { user: userId, client_id: clientId, account }: HookTrial,
): Promise<Subject> => {
  const require = <Value>(value: Value | undefined, field: string): Value => {
    if (value === undefined) throw invalidRequest([{ field, message: `is required for ${name}` }])
    return value
  }
  if (name === 'beforeSignUp') return { name, account: require(account, 'account') }
  const user = await requireUser(table, require(userId, 'user'))
  if (name === 'afterSignIn') return { name, user }
  const client = await findClient(table, require(clientId, 'client_id'))
  return { name, user, client: requireFound(client, 'client') }
}

/** What the function learns. A test is like a request of the person from the address of the administrator. */
const buildInput = (context: RequestContext, subject: Subject): object => {
  if (subject.name === 'afterSignIn')
    return describeSignIn(context, {
      ...{ user: subject.user, methods: ['pwd'], target: undefined, isFactorRemembered: false },
    })
  if (subject.name === 'beforeToken')
    return describeTokens({ user: subject.user, client: subject.client, scopes: subject.client.scopes })
  const { username = null, name = null, email = null, language = null } = subject.account
  return {
    way: 'email',
    account: { username, name, email, email_verified: email !== null, language, attributes: {} },
    connection: null,
    organization: null,
    request: describeRequest(context),
  }
}
