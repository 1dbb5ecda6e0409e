import crypto, {
  createCipheriv,
  createHash,
  pbkdf2,
  type ScryptOptions,
  scrypt,
  timingSafeEqual,
} from 'node:crypto'
import { promisify } from 'node:util'
import { foreignHashLimits as limits } from '../limits/password-limits.ts'

/*
 * Password hashes of other systems. Each has one stored form, from all that systems write:
 *
 *     kind $ options $ salt $ digest      pbkdf2-sha256$i=600000$c2FsdA$JN9u…
 *
 * Salt and digest are base64url. Options are numbers and base64url after their names, in one order.
 */

/** A hash of another system, without the digest: how to compute one from a password. */
export interface ForeignScheme {
  /** The stored form up to the digest. */
  readonly text: string
  /**
   * Whether an attacker who has the digest tries passwords much faster than with our hash. Such a digest is never
   * stored: our hash over it is.
   */
  readonly isWeak: boolean
  readonly derive: (password: string) => Promise<Buffer>
}

export interface ForeignHash extends ForeignScheme {
  readonly digest: Buffer
}

type Options = ReadonlyMap<string, string>

interface Kind {
  /** The options, in their order, that each hash of the kind has before `l`, the bytes of its digest. */
  readonly options: readonly string[]
  /** What is wrong with the numbers, or undefined. A hostile file must not make a sign-in take minutes. */
  readonly findProblem: (options: Options) => string | undefined
  readonly leastSaltBytes?: number
  /** The only length that a digest can have, if there is one. */
  readonly digestBytes?: (options: Options) => number
  readonly isWeak: (options: Options) => boolean
  readonly derive: (password: string, salt: Buffer, options: Options) => Promise<Buffer>
}

const runPbkdf2 = promisify(pbkdf2)
const runArgon2 = crypto.argon2 && promisify(crypto.argon2)
const runScrypt = promisify<string, Buffer, number, ScryptOptions, Buffer>(scrypt)

const numberOf = (options: Options, name: string): number => Number(options.get(name))
const isNumber = (options: Options, name: string, min: number, max: number): boolean =>
  /^\d{1,10}$/.test(options.get(name) ?? '') &&
  numberOf(options, name) >= min &&
  numberOf(options, name) <= max

const digestLengths = { md5: 16, sha1: 20, sha256: 32, sha512: 64 } as const
type Digest = keyof typeof digestLengths

const pbkdf2Kind = (algorithm: Exclude<Digest, 'md5'>): Kind => ({
  options: ['i'],
  // Each part of a digest that is longer than one of the algorithm takes all rounds again.
  findProblem: (options) =>
    isNumber(options, 'i', 1, limits.pbkdf2Rounds[algorithm]) &&
    numberOf(options, 'i') * Math.ceil(numberOf(options, 'l') / digestLengths[algorithm]) <=
      limits.pbkdf2Rounds[algorithm]
      ? undefined
      : `must have at most ${limits.pbkdf2Rounds[algorithm]} rounds of PBKDF2`,
  isWeak: (options) => numberOf(options, 'i') < limits.weakPbkdf2Rounds,
  derive: (password, salt, options) =>
    runPbkdf2(password, salt, numberOf(options, 'i'), numberOf(options, 'l'), algorithm),
})

const hasScryptCosts = (options: Options): boolean =>
  isNumber(options, 'n', 1, 20) &&
  isNumber(options, 'r', 1, 32) &&
  isNumber(options, 'p', 1, 16) &&
  getScryptBytes(options) <= limits.memoryBytes &&
  getScryptBytes(options) * numberOf(options, 'p') <= limits.scryptWork
const getScryptBytes = (options: Options): number =>
  128 * 2 ** numberOf(options, 'n') * numberOf(options, 'r')
const scryptProblem = (options: Options): string | undefined =>
  hasScryptCosts(options) ? undefined : 'must not need more memory or time for scrypt than the docs allow'
const isWeakScrypt = (options: Options): boolean =>
  getScryptBytes(options) * numberOf(options, 'p') < limits.weakScryptWork
const deriveScrypt = (
  password: string,
  salt: Buffer,
  options: Options,
  bytes = numberOf(options, 'l'),
): Promise<Buffer> =>
  runScrypt(password, salt, bytes, {
    N: 2 ** numberOf(options, 'n'),
    r: numberOf(options, 'r'),
    p: numberOf(options, 'p'),
    maxmem: 2 * limits.memoryBytes,
  })

