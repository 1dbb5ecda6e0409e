import type { HookName } from './generated/hook-types.ts'

/**
 * An input or an answer that a hook cannot have. `problems` says each reason as a sentence.
 *
 * @example
 * ```ts
 * import { HookError, hookInputs, invokeHook } from '@latchkey/hooks'
 *
 * const handler = async () => ({ decision: 'accept' })
 * export const problems = await invokeHook(handler, hookInputs.afterSignIn.password).then(
 *   () => [],
 *   (error: unknown) => (error instanceof HookError ? error.problems : [String(error)]),
 * )
 * ```
 */
export class HookError extends Error {
  /** The name of the hook. Undefined if no hook of this name is known. */
  readonly hook: HookName | undefined
  readonly problems: readonly string[]

  constructor(hook: HookName | undefined, problems: readonly string[], options?: ErrorOptions) {
    super(`${hook === undefined ? 'No hook' : `The hook ${hook}`}: ${problems.join(' ')}`, options)
    this.name = 'HookError'
    this.hook = hook
    this.problems = problems
  }
}
