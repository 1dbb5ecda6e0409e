import { Secret, TOTP } from 'otpauth'
import type { SignedInPerson } from './people.ts'
import type { TestService } from './service.ts'

const stepMs = 30_000

/** An authenticator app. It uses the clock of the test. */
export interface Authenticator {
  readonly key: string
  /** Returns the code that is valid this number of 30-second steps from now. */
  readonly code: (aheadSteps?: number) => string
}

export const newAuthenticator = (): Authenticator => authenticatorOf(new Secret({ size: 20 }).base32)

/** Returns the authenticator app with this key. */
export const authenticatorOf = (key: string): Authenticator => {
  const secret = Secret.fromBase32(key)
  return {
    key: secret.base32,
    code: (aheadSteps = 0) => TOTP.generate({ secret, timestamp: Date.now() + aheadSteps * stepMs }),
  }
}

export interface SecondFactor {
  readonly authenticator: Authenticator
  readonly recoveryCodes: readonly string[]
}

/** Enables the second factor of a person over HTTP. */
export const enableSecondFactor = async (
  { client }: TestService,
  { user, bearer }: SignedInPerson,
  aheadSteps = 0,
): Promise<SecondFactor> => {
  const authenticator = newAuthenticator()
  const answer = await client('POST', `/api/2/users/${user.id}/totp`, {
    bearer,
    body: { key: authenticator.key, otp: authenticator.code(aheadSteps) },
  })
  if (answer.status !== 200) throw new Error(`the second factor was not enabled: ${answer.text}`)
  return { authenticator, recoveryCodes: answer.body.recovery_codes }
}
