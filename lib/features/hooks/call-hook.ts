import type { RequestContext } from '../../accounts/callers/request-context.ts'
import { auditRefusal } from '../../accounts/events/refusals.ts'
import { buildMetricFields } from '../../kernel/log/log.ts'
import type { HookName } from '../../kernel/settings/hooks.ts'
import type { Services } from '../../services.ts'
import { isOpen, noteAnswer, noteFailure } from './circuits.ts'
import { HookProblem, invokeHook } from './invoke-hook.ts'

/*
 * Load this file on demand, and only where a hook is configured: `services.config.hooks` says so. Then a service without hooks
 * pays nothing for them.
 */

/** What a request asks a hook, and how it reads the answer. */
interface HookQuestion<Answer> {
  /** The account that the question is about. What a person proved, if they have none yet. */
  readonly about: { readonly userId: number } | { readonly proof: string }
  readonly input: Readonly<Record<string, unknown>>
  /** Returns undefined for anything but an answer that the hook may give. */
  readonly read: (answer: unknown) => Answer | undefined | Promise<Answer | undefined>
}

/** There is no usable answer. The log, a metric and an event have said so. */
export class HookFailed extends Error {
  constructor(name: HookName) {
    super(`the hook ${name} gave no usable answer`)
    this.name = 'HookFailed'
  }
}

/** A request that tries again after a conflict has its answer already. It is kept no longer than the request. */
const answers = new WeakMap<RequestContext, Map<HookName, Promise<unknown>>>()

/**
 * Asks a hook once for each request, within the time that its settings give.
 *
 * @throws HookFailed without a usable answer
 * @throws Error if the hook is not configured
 */
export const callHook = async <Answer>(
  services: Services,
  context: RequestContext,
  name: HookName,
  question: HookQuestion<Answer>,
): Promise<Answer> => {
  const known = answers.get(context) ?? new Map<HookName, Promise<unknown>>()
  answers.set(context, known)
  const answer = (known.get(name) as Promise<Answer> | undefined) ?? ask(services, context, name, question)
  known.set(name, answer)
  return answer
}

const ask = async <Answer>(
  services: Services,
  context: RequestContext,
  name: HookName,
  { about, input, read }: HookQuestion<Answer>,
): Promise<Answer> => {
  const hook = services.config.hooks?.[name]
  if (!hook) throw new Error(`The hook ${name} is not configured.`)
  try {
    if (isOpen(name, services.now())) throw new HookProblem('circuit', 'it is not called for a while')
    const answer = await read(await invokeHook(hook, name, input))
    if (answer === undefined) throw new HookProblem('answer', 'the answer is not one that it may give')
    noteAnswer(name, services.now())
    return answer
  } catch (error) {
    const { problem, message } =
      error instanceof HookProblem ? error : new HookProblem('connect', 'the call could not be made')
    const user = 'userId' in about ? about.userId : null
    const subject = 'userId' in about ? String(about.userId) : about.proof
    noteFailure(name, { subject, problem, atMs: services.now() })
    services.log.warn('hook.failed', {
      hook: name,
      user,
      problem,
      reason: message,
      ...buildMetricFields('HookFailed', services),
    })
    await auditRefusal(services, context, 'hook.failed', { user, target: name, outcome: problem }, subject)
    throw new HookFailed(name)
  }
}
