import * as z from 'zod/mini'
import { legacyCheckAnswerBytes, legacyCheckTimeoutMs } from '../../../kernel/limits/password-limits.ts'
import type { FunctionTarget } from '../../../kernel/settings/function-target.ts'
import { CallProblem, type CallProblemKind, callFunction } from '../../../kernel/table/call-function.ts'

/** Whose password the old system checks. */
export interface LegacyPasswordQuestion {
  readonly username: string
  readonly email: string | null
  readonly password: string
  /** The ID in the old system, if the import named it. */
  readonly external_id?: string
}

/** What went wrong with a question. The audit event has it as its outcome. */
export type LegacyCheckProblem = Exclude<CallProblemKind, 'error'> | 'answer'

/** There is no usable answer, so no one knows whether the password is right. The message contains nothing of the question. */
export class NoAnswer extends Error {
  readonly problem: LegacyCheckProblem

  constructor(problem: LegacyCheckProblem, message: string) {
    super(message)
    this.name = 'NoAnswer'
    this.problem = problem
  }
}

/**
 * Asks once whether a password is right.
 *
 * @throws NoAnswer for everything but a clear yes or no
 */
export const askOldSystem = async (
  target: FunctionTarget,
  question: LegacyPasswordQuestion,
): Promise<boolean> => {
  const limits = { timeoutMs: legacyCheckTimeoutMs, maxBytes: legacyCheckAnswerBytes }
  try {
    return readAnswer(await callFunction(target, JSON.stringify(question), limits))
  } catch (error) {
    if (error instanceof CallProblem) throw new NoAnswer(toProblem(error.problem), error.message)
    throw error
  }
}

/** An old system that failed, and a call that Lambda refused, are the same to those who wait for it. */
const toProblem = (problem: CallProblemKind): LegacyCheckProblem => (problem === 'error' ? 'status' : problem)

const Answer = z.strictObject({ is_correct: z.boolean() })

const readAnswer = (text: string): boolean => {
  const answer = Answer.safeParse(parseJson(text))
  if (!answer.success) throw new NoAnswer('answer', 'answered with something else than {"is_correct": …}')
  return answer.data.is_correct
}

const parseJson = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
