import { randomUUID } from 'node:crypto'
import { hookAnswerBytes } from '../../kernel/limits/hook-limits.ts'
import type { Hook, HookName } from '../../kernel/settings/hooks.ts'
import { CallProblem, type CallProblemKind, callFunction } from '../../kernel/table/call-function.ts'

/** Why there is no usable answer. The audit event has it as its outcome. */
export type HookProblemKind = CallProblemKind | 'answer' | 'circuit'

/** What went wrong with a call. The message contains nothing of the question and the answer. */
export class HookProblem extends Error {
  readonly problem: HookProblemKind

  constructor(problem: HookProblemKind, message: string) {
    super(message)
    this.name = 'HookProblem'
    this.problem = problem
  }
}

/** The version of the input. A later one could have other fields. */
const inputVersion = 1

/**
 * Calls the function of a hook once, and returns its answer.
 *
 * @throws HookProblem
 */
export const invokeHook = async (
  { target, timeoutMs }: Hook,
  name: HookName,
  input: Readonly<Record<string, unknown>>,
): Promise<unknown> => {
  const body = JSON.stringify({ version: inputVersion, hook: name, invocation_id: randomUUID(), ...input })
  try {
    return JSON.parse(
      await callFunction(target, body, { timeoutMs, maxBytes: hookAnswerBytes }),
      refuseBuiltIn,
    )
  } catch (error) {
    if (error instanceof CallProblem) throw new HookProblem(error.problem, error.message)
    if (error instanceof SyntaxError) throw new HookProblem('answer', 'the answer is not JSON')
    throw error
  }
}

/** No answer has a field of this name. Code that copies one would change what an object inherits. */
const refuseBuiltIn = (name: string, value: unknown): unknown => {
  if (name === '__proto__') throw new HookProblem('answer', 'the answer has a field __proto__')
  return value
}
