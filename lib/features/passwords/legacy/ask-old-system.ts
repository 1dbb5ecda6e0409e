import * as z from 'zod/mini'
import { legacyCheckAnswerBytes, legacyCheckTimeoutMs } from '../../../kernel/limits/password-limits.ts'
import type { FunctionTarget } from '../../../kernel/settings/function-target.ts'
import { signInvocation } from '../../../kernel/table/invoke-function.ts'

/** Whose password the old system checks. */
export interface LegacyPasswordQuestion {
  readonly username: string
  readonly email: string | null
  readonly password: string
  /** The ID in the old system, if the import named it. */
  readonly external_id?: string
}

/** What went wrong with a question. The audit event has it as its outcome. */
export type LegacyCheckProblem = 'timeout' | 'connect' | 'status' | 'size' | 'answer'

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
 * Asks once whether a password is right. Redirects are not followed, because the password would go elsewhere.
 *
 * @throws NoAnswer for everything but a clear yes or no
 */
export const askOldSystem = async (
  target: FunctionTarget,
  question: LegacyPasswordQuestion,
): Promise<boolean> => {
  const body = JSON.stringify(question)
  const { url, headers } = target.kind === 'local' ? toLocalCall(target) : await signInvocation(target, body)
  const signal = AbortSignal.timeout(legacyCheckTimeoutMs)
  try {
    return await readAnswer(await fetch(url, { method: 'POST', headers, body, redirect: 'manual', signal }))
  } catch (error) {
    if (error instanceof NoAnswer) throw error
    if (signal.aborted) throw new NoAnswer('timeout', `no answer within ${legacyCheckTimeoutMs} ms`)
    throw new NoAnswer('connect', 'the connection failed')
  }
}

const json = { 'content-type': 'application/json' }

const toLocalCall = ({ url }: Extract<FunctionTarget, { kind: 'local' }>) => ({ url, headers: json })

const Answer = z.strictObject({ is_correct: z.boolean() })

const readAnswer = async (response: Response): Promise<boolean> => {
  // Lambda answers with status 200 for a function that failed, too.
  if (response.status !== 200 || response.headers.has('x-amz-function-error')) {
    await response.body?.cancel()
    throw new NoAnswer('status', `answered with status ${response.status}, or with an error of the function`)
  }
  const answer = Answer.safeParse(parseJson(await readText(response)))
  if (!answer.success) throw new NoAnswer('answer', 'answered with something else than {"is_correct": …}')
  return answer.data.is_correct
}

const readText = async ({ body }: Response): Promise<string> => {
  const chunks: Uint8Array[] = []
  let bytes = 0
  // An error inside the loop also cancels the response.
  for await (const chunk of body ?? []) {
    bytes += chunk.length
    if (bytes > legacyCheckAnswerBytes)
      throw new NoAnswer('size', `answered with more than ${legacyCheckAnswerBytes} bytes`)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString()
}

const parseJson = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
