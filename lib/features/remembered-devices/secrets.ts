import { createHash, randomBytes } from 'node:crypto'
import { mintCredential, parseCredential } from '../../kernel/secrets/credentials.ts'

/*
 * The cookie of a remembered device has two parts. The series stays the same and finds the device. The secret changes with
 * each use. So a cookie with the series and a secret from long before is a copy, however often the device was used since.
 */

/** A new value for the cookie, and the hashes that are stored of it. */
export interface DeviceSecret {
  readonly value: string
  readonly seriesHash: string
  readonly hash: string
}

/** What the cookie of a request says. */
export interface GivenDevice {
  readonly userId: number
  readonly series: string
  readonly seriesHash: string
  readonly hash: string
}

/** Creates a secret, for a new series or one that a device has already. */
export const mintDeviceSecret = (
  userId: number,
  series = randomBytes(16).toString('base64url'),
): DeviceSecret => {
  const { value, hash } = mintCredential('remembered_device', userId)
  return { value: `${series}.${value}`, seriesHash: hashSeries(series), hash }
}

/** Parses the value of the cookie. Returns undefined if it has another form. */
export const parseDeviceSecret = (value: string): GivenDevice | undefined => {
  const [, series = '', secret = ''] = /^([\w-]{22})\.(\w{49})$/.exec(value) ?? []
  const credential = parseCredential(secret)
  return credential?.kind === 'remembered_device'
    ? { userId: credential.subject, series, seriesHash: hashSeries(series), hash: credential.hash }
    : undefined
}

const hashSeries = (series: string): string => createHash('sha256').update(series).digest('base64url')
