import { checkOptions, type OptionTypes } from '../kernel/options/check-options.ts'
import { hookTimeoutDefaults, hookTimeoutMs } from '../kernel/settings/hooks.ts'
import { readAnswer } from './check-answer.ts'
import { readHead, readInput } from './define-hook.ts'
import { findProblems } from './find-problems.ts'
import type { HookAnswers, HookInputs, HookName } from './generated/hook-types.ts'
import { inputSchemas } from './generated/schemas.ts'
import { HookError } from './hook-error.ts'

/**
 * The settings of the hook that a test assumes.
 *
 * @example
 * ```ts
 * import type { InvokeHookOptions } from '@latchkey/hooks'
 *
 * export const settings: InvokeHookOptions = { timeoutMs: 1000, claims: ['plan', 'seats'] }
 * ```
 */
export interface InvokeHookOptions {
  /** How long the function may take. The default is that of the service. */
  readonly timeoutMs?: number
  /** The claims that `beforeToken` may add. Without them, all are allowed that a service can allow. */
  readonly claims?: readonly string[]
  /** The groups that `beforeSignUp` may give. Without them, all are allowed. */
  readonly groups?: readonly string[]
  /** The attributes that `beforeSignUp` may set. Without them, all are allowed. */
  readonly attributes?: readonly string[]
}

const optionTypes: OptionTypes<InvokeHookOptions> = {
  timeoutMs: 'number',
  claims: 'any',
  groups: 'any',
  attributes: 'any',
}

/**
 * What a call led to.
 *
 * @example
 * ```ts
 * import { defineHook, type HookResult, hookInputs, invokeHook } from '@latchkey/hooks'
 *
 * const handler = defineHook('beforeToken', () => ({ claims: { plan: 'pro' } }))
 * const result: HookResult<'beforeToken'> = await invokeHook(handler, hookInputs.beforeToken.code)
 * export const { answer, durationMs } = result
 * ```
 */
export interface HookResult<Name extends HookName> {
  /** The answer as the service reads it. */
  readonly answer: HookAnswers[Name]
  /** How long the function took, in milliseconds. */
  readonly durationMs: number
}

/** Any handler of Lambda that returns a promise. */
type AnyHandler = (event: never, context?: never) => unknown

/**
 * Calls a handler in a test as the service calls the function: with a copy of the input, once, and within its time.
 *
 * @throws HookError that says each problem of the input or of the answer, or that the handler failed or took too long
 *
 * @example
 * ```ts
 * import { equal } from 'node:assert/strict'
 * import { defineHook, hookInputs, invokeHook } from '@latchkey/hooks'
 *
 * const handler = defineHook('afterSignIn', () => ({ decision: 'continue' }))
 * const { answer } = await invokeHook(handler, hookInputs.afterSignIn.password)
 * equal(answer.decision, 'continue')
 * ```
 */
export const invokeHook = async <Name extends HookName>(
  handler: AnyHandler,
  input: HookInputs[Name] & { readonly hook: Name },
  options: InvokeHookOptions = {},
): Promise<HookResult<Name>> => {
  checkOptions(options, optionTypes, 'an option of invokeHook')
  const { hook } = readHead(input)
  const name = hook as Name
  readInput(name, input)
  const problems = findProblems(JSON.parse(JSON.stringify(input)), inputSchemas[name], 'input')
  if (problems.length > 0) throw new HookError(name, problems)
  const { timeoutMs = hookTimeoutDefaults[name], ...allowed } = options
  const { min, max } = hookTimeoutMs
  if (!(timeoutMs >= min && timeoutMs <= max))
    throw new TypeError(`timeoutMs must be from ${min} to ${max}, as in the settings.`)
  const startedAt = performance.now()
  const given = await callWithin(handler, { name, input, timeoutMs })
  const durationMs = performance.now() - startedAt
  // A handler that blocks its thread lets no timer fire.
  if (durationMs > timeoutMs) throw createTimeoutError(name, timeoutMs)
  return { answer: readAnswer(name, given, allowed), durationMs }
}

interface Call {
  readonly name: HookName
  readonly input: unknown
  readonly timeoutMs: number
}

const callWithin = async (handler: AnyHandler, { name, input, timeoutMs }: Call): Promise<unknown> => {
  let timer: ReturnType<typeof setTimeout> | undefined
  const isLate = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(createTimeoutError(name, timeoutMs)), timeoutMs)
  })
  const copy: never = JSON.parse(JSON.stringify(input)) as never
  try {
    return await Promise.race([call(handler, copy, name), isLate])
  } finally {
    clearTimeout(timer)
  }
}

const call = async (handler: AnyHandler, event: never, name: HookName): Promise<unknown> => {
  try {
    return await handler(event)
  } catch (error) {
    if (error instanceof HookError) throw error
    const reason = error instanceof Error ? error.message : String(error)
    throw new HookError(name, [`The handler failed: ${reason}`], { cause: error })
  }
}

const createTimeoutError = (name: HookName, timeoutMs: number): HookError =>
  new HookError(name, [`There was no answer within ${timeoutMs} ms.`])
