import { defineHook } from './define-hook.ts'
import { fromCognitoTrigger } from './from-cognito-trigger.ts'
import { HookError } from './hook-error.ts'
import { hookInputs } from './hook-inputs.ts'
import { invokeHook } from './invoke-hook.ts'

// The entry of the package `@latchkey/hooks`.
export type { HookHandler } from './define-hook.ts'
export type { CognitoTriggerOptions } from './from-cognito-trigger.ts'
export type {
  AfterSignInAnswer,
  AfterSignInInput,
  BeforeSignUpAnswer,
  BeforeSignUpInput,
  BeforeTokenAnswer,
  BeforeTokenInput,
  HookAnswers,
  HookInputs,
  HookName,
} from './generated/hook-types.ts'
export type { HookResult, InvokeHookOptions } from './invoke-hook.ts'
export { defineHook, fromCognitoTrigger, HookError, hookInputs, invokeHook }
