import type { HookInputs } from './generated/hook-types.ts'
import recorded from './recorded-inputs.json' with { type: 'json' }

/** Inputs that a service sent, by the name of the hook and what the person did. */
interface RecordedInputs {
  readonly beforeSignUp: Readonly<
    Record<'email' | 'provider' | 'company' | 'invitation', HookInputs['beforeSignUp']>
  >
  readonly afterSignIn: Readonly<
    Record<
      'password' | 'secondFactor' | 'emailCode' | 'passkey' | 'company' | 'invitation',
      HookInputs['afterSignIn']
    >
  >
  readonly beforeToken: Readonly<Record<'code' | 'organization' | 'refresh', HookInputs['beforeToken']>>
}

/**
 * Inputs of a real service, for tests. The tests of the service record them, so they have what it sends.
 *
 * @example
 * ```ts
 * import { hookInputs } from '@latchkey/hooks'
 *
 * const { password } = hookInputs.afterSignIn
 * export const ofStranger = { ...password, user: { ...password.user, email: 'stranger@example.com' } }
 * ```
 */
export const hookInputs = recorded as RecordedInputs
