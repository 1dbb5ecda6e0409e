import type { AuthenticationMethod } from '../../accounts/sessions/stored-session.records.ts'
import { connectionKinds } from '../../kernel/contract/connection-kinds.ts'

/** The values of the claim `acr`, weakest first. */
export const authenticationClasses = {
  singleFactor: 'urn:latchkey:acr:single-factor',
  multiFactor: 'urn:latchkey:acr:multi-factor',
} as const

/** The methods that a code of the authenticator app completes. An emailed code is no better than the mailbox. */
const firstFactors: readonly AuthenticationMethod[] = ['pwd', ...connectionKinds]

/** Whether a code is all that a sign-in lacks to be one with two factors. */
export const lacksOnlyCode = (methods: readonly AuthenticationMethod[]): boolean =>
  nameAuthenticationClass(methods) === authenticationClasses.singleFactor &&
  methods.some((method) => firstFactors.includes(method))

/**
 * The claim `acr`. A passkey counts as two factors, because it verifies the user on their device. A company connection counts as
 * one, unless its identity provider states a way of signing in that the connection counts as two.
 */
export const nameAuthenticationClass = (methods: readonly AuthenticationMethod[]): string => {
  const has = (...names: AuthenticationMethod[]) => names.some((name) => methods.includes(name))
  return has('passkey', 'mfa') || (has(...firstFactors) && has('otp', 'recovery_code'))
    ? authenticationClasses.multiFactor
    : authenticationClasses.singleFactor
}

const weakestFirst: readonly string[] = Object.values(authenticationClasses)

/**
 * Whether a sign-in is at least of the weakest class that a client asks for with `acr_values`. Classes of others are
 * ignored (OpenID Connect Core 3.1.2.1).
 */
export const isClassEnough = (wanted: string, methods: readonly AuthenticationMethod[]): boolean => {
  const known = wanted.split(' ').flatMap((name) => weakestFirst.indexOf(name))
  const weakest = Math.min(...known.filter((strength) => strength >= 0))
  return !Number.isFinite(weakest) || weakestFirst.indexOf(nameAuthenticationClass(methods)) >= weakest
}
