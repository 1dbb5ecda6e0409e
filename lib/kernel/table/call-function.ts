import type { FunctionTarget } from '../settings/function-target.ts'
import { signInvocation } from './invoke-function.ts'

/**
 * Why a function of an operator gave no answer: it took too long, could not be reached, Lambda refused the call, it failed, or it answered
 * too much.
 */
export type CallProblemKind = 'timeout' | 'connect' | 'status' | 'error' | 'size'

/** What went wrong with a call. The message contains nothing of the body and the answer. */
export class CallProblem extends Error {
  readonly problem: CallProblemKind

  constructor(problem: CallProblemKind, message: string) {
    super(message)
    this.name = 'CallProblem'
    this.problem = problem
  }
}

interface CallLimits {
  readonly timeoutMs: number
  /** The most that the answer may have. */
  readonly maxBytes: number
}

/**
 * Calls a function once, and returns its answer as text. Redirects are not followed, because the body would go elsewhere.
 *
 * @throws CallProblem without a whole answer
 */
export const callFunction = async (
  target: FunctionTarget,
  body: string,
  { timeoutMs, maxBytes }: CallLimits,
): Promise<string> => {
  const signal = AbortSignal.timeout(timeoutMs)
  try {
    const { url, headers } = await buildCall(target, body)
    const response = await fetch(url, { method: 'POST', headers, body, redirect: 'manual', signal })
    return await readAnswer(response, maxBytes)
  } catch (error) {
    if (error instanceof CallProblem) throw error
    if (signal.aborted) throw new CallProblem('timeout', `no answer within ${timeoutMs} ms`)
    throw new CallProblem('connect', 'the connection failed')
  }
}

const json = { 'content-type': 'application/json' }

const buildCall = async (target: FunctionTarget, body: string) =>
  target.kind === 'local' ? { url: target.url, headers: json } : signInvocation(target, body)

const readAnswer = async (response: Response, maxBytes: number): Promise<string> => {
  if (response.status !== 200) {
    await response.body?.cancel()
    throw new CallProblem('status', `Lambda answered with status ${response.status}`)
  }
  // Lambda answers with status 200 for a function that failed.
  if (response.headers.has('x-amz-function-error')) {
    await response.body?.cancel()
    throw new CallProblem('error', 'the function failed')
  }
  const chunks: Uint8Array[] = []
  let bytes = 0
  // An error inside the loop also cancels the response.
  for await (const chunk of response.body ?? []) {
    bytes += chunk.length
    if (bytes > maxBytes) throw new CallProblem('size', `the answer has more than ${maxBytes} bytes`)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString()
}
