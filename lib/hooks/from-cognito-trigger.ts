import { isDisplayText } from '../kernel/contract/text-rules.ts'
import { hookMessageLength } from '../kernel/limits/hook-limits.ts'
import { checkOptions, type OptionTypes } from '../kernel/options/check-options.ts'
import { readAnswer } from './check-answer.ts'
import { readCognitoResponse } from './cognito-answers.ts'
import { buildCognitoEvent } from './cognito-events.ts'
import { readHead, readInput } from './define-hook.ts'
import type { HookAnswers, HookName } from './generated/hook-types.ts'

/**
 * What a handler finds in its event besides the input, and how its answers are read.
 *
 * @example
 * ```ts
 * import type { CognitoTriggerOptions } from '@latchkey/hooks'
 *
 * export const options: CognitoTriggerOptions = { userPoolId: 'eu-central-1_aBcDeFgHi', sharesClaims: true }
 * ```
 */
export interface CognitoTriggerOptions {
  /** The ID of the pool, for handlers that look at it. The default is `latchkey`. */
  readonly userPoolId?: string
  /** The region of the pool. The default is that of the function. */
  readonly region?: string
  /** The client in the event of a hook that has no client. The default is `latchkey`. */
  readonly clientId?: string
  /** Puts claims that were for one kind of token into both. Without it, such a claim is an error. */
  readonly sharesClaims?: boolean
  /**
   * Whether an error of the handler refuses the person, whose page then shows its message. All others are failures. The default takes a
   * text, and an `Error` without a name and a code of its own.
   */
  readonly isRefusal?: (error: unknown) => boolean
}

const optionTypes: OptionTypes<CognitoTriggerOptions> = {
  userPoolId: 'string',
  region: 'string',
  clientId: 'string',
  sharesClaims: 'boolean',
  isRefusal: 'function',
}

/** A handler of Cognito's triggers, with the types of any version of `@types/aws-lambda`. */
type CognitoHandler = (event: never, context: never, callback: never) => unknown

/**
 * Makes a handler for hooks of a handler for Cognito's triggers, which stays as it is: PreSignUp answers `beforeSignUp`,
 * PreTokenGeneration with the event V2_0 answers `beforeToken`, and PostAuthentication answers `afterSignIn`. Handlers with a promise,
 * with a callback and with `context.done` work.
 *
 * A response that has no equal here is an error, which counts as a failure of the hook.
 *
 * @throws TypeError for options that do not exist
 *
 * @example
 * ```ts
 * import { fromCognitoTrigger } from '@latchkey/hooks'
 *
 * interface PostAuthenticationEvent {
 *   readonly request: { readonly userAttributes: Readonly<Record<string, string>> }
 * }
 *
 * const postAuthentication = async (event: PostAuthenticationEvent) => {
 *   if (event.request.userAttributes['email_verified'] !== 'true') throw new Error('Confirm your address first.')
 *   return event
 * }
 *
 * export const handler = fromCognitoTrigger(postAuthentication)
 * ```
 */
export const fromCognitoTrigger = (
  handler: CognitoHandler,
  options: CognitoTriggerOptions = {},
): ((event: unknown, context?: unknown) => Promise<HookAnswers[HookName]>) => {
  checkOptions(options, optionTypes, 'an option of fromCognitoTrigger')
  const { userPoolId = 'latchkey', clientId = 'latchkey', sharesClaims = false } = options
  const { region = readRegion(), isRefusal = isPlainError } = options
  return async (given, context) => {
    const { hook } = readHead(given)
    const input = readInput(hook, given)
    const event = buildCognitoEvent(hook, input, { userPoolId, region, clientId })
    let result: unknown
    try {
      result = await callHandler(handler, event, context)
    } catch (error) {
      // No decision of a person goes with a token: a failure decides as the settings say.
      if (hook === 'beforeToken' || !isRefusal(error)) throw error
      return readAnswer(hook, { decision: 'refuse', ...toMessage(error) })
    }
    return readAnswer(hook, readCognitoResponse(hook, input, result, { sharesClaims }))
  }
}

const readRegion = (): string =>
  (typeof process === 'undefined' ? undefined : process.env['AWS_REGION']) ?? 'local'

/** Errors of libraries have a name or a code. They are about the function, and their words are not for the person. */
const isPlainError = (error: unknown): boolean =>
  typeof error === 'string' || (error instanceof Error && error.name === 'Error' && !('code' in error))

/** The words that the page shows. None if they cannot be shown. */
const toMessage = (error: unknown): { readonly message?: string } => {
  const message = error instanceof Error ? error.message : String(error)
  return message.length <= hookMessageLength && isDisplayText(message) ? { message } : {}
}

/** Calls a handler as Lambda does: the first of its promise, its callback and its context counts. */
const callHandler = (handler: CognitoHandler, event: object, context: unknown): Promise<unknown> =>
  new Promise((resolve, reject) => {
    const done = (error: unknown, result?: unknown): void =>
      error === null || error === undefined ? resolve(result) : reject(error)
    const ending = { done, succeed: resolve, fail: reject }
    const given = typeof context === 'object' ? context : {}
    const returned = handler(
      event as never,
      { ...given, ...ending, callbackWaitsForEmptyEventLoop: true } as never,
      done as never,
    )
    // A handler with a callback may return undefined at once. One that is async as well calls it before its promise ends.
    if (returned !== undefined) Promise.resolve(returned).then(resolve, reject)
  })
