import * as z from 'zod/mini'
import type { ImportedPasskey } from '../../lib/accounts/directory/import-user.ts'
import { hashCredentialId } from '../../lib/accounts/passkeys/credential-hash.ts'
import { isUsablePublicKey, readTransports } from '../../lib/accounts/passkeys/verify-registration.ts'
import { flag, givenDateTime } from '../../lib/contract/models/fields.ts'
import { AppError, type FieldError } from '../../lib/errors/errors.ts'
import { parseJson } from '../../lib/errors/json.ts'
import { bodyLimitBytes, passkeyNameLength, passkeysPerUser } from '../../lib/limits/limits.ts'
import { toOneLine } from '../../lib/mail/one-line.ts'
import { createUnreadableEntry, type Entry } from '../entry.ts'

const newline = 0x0a

/** Reads JSON Lines. It does not hold a line in memory that is too long. */
export async function* readJsonLines(chunks: AsyncIterable<Buffer>): AsyncGenerator<Entry> {
  let line = 1
  let pending = Buffer.alloc(0)
  let isTooLong = false
  const append = (part: Buffer): void => {
    isTooLong ||= pending.length + part.length > bodyLimitBytes
    pending = isTooLong ? Buffer.alloc(0) : Buffer.concat([pending, part])
  }
  const finishLine = (): Entry | undefined => {
    const entry = isTooLong ? createTooLongEntry(line) : parseLine(line, pending)
    pending = Buffer.alloc(0)
    isTooLong = false
    line += 1
    return entry
  }
  for await (const chunk of chunks) {
    let from = 0
    for (let end = chunk.indexOf(newline); end >= 0; end = chunk.indexOf(newline, from)) {
      append(chunk.subarray(from, end))
      const entry = finishLine()
      if (entry) yield entry
      from = end + 1
    }
    append(chunk.subarray(from))
  }
  const last = finishLine()
  if (last) yield last
}

/** Undefined for an empty line. The decoder removes a byte order mark. */
const parseLine = (line: number, bytes: Buffer): Entry | undefined => {
  const text = decode(bytes)
  if (text === undefined) return createUnreadableEntry(line, 'is not valid UTF-8')
  return text.trim() === '' ? undefined : readJsonLine(line, text)
}

/** Reads the text of a line. */
export const readJsonLine = (line: number, text: string): Entry => {
  if (Buffer.byteLength(text) > bodyLimitBytes) return createTooLongEntry(line)
  try {
    const value = parseJson(text, 'line')
    return isObject(value)
      ? { line, fields: value, errors: [] }
      : createUnreadableEntry(line, 'must be an object with the fields of a user')
  } catch (error) {
    if (error instanceof AppError && error.details.errors)
      return { line, fields: undefined, errors: error.details.errors }
    throw error
  }
}

const createTooLongEntry = (line: number): Entry =>
  createUnreadableEntry(line, `is longer than ${bodyLimitBytes} bytes`)

const decoder = new TextDecoder('utf-8', { fatal: true })

const decode = (bytes: Buffer): string | undefined => {
  try {
    return decoder.decode(bytes)
  } catch {
    return undefined
  }
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const bytes = (maxLength: number) =>
  z
    .string()
    .check(
      z.regex(/^[\w-]+$/, 'must be base64url without padding'),
      z.maxLength(maxLength, `must have at most ${maxLength} characters`),
    )

/** A passkey in a line of an import. */
const PasskeyLine = z.strictObject({
  credential_id: bytes(1364),
  /** As COSE (RFC 9052). */
  public_key: bytes(2048),
  sign_count: z.optional(z.int().check(z.minimum(0), z.maximum(2 ** 32 - 1))),
  transports: z.optional(z.array(z.string().check(z.maxLength(32))).check(z.maxLength(10))),
  /** Whether devices may share it. Left out if the other system does not know. */
  backup_eligible: z.optional(flag),
  aaguid: z.optional(
    z.string().check(z.regex(/^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i, 'must be a UUID')),
  ),
  name: z.optional(z.nullable(z.string())),
  created_at: z.optional(z.nullable(givenDateTime)),
})
type PasskeyLine = z.output<typeof PasskeyLine>

export const passkeyLines = z.array(PasskeyLine).check(z.maxLength(passkeysPerUser))

/** Checks what the schema does not: that the public keys can be used, and that none is there twice. */
export const validatePasskeys = async (passkeys: readonly PasskeyLine[]): Promise<readonly FieldError[]> => {
  const ids = passkeys.map(({ credential_id: id }) => hashCredentialId(id))
  const checked = await Promise.all(passkeys.map(({ public_key: key }) => isUsablePublicKey(key)))
  return passkeys.flatMap((_, at): FieldError[] => [
    ...(checked[at]
      ? []
      : [{ field: `passkeys.${at}.public_key`, message: 'must be a COSE key for ES256, EdDSA or RS256' }]),
    ...(ids.indexOf(ids[at] ?? '') < at
      ? [{ field: `passkeys.${at}.credential_id`, message: 'must not be repeated' }]
      : []),
  ])
}

const unknownModel = '00000000-0000-0000-0000-000000000000'

export const toPasskey = (line: PasskeyLine): ImportedPasskey => ({
  credentialId: Buffer.from(line.credential_id, 'base64url').toString('base64url'),
  publicKey: line.public_key,
  counter: line.sign_count ?? 0,
  transports: readTransports(line.transports),
  isBackupEligible: line.backup_eligible,
  aaguid: line.aaguid?.toLowerCase() ?? unknownModel,
  name: toOneLine(line.name ?? '', passkeyNameLength) || 'Passkey',
  createdAt: line.created_at ? Date.parse(line.created_at) : undefined,
})
