import { createHash, randomBytes } from 'node:crypto'
import { fromBase62, toBase62 } from './base62.ts'
import { crc32 } from './crc32.ts'

/**
 * What each kind of credential begins with. The prefix tells people, secret scanners and this service the kind,
 * so that no kind works in place of another.
 */
export const credentialPrefixes = {
  session: 'lks',
  api_token: 'lkp',
  auth_ticket: 'lkt',
  reset_token: 'lkr',
  access_token: 'lka',
} as const
export type CredentialKind = keyof typeof credentialPrefixes

export interface Credential {
  readonly kind: CredentialKind
  /** The id of its user; 0 where the kind has none. Found out by nobody who doesn't hold the credential. */
  readonly subject: number
  /** SHA-256 of the whole value, base64url: all that is ever stored. */
  readonly hash: string
}

const subjectLength = 6
const randomByteLength = 24
const randomLength = 33
const checksumLength = 6
const bodyLength = subjectLength + randomLength
const pattern = new RegExp(`^(lk[sptra])_([0-9A-Za-z]{${bodyLength}})([0-9A-Za-z]{${checksumLength}})$`)
const kindsByPrefix = new Map(
  Object.entries(credentialPrefixes).map(([kind, prefix]) => [prefix as string, kind as CredentialKind]),
)

/** Makes a credential with 192 random bits; `value` is to be handed out once and forgotten. */
export const mintCredential = (
  kind: CredentialKind,
  subject = 0,
): Credential & { readonly value: string } => {
  const random = BigInt(`0x${randomBytes(randomByteLength).toString('hex')}`)
  const body = toBase62(BigInt(subject), subjectLength) + toBase62(random, randomLength)
  const value = `${credentialPrefixes[kind]}_${body}${checksumOf(`${credentialPrefixes[kind]}_${body}`)}`
  return { kind, subject, hash: hashCredential(value), value }
}

/**
 * Reads a credential without asking the table: undefined for whatever was mistyped or made up, since the
 * checksum doesn't fit. The checksum protects nothing; only the look-up of the hash does.
 */
export const parseCredential = (value: string): Credential | undefined => {
  const [, prefix = '', body = '', checksum = ''] = pattern.exec(value) ?? []
  const kind = kindsByPrefix.get(prefix)
  if (!kind || checksum !== checksumOf(`${prefix}_${body}`)) return undefined
  const subject = fromBase62(body.slice(0, subjectLength))
  return subject < 2n ** 31n ? { kind, subject: Number(subject), hash: hashCredential(value) } : undefined
}

const checksumOf = (text: string): string => toBase62(BigInt(crc32(text)), checksumLength)

/** What is stored of a credential's value, whoever made it up. */
export const hashCredential = (value: string): string =>
  createHash('sha256').update(value).digest('base64url')

/** Whether a value begins as one of ours does, whatever follows: such a value is never anything else. */
export const isOurForm = (value: string): boolean =>
  Object.values(credentialPrefixes).some((prefix) => value.startsWith(`${prefix}_`))