type Costs = [memory: number, passes: number, parallelism: number]

const argon2Kind = (name: 'argon2d' | 'argon2i' | 'argon2id'): Kind => ({
  options: ['m', 't', 'p'],
  leastSaltBytes: limits.argon2SaltBytes,
  findProblem: (options) =>
    isNumber(options, 'm', 8, limits.memoryBytes / 1024) &&
    isNumber(options, 't', 1, 32) &&
    isNumber(options, 'p', 1, 16) &&
    // RFC 9106 3.1
    numberOf(options, 'm') >= 8 * numberOf(options, 'p') &&
    numberOf(options, 'm') * numberOf(options, 't') <= limits.argon2Work
      ? undefined
      : 'must not need more memory or time for Argon2 than the docs allow',
  isWeak: (options) => numberOf(options, 'm') * numberOf(options, 't') < limits.weakArgon2Work,
  derive: async (password, salt, options) => {
    const [memory, passes, parallelism] = ['m', 't', 'p'].map((option) => numberOf(options, option)) as Costs
    const tagLength = numberOf(options, 'l')
    if (runArgon2)
      return runArgon2(name, { message: password, nonce: salt, memory, passes, parallelism, tagLength })
    // Before Node.js 24.7. Loaded on demand, because few sign-ins need it.
    const hash = (await import('hash-wasm'))[name]
    const costs = { memorySize: memory, iterations: passes, parallelism, hashLength: tagLength }
    return Buffer.from(await hash({ password, salt, ...costs, outputType: 'binary' }))
  },
})

const saltedKind = (algorithm: Digest, order: 'before' | 'after'): Kind => ({
  options: [],
  digestBytes: () => digestLengths[algorithm],
  findProblem: () => undefined,
  isWeak: () => true,
  derive: async (password, salt) => {
    const text = Buffer.from(password)
    const input = order === 'before' ? [salt, text] : [text, salt]
    return createHash(algorithm).update(Buffer.concat(input)).digest()
  },
})

/** All kinds by their names, which stored hashes have. */
const kinds: ReadonlyMap<string, Kind> = new Map<string, Kind>([
  ['pbkdf2-sha1', pbkdf2Kind('sha1')],
  ['pbkdf2-sha256', pbkdf2Kind('sha256')],
  ['pbkdf2-sha512', pbkdf2Kind('sha512')],
  [
    'scrypt',
    {
      options: ['n', 'r', 'p'],
      findProblem: scryptProblem,
      isWeak: isWeakScrypt,
      derive: (password, salt, options) => deriveScrypt(password, salt, options),
    },
  ],
  [
    // Better Auth: the password in the form NFKC.
    'scrypt-nfkc',
    {
      options: ['n', 'r', 'p'],
      findProblem: scryptProblem,
      isWeak: isWeakScrypt,
      derive: (password, salt, options) => deriveScrypt(password.normalize('NFKC'), salt, options),
    },
  ],
  [
    // Firebase: the signer key of the project, encrypted with a key from scrypt.
    'scrypt-firebase',
    {
      options: ['n', 'r', 'p', 'sep', 'key'],
      digestBytes: (options) => Buffer.from(options.get('key') ?? '', 'base64url').length,
      findProblem: scryptProblem,
      isWeak: isWeakScrypt,
      derive: async (password, salt, options) => {
        const separator = Buffer.from(options.get('sep') ?? '', 'base64url')
        const key = await deriveScrypt(password, Buffer.concat([salt, separator]), options, 32)
        const cipher = createCipheriv('aes-256-ctr', key, Buffer.alloc(16))
        const signerKey = Buffer.from(options.get('key') ?? '', 'base64url')
        return Buffer.concat([cipher.update(signerKey), cipher.final()])
      },
    },
  ],
  ['argon2d', argon2Kind('argon2d')],
  ['argon2i', argon2Kind('argon2i')],
  ['argon2id', argon2Kind('argon2id')],
  [
    // phpass, of WordPress before 6.8, Drupal 7 and phpBB: MD5, repeated.
    'phpass',
    {
      options: ['c'],
      digestBytes: () => digestLengths.md5,
      findProblem: (options) =>
        isNumber(options, 'c', 7, limits.phpassCost)
          ? undefined
          : `must have a cost of at most ${limits.phpassCost} for phpass`,
      isWeak: () => true,
      derive: async (password, salt, options) => {
        const md5 = (...parts: readonly Buffer[]) => createHash('md5').update(Buffer.concat(parts)).digest()
        const text = Buffer.from(password)
        let digest = md5(salt, text)
        for (let round = 2 ** numberOf(options, 'c'); round > 0; round--) digest = md5(digest, text)
        return digest
      },
    },
  ],
  ['salted-md5', saltedKind('md5', 'before')],
  ['salted-sha1', saltedKind('sha1', 'before')],
  // LDAP: the salt comes after the password.
  ['ssha', saltedKind('sha1', 'after')],
  ['ssha256', saltedKind('sha256', 'after')],
  ['ssha512', saltedKind('sha512', 'after')],
])

