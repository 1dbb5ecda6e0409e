import { randomUUID } from 'node:crypto'
import type { RequestContext } from '../../accounts/callers/request-context.ts'
import { consume } from '../../accounts/callers/throttle.ts'
import { writeAudit } from '../../accounts/events/write-event.ts'
import { requireUser } from '../../accounts/users/require-records.ts'
import type { UserRecord } from '../../accounts/users/stored-user.records.ts'
import type { UseCase } from '../../http/use-case.ts'
import { invalidRequest, requireFound } from '../../kernel/errors/errors.ts'
import type { HookName } from '../../kernel/settings/hooks.ts'
import type { Services } from '../../services.ts'
import { describeRequest } from '../hooks/hook-input.ts'
import { HookProblem, inputVersion, invokeHook } from '../hooks/invoke-hook.ts'
import { statesAny } from '../oauth/added-claims.ts'
import { type ClientRecord, findClient } from '../oauth/clients.records.ts'
import { describeTokens } from '../oauth/hook-claims.ts'
import { describeSignIn } from '../sign-in/sign-in-hook.ts'
import { judgeAnswer } from './judge-answer.ts'
import type { HookTrial, HookTrialAccount as TrialAccount } from './models.ts'
import type { hooks } from './operations.ts'
import { requireHook } from './require-hook.ts'

/* Load this file on demand. A test call is rare, and it loads what reads the answers of all hooks. */

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
