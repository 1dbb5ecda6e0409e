import { findUnknownNames, isPlainObject } from '../kernel/options/check-options.ts'
import { readAnswer } from './check-answer.ts'
import type { HookAnswers, HookInputs, HookName } from './generated/hook-types.ts'
import { inputSchemas } from './generated/schemas.ts'
import { HookError } from './hook-error.ts'

/**
 * The handler of a function that answers a hook. Lambda calls it, and so does local mode.
 *
 * @example
 * ```ts
 * import { defineHook, type HookHandler } from '@latchkey/hooks'
 *
 * export const handler: HookHandler<'beforeToken'> = defineHook('beforeToken', () => ({ claims: {} }))
 * ```
 */
export type HookHandler<Name extends HookName> = (
  event: unknown,
  context?: unknown,
) => Promise<HookAnswers[Name]>

/** What a product decides. */
type DecideAnswer<Name extends HookName> = (
  input: HookInputs[Name],
) => HookAnswers[Name] | Promise<HookAnswers[Name]>

/**
 * Defines what a hook answers. The handler that it returns works as a Lambda function, and as a module of local mode.
 *
 * The handler throws a `HookError` if it is called for another hook, and for an answer that the service would not use. So the log
 * of the function says what is wrong.
 *
 * @throws TypeError for a name that no hook has
 *
 * @example
 * ```ts
 * import { defineHook } from '@latchkey/hooks'
 *
 * export const handler = defineHook('afterSignIn', async ({ user }) =>
 *   user.email_verified
 *     ? { decision: 'continue' }
 *     : { decision: 'refuse', message: 'Confirm your address first.' },
 * )
 * ```
 */
export const defineHook = <Name extends HookName>(
  name: Name,
  decide: DecideAnswer<Name>,
): HookHandler<Name> => {
  const [problem] = findUnknownNames([name], hookNames, 'a hook')
  if (problem !== undefined) throw new TypeError(problem)
  if (typeof decide !== 'function') throw new TypeError(`The hook ${name} needs a function that answers.`)
  return async (event) => readAnswer(name, await decide(readInput(name, event)))
}

/** The names of all hooks. */
export const hookNames = Object.keys(inputSchemas) as readonly HookName[]

/** The version of inputs that this package knows. */
const knownVersion = 1

/** Returns an event as the input of a hook. It may have fields that this package does not know. @throws HookError */
export const readInput = <Name extends HookName>(name: Name, event: unknown): HookInputs[Name] => {
  const { version, hook } = readHead(event)
  if (hook !== name)
    throw new HookError(name, [
      `It was called for ${hook}. Set hooks.${hook} to the function that answers ${hook}.`,
    ])
  if (version !== knownVersion)
    throw new HookError(name, [
      `The input has the version ${JSON.stringify(version)}. Install a newer version of @latchkey/hooks.`,
    ])
  return event as HookInputs[Name]
}

/** What each input begins with. @throws HookError for an event of something else */
export const readHead = (event: unknown): { readonly version: unknown; readonly hook: HookName } => {
  const { version, hook }: Readonly<Record<string, unknown>> = isPlainObject(event) ? event : {}
  const name = hookNames.find((one) => one === hook)
  if (name === undefined)
    throw new HookError(undefined, [
      `The event is not the input of a hook: hook must be one of ${hookNames.join(', ')}.`,
    ])
  return { version, hook: name }
}