/** A hash of another system as its parts. */
export interface ForeignParts {
  readonly kind: string
  readonly options: Readonly<Record<string, number | string>>
  readonly salt: Buffer
  readonly digest: Buffer
}

/** Returns the stored form. */
export const formatForeignHash = ({ kind, options, salt, digest }: ForeignParts): string => {
  const texts = Object.entries({ ...options, l: digest.length }).map(([name, value]) => `${name}=${value}`)
  return `${kind}$${texts.join(',')}$${salt.toString('base64url')}$${digest.toString('base64url')}`
}

const schemePattern = /^([a-z\d-]{3,20})\$([\w=,-]{3,800})\$([\w-]{0,700})\$/

const openScheme = (stored: string) => {
  const [text = '', name = '', optionText = '', saltText = ''] = schemePattern.exec(stored) ?? []
  const kind = kinds.get(name)
  const options = new Map(
    optionText.split(',').map((option) => {
      const at = option.indexOf('=')
      return [option.slice(0, at), option.slice(at + 1)] as const
    }),
  )
  const names = [...(kind?.options ?? []), 'l'].join()
  if (!kind || [...options.keys()].join() !== names || optionText.split(',').length !== options.size)
    return undefined
  return { text, kind, options, salt: Buffer.from(saltText, 'base64url') }
}

/** Explains what is wrong with the numbers of a stored form. Undefined if nothing is, or if it is no stored form. */
export const findForeignProblem = (stored: string): string | undefined => {
  const scheme = openScheme(stored)
  if (!scheme) return undefined
  const { kind, options, salt } = scheme
  if (!isNumber(options, 'l', 16, 128)) return 'must have a digest of 16 to 128 bytes'
  const length = kind.digestBytes?.(options)
  if (length !== undefined && length !== numberOf(options, 'l'))
    return `must have a digest of ${length} bytes`
  if (salt.length < (kind.leastSaltBytes ?? 0))
    return `must have a salt of at least ${kind.leastSaltBytes} bytes`
  return kind.findProblem(options)
}

/** Reads the start of a stored form, with or without a digest after it. Undefined for another text, or one beyond the limits. */
export const readForeignScheme = (stored: string): ForeignScheme | undefined => {
  const scheme = openScheme(stored)
  if (!scheme || findForeignProblem(stored) !== undefined) return undefined
  const { text, kind, options, salt } = scheme
  return { text, isWeak: kind.isWeak(options), derive: (password) => kind.derive(password, salt, options) }
}

/** Reads a stored form with its digest. Undefined for another text, or one beyond the limits. */
export const readForeignHash = (stored: string): ForeignHash | undefined => {
  const scheme = readForeignScheme(stored)
  if (!scheme) return undefined
  const rest = stored.slice(scheme.text.length)
  const digest = Buffer.from(rest, 'base64url')
  const length = Number(/l=(\d+)\$/.exec(scheme.text)?.[1])
  return digest.toString('base64url') === rest && digest.length === length ? { ...scheme, digest } : undefined
}

/** Whether the password gives the digest. Takes as long for a wrong one. */
export const matchesForeignHash = async (
  { derive, digest }: ForeignHash,
  password: string,
): Promise<boolean> => {
  const derived = await derive(password)
  return derived.length === digest.length && timingSafeEqual(derived, digest)
}
