import { randomUUID } from 'node:crypto'
import { hookAnswerBytes } from '../../kernel/limits/limits.ts'
import type { FunctionTarget } from '../../kernel/settings/function-target.ts'
import type { Hook, HookName } from '../../kernel/settings/hooks.ts'
import { signInvocation } from '../../kernel/table/invoke-function.ts'

/** Why there is no usable answer. The audit event has it as its outcome. */
export type HookProblemKind = 'timeout' | 'connect' | 'status' | 'error' | 'size' | 'answer' | 'circuit'

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
export const inputVersion = 1

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
  const signal = AbortSignal.timeout(timeoutMs)
  try {
    const { url, headers } = await buildCall(target, body)
    return await readAnswer(await fetch(url, { method: 'POST', headers, body, redirect: 'manual', signal }))
  } catch (error) {
    if (error instanceof HookProblem) throw error
    if (signal.aborted) throw new HookProblem('timeout', `no answer within ${timeoutMs} ms`)
    throw new HookProblem('connect', 'the connection failed')
  }
}

const json = { 'content-type': 'application/json' }

const buildCall = async (target: FunctionTarget, body: string) =>
  target.kind === 'local' ? { url: target.url, headers: json } : signInvocation(target, body)

const readAnswer = async (response: Response): Promise<unknown> => {
  if (response.status !== 200) {
    await response.body?.cancel()
    throw new HookProblem('status', `Lambda answered with status ${response.status}`)
  }
  // Lambda answers with status 200 for a function that failed.
  if (response.headers.has('x-amz-function-error')) {
    await response.body?.cancel()
    throw new HookProblem('error', 'the function failed')
  }
  try {
    return JSON.parse(await readText(response), refuseBuiltIn)
  } catch (error) {
    if (error instanceof SyntaxError) throw new HookProblem('answer', 'the answer is not JSON')
    throw error
  }
}

/** No answer has a field of this name. Code that copies one would change what an object inherits. */
const refuseBuiltIn = (name: string, value: unknown): unknown => {
  if (name === '__proto__') throw new HookProblem('answer', 'the answer has a field __proto__')
  return value
}

const readText = async ({ body }: Response): Promise<string> => {
  const chunks: Uint8Array[] = []
  let bytes = 0
  // An error inside the loop also cancels the response.
  for await (const chunk of body ?? []) {
    bytes += chunk.length
    if (bytes > hookAnswerBytes)
      throw new HookProblem('size', `the answer has more than ${hookAnswerBytes} bytes`)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString()
}
