import { minute } from '../util/time.ts'
import type { Report } from './setting.ts'
import { readOrigin } from './urls.ts'

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

export const passkeyName = { default: 'Latchkey', maxLength: 64 } as const
export const passkeyTimeoutSeconds = { min: 30, max: 300 } as const

interface Given {
  readonly publicUrl: string
  readonly passkeyRpId: string | undefined
  readonly passkeyRpName: string
  readonly passkeyOrigins: readonly string[]
  readonly passkeyUserVerification: 'required' | 'preferred'
  readonly passkeyTimeoutSeconds: number
}

/** Joins the settings about passkeys, and reports those that do not belong together. */
export const toPasskeySettings = (given: Given, { label, report }: Report): PasskeySettings => {
  const { publicUrl } = given
  const host = URL.parse(publicUrl)?.hostname ?? ''
  const rpId = given.passkeyRpId ?? host
  if (!isWithin(host, rpId))
    report('passkeyRpId', `must be the host of ${label('publicUrl')} or a domain that the host belongs to`)
  // Browsers read at the domain itself which origins of other domains may use its passkeys.
  const listsOthers = host === rpId
  const origins = given.passkeyOrigins.flatMap((text) => {
    const origin = readOrigin(text)
    if (origin && isTrustworthy(origin) && (listsOthers || isWithin(new URL(origin).hostname, rpId)))
      return [origin]
    const others = `, unless that is the host of ${label('publicUrl')}`
    report(
      'passkeyOrigins',
      `must contain only https origins within the domain ${label('passkeyRpId')}${others}`,
    )
    return []
  })
  return {
    rpId,
    rpName: given.passkeyRpName,
    origins: [...new Set([publicUrl, ...origins])],
    userVerification: given.passkeyUserVerification,
    timeoutMs: given.passkeyTimeoutSeconds * 1000,
  }
}

/** How long a challenge can be answered. No browser waits longer: see `passkeyTimeoutSeconds`. */
export const passkeyChallengeMs = 5 * minute

/** Whether a host belongs to a domain. A domain without a dot, such as `com`, is only valid as the host itself. */
const isWithin = (host: string, domain: string): boolean =>
  host === domain || (domain.includes('.') && /^[a-z0-9.-]+$/.test(domain) && host.endsWith(`.${domain}`))

/** Browsers offer passkeys on secure pages only, and on the own machine. */
const isTrustworthy = (origin: string): boolean => /^https:|^http:\/\/localhost(:\d+)?$/.test(origin)
