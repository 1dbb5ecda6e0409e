import { pageData } from '../../kit/page-data.ts'

/** The digits of base32 (RFC 4648 6). */
const digits = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'
/** The length that RFC 4226 4 recommends. */
const keyBytes = 20

/** Creates the key of an authenticator app. It leaves the browser only to turn the second factor on. */
export const createTotpKey = (): string => {
  const bits = [...crypto.getRandomValues(new Uint8Array(keyBytes))]
    .map((byte) => byte.toString(2).padStart(8, '0'))
    .join('')
  return (bits.match(/.{5}/g) ?? []).map((group) => digits[Number.parseInt(group, 2)]).join('')
}

/** Splits the key into groups of four, which people can type. */
export const formatTotpKey = (key: string): string => (key.match(/.{1,4}/g) ?? []).join(' ')

/** The address that authenticator apps read: a key and what it belongs to. */
export const buildTotpAddress = (key: string): string => {
  // A colon separates the service and the account.
  const issuer = pageData.brand.productName.replaceAll(':', ' ')
  const label = `${encodeURIComponent(issuer)}:${encodeURIComponent(pageData.user?.username ?? '')}`
  return `otpauth://totp/${label}?secret=${key}&issuer=${encodeURIComponent(issuer)}`
}
