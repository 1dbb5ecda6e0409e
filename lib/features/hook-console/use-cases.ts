import type { AuditEventRecord } from '../../accounts/events/records.ts'
import { auditStep } from '../../accounts/events/write-event.ts'
import { listUsers } from '../../accounts/users/find-users.records.ts'
import type { UseCase } from '../../http/use-case.ts'
import { type HookName, hookNames } from '../../kernel/settings/hooks.ts'
import { retryConflicts } from '../../kernel/table/retry-conflicts.ts'
import type { Table } from '../../kernel/table/table.ts'
import { formatTime } from '../../kernel/util/time.ts'
import type { Services } from '../../services.ts'
import { readEventTimes } from '../audit/event-times.ts'
import { readAuditPage } from '../audit/list.records.ts'
import type { HookProblemKind } from '../hooks/invoke-hook.ts'
import {
  buildHooksOffStep,
  findSignInPolicy,
  isHookOff,
  type StoredSignInPolicy,
} from '../sign-in/policy.records.ts'
import type { Hook as HookBody } from './models.ts'
import type { hooks } from './operations.ts'
import { requireHook } from './require-hook.ts'

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
