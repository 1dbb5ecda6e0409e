import type { ZxcvbnFactory } from '@zxcvbn-ts/core'
import {
  guessedCharacters,
  guessesPerCharacter,
  guessesPerSecond,
  leastGuesses,
  leastJoinedGuesses,
  longestCrackSeconds,
  strengthCharacters,
} from '../../kernel/limits/password-limits.ts'

/** How hard a password is to guess for an attacker who knows common patterns, as estimated by zxcvbn. */
export interface Strength {
  /** The logarithm of the number of guesses. */
  readonly entropyBits: number
  /** The time for an attacker who has a fast hash of the password, at `guessesPerSecond`. Always finite. */
  readonly secondsToCrack: number
}

/**
 * Estimates the strength of the first `strengthCharacters`. Further characters never make a password weaker. `words` are
 * those that an attacker would try first, such as the names of the user.
 */
export const estimateStrength = async (
  password: string,
  words: readonly string[] = [],
): Promise<Strength> => {
  const finiteGuesses = await countGuesses(takeStart(password, strengthCharacters), words)
  return {
    entropyBits: Math.log2(finiteGuesses),
    secondsToCrack: Math.min(finiteGuesses / guessesPerSecond, longestCrackSeconds),
  }
}

/**
 * Whether a password is one of the first that attackers try: it repeats or continues a pattern, follows the keyboard, or
 * consists of few common words, names or years. `words` count for nothing. A password that is short because the policy
 * allows it is compared with random ones of its length.
 */
export const isEasyToGuess = async (password: string, words: readonly string[]): Promise<boolean> => {
  const start = takeStart(password, guessedCharacters)
  const least = Math.min(leastGuesses, guessesPerCharacter ** [...start].length)
  const known = [...words, ...knownPhrases]
  if ((await countGuesses(start, known)) < least) return true
  const rest = removeWords(start, words)
  if (rest !== start && (await countGuesses(rest, known)) < least) return true
  const joined = start.replaceAll(separators, '').toLowerCase()
  // A password may also consist of such characters.
  const hasWords = joined !== start && joined.length > start.length / 2
  return hasWords && (await countGuesses(joined, known)) < leastJoinedGuesses
}

/** Shorter words occur in many passwords by chance. */
const minWordLength = 4

/** The text without the words that attackers try first, in lower case. The same text if it has none of them. */
const removeWords = (text: string, words: readonly string[]): string => {
  const lower = text.toLowerCase()
  const rest = words
    .map((word) => word.toLowerCase())
    .filter((word) => word.length >= minWordLength)
    .toSorted((left, right) => right.length - left.length)
    .reduce((left, word) => left.replaceAll(word, ''), lower)
  return rest === lower ? text : rest
}

/** What people put between words. As capitals do, it hides that a word is repeated, or that the words are a known phrase. */
const separators = /[\s\-_.,;:+/|]+/g

const countGuesses = async (text: string, words: readonly string[]): Promise<number> => {
  const estimator = await getEstimator()
  const { guesses } = estimator.check(text, [...words])
  return Number.isNaN(guesses) ? 1 : Math.max(1, guesses)
}

/** Cuts the text before normalizing it, because normalizing a long text takes a long time. */
const takeStart = (password: string, most: number): string =>
  [...password.slice(0, 4 * most).normalize('NFC')].slice(0, most).join('')

/** The maximum number of undone substitutions (`p4$$w0rd`). Without a limit, 100 characters take 300 ms. */
const maxSubstitutions = 20

let loading: Promise<ZxcvbnFactory> | undefined

/** The dictionaries have 1.6 MB, so they are loaded on first use. */
const getEstimator = (): Promise<ZxcvbnFactory> => {
  loading ??= loadEstimator()
  return loading
}

const loadEstimator = async (): Promise<ZxcvbnFactory> => {
  const [{ ZxcvbnFactory }, common, english] = await Promise.all([
    import('@zxcvbn-ts/core'),
    import('@zxcvbn-ts/language-common'),
    import('@zxcvbn-ts/language-en'),
  ])
  return new ZxcvbnFactory({
    dictionary: { ...common.dictionary, ...english.dictionary },
    graphs: common.adjacencyGraphs,
    l33tMaxSubstitutions: maxSubstitutions,
    // `takeStart` cuts by characters.
    maxLength: 2 * strengthCharacters,
  })
}

/**
 * Phrases that many people choose as a password, without spaces and in lower case. Their words alone look like a random
 * passphrase.
 */
const knownPhrases: readonly string[] = [
  ...['correcthorsebatterystaple', 'correcthorsebattery', 'horsebatterystaple', 'batterystaple'],
  ...['correctbatteryhorsestaple', 'correcthorse', 'tobeornottobe', 'tobeornottobethatisthequestion'],
  ...['thequickbrownfox', 'thequickbrownfoxjumps', 'thequickbrownfoxjumpsoverthelazydog', 'quickbrownfox'],
  ...[
    'maytheforcebewithyou',
    'maythe4thbewithyou',
    'theforcebewithyou',
    'iamyourfather',
    'lukeiamyourfather',
  ],
  ...[
    'onceuponatime',
    'happilyeverafter',
    'inthebeginning',
    'inthebeginningwastheword',
    'ourfatherwhoartinheaven',
  ],
  ...[
    'ilovemymom',
    'ilovemydad',
    'ilovemydog',
    'ilovemycat',
    'ilovemyfamily',
    'ilovemywife',
    'ilovemyhusband',
  ],
  ...['ilovemylife', 'iloveyousomuch', 'iloveyouforever', 'iloveyoubaby', 'iloveyoumom', 'ihatemylife'],
  ...[
    'ihatemyjob',
    'ihatepasswords',
    'thisismypassword',
    'thisisapassword',
    'thisismysecret',
    'mypasswordis',
  ],
  ...['mypassword', 'mynewpassword', 'mysecretpassword', 'yourpassword', 'enterpassword', 'typepassword'],
  ...[
    'nopassword',
    'iforgotmypassword',
    'forgotmypassword',
    'changemeplease',
    'pleasechangeme',
    'changethispassword',
  ],
  ...[
    'letmein',
    'letmeinplease',
    'letmeinnow',
    'opensesame',
    'youshallnotpass',
    'winteriscoming',
    'hakunamatata',
  ],
  ...['onetwothree', 'onetwothreefour', 'onetwothreefourfive', 'abcdefg', 'twinkletwinklelittlestar'],
  ...[
    'rowrowrowyourboat',
    'happybirthday',
    'happybirthdaytoyou',
    'merrychristmas',
    'happynewyear',
    'jesuslovesme',
  ],
  ...['jesusischrist', 'godblessamerica', 'ingodwetrust', 'thankyoujesus', 'praisethelord', 'livelaughlove'],
  ...[
    'carpediem',
    'loremipsum',
    'loremipsumdolorsitamet',
    'helloworld',
    'foobarbaz',
    'allyourbasearebelongtous',
  ],
  ...['togetherforever', 'bestfriendsforever', 'neverforget', 'keepcalmandcarryon', 'justdoit', 'yesican'],
]
