import { timingSafeEqual } from 'node:crypto'
import { totpDriftMaxSteps } from '../core/limits.ts'

/** How long one code counts (RFC 6238 §4.1, the default time step). */
const stepMs = 30_000
const leastKeyBytes = 10
const mostKeyBytes = 64

/** What a code turned out to be of: a step, and how many steps that is ahead of our clock. */
export interface CodeMatch {
  readonly step: number
  readonly driftSteps: number
}

/**
 * A key as authenticators show it, base32 (RFC 4648 §6) in groups or in one, of whatever case, padded or not, made
 * into one spelling. Undefined for what isn't base32, or hasn't 80 to 512 bits.
 */
export const readTotpKey = (text: string): string | undefined => {
  const [, digits = ''] = /^([A-Za-z2-7]+)={0,6}$/.exec(text.replaceAll(' ', '')) ?? []
  const bytes = Math.floor((digits.length * 5) / 8)
  // No number of whole bytes leaves 1, 3 or 6 digits over: authenticators make different keys of such a text.
  const isWhole = ![1, 3, 6].includes(digits.length % 8)
  return isWhole && bytes >= leastKeyBytes && bytes <= mostKeyBytes ? digits.toUpperCase() : undefined
}

/** The six digits of a code, which authenticators show and people send in two groups; undefined for anything else. */
export const readTotpCode = (typed: string): string | undefined =>
  typed.length <= 32 ? /^\d{6}$/.exec(typed.replaceAll(/[\s-]/g, ''))?.[0] : undefined

/** The drifts to try for an authenticator of which nothing is known, the likeliest first. */
export const allDrifts: readonly number[] = [...Array(2 * totpDriftMaxSteps + 1).keys()]
  .map((at) => at - totpDriftMaxSteps)
  .sort((a, b) => Math.abs(a) - Math.abs(b))

/** The drifts to try where one was learned: it, and a step to either side. */
export const getDriftsAround = (learned: number): readonly number[] =>
  [learned, learned - 1, learned + 1].filter((drift) => Math.abs(drift) <= totpDriftMaxSteps)

/**
 * Finds the step that a code is of (SHA-1, six digits) among those at these drifts that come after `lastStep`; the
 * first, should two have the same code. Takes as long for a wrong code as for a right one.
 */
export const matchCode = async (
  key: string,
  code: string,
  { nowMs, drifts, lastStep }: { nowMs: number; drifts: readonly number[]; lastStep: number },
): Promise<CodeMatch | undefined> => {
  // Loaded here, since only users with a second factor need it.
  const { HOTP, Secret } = await import('otpauth')
  const secret = Secret.fromBase32(key)
  const given = Buffer.from(code)
  const now = Math.floor(nowMs / stepMs)
  const [match] = drifts
    .map((driftSteps) => ({ step: now + driftSteps, driftSteps }))
    .filter(({ step }) => step > lastStep)
    .filter(({ step: counter }) => {
      const right = Buffer.from(HOTP.generate({ secret, algorithm: 'SHA1', digits: 6, counter }))
      return given.length === right.length && timingSafeEqual(given, right)
    })
  return match
}
