import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'
import {
  type CredentialKind,
  checksumLength,
  credentialPattern,
  credentialPrefixes,
  prefixPattern,
  randomLength,
  subjectLength,
} from '../util/credential-prefixes.ts'

export interface Credential {
  readonly kind: CredentialKind
  /** The ID of its user, its client or its organization, or 0 if the kind has none. Only the holder of the credential can read it. */
  readonly subject: number
  /** The SHA-256 of the whole value, in base64url. Nothing else of the value is stored. */
  readonly hash: string
}

const randomByteLength = 24
const bodyLength = subjectLength + randomLength
const pattern = new RegExp(
  `^(${prefixPattern})_([0-9A-Za-z]{${bodyLength}})([0-9A-Za-z]{${checksumLength}})$`,
)
const kindsByPrefix = new Map(
  Object.entries(credentialPrefixes).map(([kind, prefix]) => [prefix as string, kind as CredentialKind]),
)

/** The random part of a credential, in base 62. */
export const mintRandom = (): string =>
  toBase62(BigInt(`0x${randomBytes(randomByteLength).toString('hex')}`), randomLength)

const randomForm = new RegExp(`^[0-9A-Za-z]{${randomLength}}$`)

/** Whether a text has the form of what `mintRandom` returns. */
export const isRandom = (text: string): boolean =>
  randomForm.test(text) && fromBase62(text) >> BigInt(8 * randomByteLength) === 0n

/**
 * Creates a credential with 192 random bits, which a caller can have minted before. Return `value` to its owner once and never store it.
 *
 * @throws RangeError if `random` has another form than `mintRandom` gives it
 */
export const mintCredential = (
  kind: CredentialKind,
  subject = 0,
  random = mintRandom(),
): Credential & { readonly value: string } => {
  if (!isRandom(random)) throw new RangeError('The random part of a credential has another form.')
  const body = toBase62(BigInt(subject), subjectLength) + random
  const value = `${credentialPrefixes[kind]}_${body}${computeChecksum(`${credentialPrefixes[kind]}_${body}`)}`
  return { kind, subject, hash: hashCredential(value), value }
}

/**
 * Parses a credential without a call to the table. Returns undefined if the checksum is wrong, as in mistyped values.
 * The checksum protects nothing. Only the lookup of the hash proves that a credential is valid.
 */
export const parseCredential = (value: string): Credential | undefined => {
  const [, prefix = '', body = '', checksum = ''] = pattern.exec(value) ?? []
  const kind = kindsByPrefix.get(prefix)
  if (!kind || checksum !== computeChecksum(`${prefix}_${body}`)) return undefined
  const subject = fromBase62(body.slice(0, subjectLength))
  return subject < 2n ** 31n ? { kind, subject: Number(subject), hash: hashCredential(value) } : undefined
}

const inText = new RegExp(`${credentialPattern}(?![0-9A-Za-z])`)

/** Finds the first credential in a text, such as a link, a line of a log, or a header. */
export const findCredentialIn = (text: string): Credential | undefined => {
  const [value] = inText.exec(text) ?? []
  return value === undefined ? undefined : parseCredential(value)
}

/** Parses the beginning of a credential, as programs show it to name one. It needs the whole subject, and is no whole value. */
export const parseCredentialStart = (text: string): Pick<Credential, 'kind' | 'subject'> | undefined => {
  const [, prefix = '', subject = ''] =
    new RegExp(`^(${prefixPattern})_([0-9A-Za-z]{${subjectLength}})[0-9A-Za-z]{0,20}(?:…|\\.{3})?$`).exec(
      text,
    ) ?? []
  const kind = kindsByPrefix.get(prefix)
  const number = fromBase62(subject)
  return kind && number < 2n ** 31n ? { kind, subject: Number(number) } : undefined
}

const computeChecksum = (text: string): string => toBase62(BigInt(computeCrc32(text)), checksumLength)

/** Returns the hash under which a credential is stored, also for values that a caller chose. */
export const hashCredential = (value: string): string =>
  createHash('sha256').update(value).digest('base64url')

/** Whether two hashes are the same. The duration reveals nothing about them. */
export const isSameHash = (a: string, b: string): boolean => {
  const [left, right] = [Buffer.from(a), Buffer.from(b)]
  return left.length === right.length && timingSafeEqual(left, right)
}

/** Whether a value has the prefix of a credential of this service. Values that callers choose must not have one. */
export const hasCredentialPrefix = (value: string): boolean =>
  Object.values(credentialPrefixes).some((prefix) => value.startsWith(`${prefix}_`))

const digits = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'

/** Formats a non-negative integer in base 62, with leading zeros up to `length` digits. */
const toBase62 = (number: bigint, length: number): string => {
  let text = ''
  for (let rest = number; rest > 0n; rest /= 62n) text = digits.charAt(Number(rest % 62n)) + text
  return text.padStart(length, '0')
}

/** Parses the output of `toBase62`. The text must consist of base-62 digits. */
const fromBase62 = (text: string): bigint => {
  let number = 0n
  for (const digit of text) number = number * 62n + BigInt(digits.indexOf(digit))
  return number
}

/*
 * The CRC-32 of zip and PNG (ISO 3309). Node has one in `node:zlib`, but loading that module adds about a millisecond
 * to each cold start.
 */
const table = Uint32Array.from({ length: 256 }, (_, byte) => {
  let value = byte
  for (let bit = 0; bit < 8; bit++) value = value & 1 ? (value >>> 1) ^ 0xedb88320 : value >>> 1
  return value
})

/** Computes the checksum of an ASCII text. */
export const computeCrc32 = (text: string): number => {
  let value = 0xffffffff
  for (let at = 0; at < text.length; at++)
    value = (value >>> 8) ^ (table[(value ^ text.charCodeAt(at)) & 0xff] ?? 0)
  return (value ^ 0xffffffff) >>> 0
}
