import * as z from 'zod/mini'
import {
  type ForeignParts,
  findForeignProblem,
  formatForeignHash,
  readForeignHash,
} from './foreign-hashes.ts'

/* How other systems write the hashes of passwords. Each form becomes the stored one of `foreign-hashes.ts`. */

interface Form {
  readonly pattern: RegExp
  readonly read: (groups: Readonly<Record<string, string>>) => ForeignParts | undefined
}

const fromBase64 = (text = ''): Buffer => Buffer.from(text, 'base64')
/** Passlib writes `.` for `+`. */
const fromPasslib = (text = ''): Buffer => fromBase64(text.replaceAll('.', '+'))
const fromHex = (text = ''): Buffer => Buffer.from(text, 'hex')

const phpassLetters = './0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'

/** Phpass writes three bytes as four letters, the lowest bits first. */
const fromPhpass = (text = ''): Buffer => {
  const bytes: number[] = []
  for (let at = 0; at < text.length; at += 4) {
    const letters = [...text.slice(at, at + 4)]
    const value = letters.reduce((sum, letter, index) => sum + phpassLetters.indexOf(letter) * 64 ** index, 0)
    bytes.push(value & 255, (value >> 8) & 255, (value >> 16) & 255)
  }
  return Buffer.from(bytes.slice(0, 16))
}

const buildPbkdf2 = (algorithm: string, rounds = '', salt: Buffer, digest: Buffer): ForeignParts => ({
  kind: `pbkdf2-${algorithm}`,
  options: { i: Number(rounds) },
  salt,
  digest,
})

const aspNetAlgorithms = ['sha1', 'sha256', 'sha512']

/** ASP.NET Identity: version 3 names its algorithm, rounds and salt; version 2 always has the same ones. */
const readAspNet = (bytes: Buffer): ForeignParts | undefined => {
  if (bytes[0] === 0 && bytes.length === 49)
    return buildPbkdf2('sha1', '1000', bytes.subarray(1, 17), bytes.subarray(17))
  if (bytes[0] !== 1 || bytes.length < 45) return undefined
  const algorithm = aspNetAlgorithms[bytes.readUInt32BE(1)]
  const end = 13 + bytes.readUInt32BE(9)
  if (algorithm === undefined || end > bytes.length - 16) return undefined
  return buildPbkdf2(algorithm, String(bytes.readUInt32BE(5)), bytes.subarray(13, end), bytes.subarray(end))
}

const forms: readonly Form[] = [
  // Django.
  {
    pattern:
      /^pbkdf2_(?<algorithm>sha1|sha256)\$(?<rounds>\d{1,10})\$(?<salt>[^$]{1,200})\$(?<digest>[A-Za-z\d+/]+=*)$/,
    read: ({ algorithm = '', rounds, salt = '', digest }) =>
      buildPbkdf2(algorithm, rounds, Buffer.from(salt), fromBase64(digest)),
  },
  {
    pattern:
      /^scrypt\$(?<n>\d{1,10})\$(?<salt>[^$]{1,200})\$(?<r>\d{1,3})\$(?<p>\d{1,3})\$(?<digest>[A-Za-z\d+/]+=*)$/,
    read: ({ n, salt = '', r, p, digest }) => ({
      kind: 'scrypt',
      options: { n: Math.log2(Number(n)), r: Number(r), p: Number(p) },
      salt: Buffer.from(salt),
      digest: fromBase64(digest),
    }),
  },
  {
    pattern: /^(?<algorithm>md5|sha1)\$(?<salt>[^$]{0,200})\$(?<digest>[\da-f]{32,40})$/,
    read: ({ algorithm, salt = '', digest }) => ({
      kind: `salted-${algorithm}`,
      options: {},
      salt: Buffer.from(salt),
      digest: fromHex(digest),
    }),
  },
  // PHC strings, and Django's and Passlib's forms of them.
  {
    pattern:
      /^(?:argon2)?\$(?<kind>argon2(?:d|i|id))\$v=19\$m=(?<m>\d{1,10}),t=(?<t>\d{1,5}),p=(?<p>\d{1,3})\$(?<salt>[A-Za-z\d+/]+)\$(?<digest>[A-Za-z\d+/]+)$/,
    read: ({ kind = '', m, t, p, salt, digest }) => ({
      kind,
      options: { m: Number(m), t: Number(t), p: Number(p) },
      salt: fromBase64(salt),
      digest: fromBase64(digest),
    }),
  },
  {
    pattern:
      /^\$scrypt\$ln=(?<n>\d{1,2}),r=(?<r>\d{1,3}),p=(?<p>\d{1,3})\$(?<salt>[A-Za-z\d+/.]+)\$(?<digest>[A-Za-z\d+/.]+)$/,
    read: ({ n, r, p, salt, digest }) => ({
      kind: 'scrypt',
      options: { n: Number(n), r: Number(r), p: Number(p) },
      salt: fromPasslib(salt),
      digest: fromPasslib(digest),
    }),
  },
  {
    pattern:
      /^\$pbkdf2(?:-(?<algorithm>sha1|sha256|sha512))?\$(?:i=)?(?<rounds>\d{1,10})(?:,l=\d{1,3})?\$(?<salt>[A-Za-z\d+/.]+)\$(?<digest>[A-Za-z\d+/.]+)$/,
    read: ({ algorithm = 'sha1', rounds, salt, digest }) =>
      buildPbkdf2(algorithm, rounds, fromPasslib(salt), fromPasslib(digest)),
  },
  // Better Auth.
  {
    pattern: /^(?<salt>[\da-f]{32}):(?<digest>[\da-f]{128})$/,
    read: ({ salt = '', digest }) => ({
      kind: 'scrypt-nfkc',
      options: { n: 14, r: 16, p: 1 },
      salt: Buffer.from(salt),
      digest: fromHex(digest),
    }),
  },
  // WordPress before 6.8, Drupal 7 and phpBB.
  {
    pattern: /^\$[PH]\$(?<cost>[./\dA-Za-z])(?<salt>[./\dA-Za-z]{8})(?<digest>[./\dA-Za-z]{22})$/,
    read: ({ cost = '', salt = '', digest }) => ({
      kind: 'phpass',
      options: { c: phpassLetters.indexOf(cost) },
      salt: Buffer.from(salt),
      digest: fromPhpass(digest),
    }),
  },
  // LDAP.
  {
    pattern: /^\{SSHA(?<bits>256|512|)\}(?<bytes>[A-Za-z\d+/]+=*)$/,
    read: ({ bits = '', bytes }) => {
      const length = bits === '' ? 20 : Number(bits) / 8
      const all = fromBase64(bytes)
      return { kind: `ssha${bits}`, options: {}, salt: all.subarray(length), digest: all.subarray(0, length) }
    },
  },
  // ASP.NET Identity.
  { pattern: /^(?<bytes>A[A-Za-z\d+/]{59,300}=*)$/, read: ({ bytes }) => readAspNet(fromBase64(bytes)) },
]

