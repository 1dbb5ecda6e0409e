import { minute } from '../util/durations.ts'

/** How the service presents itself to authenticators, and what it demands of them. */
export interface PasskeySettings {
  /** The domain that passkeys belong to (WebAuthn Level 3, section 5.1.2): the host of `publicUrl` or a parent domain. */
  readonly rpId: string
  /** The name of the service that browsers and authenticators show. */
  readonly rpName: string
  /** The origins whose pages may use passkeys: `publicUrl` and those of the setting. */
  readonly origins: readonly string[]
  /**
   * Whether a new passkey, and one that is used as a second factor, must verify its user, such as by a fingerprint or
   * PIN. A passkey that is used without a password must always do that.
   */
  readonly userVerification: 'required' | 'preferred'
  /** How long a browser waits for the user. */
  readonly timeoutMs: number
}

export const userVerifications = ['required', 'preferred'] as const

const defaultName = 'Latchkey'
const nameLength = 64
const timeoutSeconds = { min: 30, max: 300, default: 300 }

type Environment = Readonly<Record<string, string | undefined>>

/**
 * Reads the settings for passkeys. `report` receives a text about each invalid one. `readOrigin` returns the origin of a
 * URL, or undefined if the URL is not an origin.
 */
export const readPasskeySettings = (
  environment: Environment,
  publicUrl: string,
  {
    report,
    readOrigin,
  }: { report: (text: string) => void; readOrigin: (text: string) => string | undefined },
): PasskeySettings => {
  const host = URL.parse(publicUrl)?.hostname ?? ''
  const rpId = environment['PASSKEY_RP_ID'] || host
  if (!isWithin(host, rpId))
    report('PASSKEY_RP_ID must be the host of PUBLIC_URL or a domain that the host belongs to')
  const rpName = environment['PASSKEY_RP_NAME'] || defaultName
  if (rpName.length > nameLength) report(`PASSKEY_RP_NAME must have at most ${nameLength} characters`)
  const others = (environment['PASSKEY_ORIGINS'] || '').split(',').map((text) => text.trim())
  const origins = others
    .filter((text) => text !== '')
    .flatMap((text) => {
      const origin = readOrigin(text)
      if (origin && isWithin(new URL(origin).hostname, rpId) && isTrustworthy(origin)) return [origin]
      report('PASSKEY_ORIGINS must contain only https origins within the domain PASSKEY_RP_ID')
      return []
    })
  const given = environment['PASSKEY_USER_VERIFICATION'] || 'required'
  const userVerification = userVerifications.find((value) => value === given)
  if (!userVerification) report(`PASSKEY_USER_VERIFICATION must be one of ${userVerifications.join(', ')}`)
  const seconds = Number(environment['PASSKEY_TIMEOUT_SECONDS'] || timeoutSeconds.default)
  if (!Number.isInteger(seconds) || seconds < timeoutSeconds.min || seconds > timeoutSeconds.max)
    report(`PASSKEY_TIMEOUT_SECONDS must be an integer from ${timeoutSeconds.min} to ${timeoutSeconds.max}`)
  return {
    rpId,
    rpName,
    origins: [...new Set([publicUrl, ...origins])],
    userVerification: userVerification ?? 'required',
    timeoutMs: seconds * 1000,
  }
}

/** How long a challenge can be answered. No browser waits longer: see `PASSKEY_TIMEOUT_SECONDS`. */
export const passkeyChallengeMs = 5 * minute

/** Whether a host belongs to a domain. A domain without a dot, such as `com`, is only valid as the host itself. */
const isWithin = (host: string, domain: string): boolean =>
  host === domain || (domain.includes('.') && /^[a-z0-9.-]+$/.test(domain) && host.endsWith(`.${domain}`))

/** Browsers offer passkeys on secure pages only, and on the own machine. */
const isTrustworthy = (origin: string): boolean => /^https:|^http:\/\/localhost(:\d+)?$/.test(origin)
