import { timingSafeEqual } from 'node:crypto'
import { totpDriftMaxSteps } from '../limits/limits.ts'

/** The time step of codes: the default of RFC 6238 4.1. */
const stepMs = 30_000
const minKeyBytes = 10
const maxKeyBytes = 64

/** The time step of a moment (RFC 6238 section 4.2). */
export const getTimeStep = (nowMs: number): number => Math.floor(nowMs / stepMs)

/**
 * The latest step that can have been used by now. A later one was stored while a clock was wrong. It must not keep codes
 * from working until that time.
 */
export const getLatestStep = (nowMs: number): number => getTimeStep(nowMs) + totpDriftMaxSteps + 1

/** The time step that a code belongs to, and how many steps it is ahead of the clock of the service. */
export interface CodeMatch {
  readonly step: number
  readonly driftSteps: number
}

/**
 * Normalizes a key in the form that authenticator apps show: base32 (RFC 4648 6), with or without spaces and padding,
 * in any case. Returns undefined if it is not base32 or does not have 80 to 512 bits.
 */
export const readTotpKey = (text: string): string | undefined => {
  const [, digits = ''] = /^([A-Za-z2-7]+)={0,6}$/.exec(text.replaceAll(' ', '')) ?? []
  const bytes = Math.floor((digits.length * 5) / 8)
  // Whole bytes never leave 1, 3, or 6 digits. Authenticator apps read such a text as different keys.
  const isWhole = ![1, 3, 6].includes(digits.length % 8)
  return isWhole && bytes >= minKeyBytes && bytes <= maxKeyBytes ? digits.toUpperCase() : undefined
}

/** Returns the six digits of a code. Users may type it in two groups. Anything else is undefined. */
export const readTotpCode = (typed: string): string | undefined =>
  typed.length <= 32 ? /^\d{6}$/.exec(typed.replaceAll(/[\s-]/g, ''))?.[0] : undefined

/** The drifts to try for an authenticator app whose drift is unknown, most likely first. */
export const allDrifts: readonly number[] = [...Array(2 * totpDriftMaxSteps + 1).keys()]
  .map((at) => at - totpDriftMaxSteps)
  .sort((a, b) => Math.abs(a) - Math.abs(b))

/** Returns the drifts to try if one was learned: that one and its neighbors. */
export const getDriftsAround = (learned: number): readonly number[] =>
  [learned, learned - 1, learned + 1].filter((drift) => Math.abs(drift) <= totpDriftMaxSteps)

/**
 * Finds the time step of a code (SHA-1, six digits) among those at `drifts` that come after `lastStep`. If two steps
 * have the same code, the first is returned. The time is the same for correct and wrong codes.
 */
export const matchCode = async (
  key: string,
  code: string,
  { nowMs, drifts, lastStep }: { nowMs: number; drifts: readonly number[]; lastStep: number },
): Promise<CodeMatch | undefined> => {
  // Loaded on demand, because only users with a second factor need it.
  const { HOTP, Secret } = await import('otpauth')
  const secret = Secret.fromBase32(key)
  const given = Buffer.from(code)
  const now = getTimeStep(nowMs)
  const [match] = drifts
    .map((driftSteps) => ({ step: now + driftSteps, driftSteps }))
    .filter(({ step }) => step > lastStep || lastStep > getLatestStep(nowMs))
    .filter(({ step: counter }) => {
      const expected = Buffer.from(HOTP.generate({ secret, algorithm: 'SHA1', digits: 6, counter }))
      return given.length === expected.length && timingSafeEqual(given, expected)
    })
  return match
}

/** What is wrong with a key that `readTotpKey` does not accept. */
export const totpKeyError = 'must be base32 (A-Z, 2-7) of 80 to 512 bits'