/** A credential in an export of Keycloak, whose two parts are JSON in JSON. */
const KeycloakCredential = z.object({ credentialData: z.string(), secretData: z.string() })
const KeycloakSecret = z.object({ value: z.string(), salt: z.string() })
const one = (schema: z.ZodMiniType<string>) => z.optional(z.array(schema).check(z.minLength(1)))
const KeycloakData = z.object({
  hashIterations: z.int(),
  algorithm: z.enum(['pbkdf2', 'pbkdf2-sha256', 'pbkdf2-sha512', 'argon2']),
  additionalParameters: z.optional(
    z.object({ type: one(z.string()), memory: one(z.string()), parallelism: one(z.string()) }),
  ),
})
/** A record of OpenAuth. */
const OpenAuthRecord = z.object({
  hash: z.string(),
  salt: z.string(),
  N: z.int(),
  r: z.int(),
  p: z.int(),
})

const parseJson = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

const readKeycloak = (record: unknown): ForeignParts | undefined => {
  const credential = KeycloakCredential.safeParse(record).data
  const secret = KeycloakSecret.safeParse(parseJson(credential?.secretData ?? '')).data
  const data = KeycloakData.safeParse(parseJson(credential?.credentialData ?? '')).data
  if (!secret || !data) return undefined
  const [salt, digest] = [fromBase64(secret.salt), fromBase64(secret.value)]
  if (data.algorithm !== 'argon2')
    return buildPbkdf2(
      data.algorithm === 'pbkdf2' ? 'sha1' : data.algorithm.slice(7),
      String(data.hashIterations),
      salt,
      digest,
    )
  const { type = [], memory = [], parallelism = [] } = data.additionalParameters ?? {}
  return {
    kind: `argon2${type[0] ?? 'id'}`,
    options: { m: Number(memory[0]), t: data.hashIterations, p: Number(parallelism[0] ?? 1) },
    salt,
    digest,
  }
}

const readOpenAuth = (record: unknown): ForeignParts | undefined => {
  const { data } = OpenAuthRecord.safeParse(record)
  return (
    data && {
      kind: 'scrypt',
      options: { n: Math.log2(data.N), r: data.r, p: data.p },
      salt: fromBase64(data.salt),
      digest: fromBase64(data.hash),
    }
  )
}

const readParts = (text: string): ForeignParts | undefined => {
  if (text.startsWith('{"')) {
    const record = parseJson(text)
    return readKeycloak(record) ?? readOpenAuth(record)
  }
  for (const { pattern, read } of forms) {
    const groups = pattern.exec(text)?.groups
    if (groups) return read(groups)
  }
  return undefined
}

/**
 * Reads a hash as another system writes it.
 *
 * @returns its stored form, what is wrong with it, or undefined if no known system writes such a text
 * @example
 * readForeignForm('pbkdf2_sha256$600000$c2FsdA$JN9u…') // { stored: 'pbkdf2-sha256$i=600000,l=32$…' }
 */
export const readForeignForm = (
  text: string,
): { readonly stored: string } | { readonly problem: string } | undefined => {
  const parts = readParts(text)
  const stored = parts ? formatForeignHash(parts) : text
  const problem = findForeignProblem(stored)
  if (problem !== undefined) return { problem }
  return readForeignHash(stored) ? { stored } : undefined
}
