import { day, minute } from '../util/time.ts'

/** Fixed limits of passwords and of the policy for them, with their reasons. */

export const passwordMinLength = 8
export const passwordMaxLength = 1024
/**
 * The highest bcrypt cost, of new and of imported hashes. A check at 14 takes four times as long as one at the default, 12,
 * and about a second of a core. Each further step doubles it, and each wrong password would be an attack.
 */
export const passwordMaxCost = 14

/**
 * What checking an imported hash of another system may take: at most as long as our own with the default cost, 12, which is what
 * the check of an unknown user takes, and memory that the functions have. Otherwise the time would reveal that an account exists.
 * A core does 2,000,000 rounds of PBKDF2 with SHA-256 in that time, 700,000 with SHA-512, and fills 256 MiB for Argon2 and 128 MiB for
 * scrypt. Below the weak values, an attacker tries passwords so much faster than with ours that such a hash
 * is not stored as it is. Work of scrypt is in bytes, and that of Argon2 in KiB, times repetitions.
 */
export const foreignHashLimits = {
  pbkdf2Rounds: { sha1: 2_000_000, sha256: 2_000_000, sha512: 700_000 },
  weakPbkdf2Rounds: 100_000,
  memoryBytes: 128 * 1024 * 1024,
  scryptWork: 128 * 1024 * 1024,
  weakScryptWork: 16 * 1024 * 1024,
  argon2Work: 256 * 1024,
  weakArgon2Work: 16 * 1024,
  phpassCost: 14,
  argon2SaltBytes: 8,
}
/** The cost of our bcrypt hash over a weak one, until the next sign-in. An import makes thousands. */
export const wrappingCost = 10

/** Highest `min_length` of a password policy. It also bounds the matches that all rules require together. */
export const policyLength = 128
export const policyEntropyBits = 128
/** Matches that one rule may require. */
export const ruleMatches = 64
export const ruleNameLength = 100
/** Characters of one expression. The contract limits the number of rules. */
export const expressionLength = 500
/** Characters of all expressions of a policy, because compiling them takes time. */
export const expressionsLength = 4000
/** Compiled instructions of all expressions of a policy. Repetitions multiply: `(a{30}){30}` has 900. */
export const policyInstructions = 1000
/** Instructions times characters, which bounds the time to check one password against a policy. */
export const policyMatchingSteps = 2_000_000

/** Characters that the strength estimate reads. Its time grows with their square. */
export const strengthCharacters = 100
/**
 * The estimated guesses that every password must withstand: the third of the four thresholds of zxcvbn. Three random words
 * and twelve random characters have more.
 */
export const leastGuesses = 1e8
/** The same without capitals and the characters between the words: a repeated word or a known phrase has less, two words have more. */
export const leastJoinedGuesses = 1e5
/** zxcvbn counts ten guesses for a random character, and a little less if a short word occurs by chance. */
export const guessesPerCharacter = 10 ** 0.85
/** Characters that decide whether a password is easy to guess. The estimate takes most of the time of the check. */
export const guessedCharacters = 64
/** Guesses per second that `time_to_crack` assumes: an offline attack on a fast hash. */
export const guessesPerSecond = 1e10
/** Upper bound of `time_to_crack`, so that every client can represent it: 285 million years. */
export const longestCrackSeconds = Number.MAX_SAFE_INTEGER

/** The least length of a generated password, and its least randomness in bits. */
export const generatedLength = 20
export const generatedBits = 60
/** Bounds on generating a password: lengths tried, candidates per length, and steps to match the expression. */
export const generatedLengthsTried = 12
export const generatorAttemptsPerLength = 10
export const generatorMatchingSteps = 100_000_000

/** Time and size limits of a check at the old system. Its answer has about 20 bytes. */
export const legacyCheckTimeoutMs = 3000
export const legacyCheckAnswerBytes = 1024
/** When a client should try again after the old system gave no answer. */
export const legacyCheckRetrySeconds = 5

/** Time and size limits of a breached-password lookup. A usual answer has about 40 KB. */
export const breachLookupTimeoutMs = 1000
/** The same for a password that signs in, which is looked up once in this period. */
export const signInBreachLookupTimeoutMs = 300
export const signInBreachLookupIntervalMs = 30 * day
/** How often such a sign-in sends its link again: someone who knows the password could fill the outbox otherwise. */
export const breachEmailIntervalMs = 5 * minute
export const breachAnswerBytes = 512 * 1024
/** After this many consecutive failures, lookups are skipped for a while. */
export const breachFailuresBeforePause = 3
export const breachPauseMs = minute
/** Cached answers and their lifetime. A password is often evaluated just before it is set. */
export const breachCacheEntries = 32
export const breachCacheMs = 10 * minute
