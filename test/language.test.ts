import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'

/*
 * Holds names, messages, comments and docs against the short list of words that the glossary replaces. A word counts
 * in prose and as a part of a name: `tellEngine` contains "tell".
 */

const replacements: Readonly<Record<string, string>> = {
  'alive|dead': 'active, expired, revoked, deleted',
  'bears?|bore|borne': 'has, contains',
  'by itself': 'automatically',
  'departures?': 'outgoing logout',
  'dossiers?': 'validation context',
  'errands?': 'mail job',
  'faults?': 'field error, error',
  folded: 'normalized',
  'for ever': 'forever',
  'give back|gave back|given back': 'refund',
  'goes on as|going on as|goingon': 'impersonates',
  gone: 'deleted, removed, missing',
  'leftovers?': 'remaining items',
  'may act|mayact': 'isActive',
  meanwhile: 'concurrently, in the meantime',
  'mend|mends|mended|mending': 'fix',
  nobody: 'no user, no one',
  'of ours': 'our',
  oneself: 'the user',
  'patience|patiently': 'retry',
  'sightings?': 'last seen',
  'spelt|spelled': 'written',
  'tells?|told|telling': 'report, contain, say',
  'the like': 'similar',
  'touch(es|ed)?': 'update, mark as used',
  'verdicts?': 'import decision',
  'visitors?': 'request context',
  'way back|wayback': 'returnUrl',
  whatever: 'the noun that is meant',
  'whoever|whomever': 'anyone who',
  wishes: 'options',
}

/** Terms of the field, of libraries and of the platform that contain one of the words. */
const terms =
  /\b(keep[- ]?alive|dead[- ]?letters?|dead[- ]?lock(s|ed)?|touch[- ]?(screen|action|icon)|410 gone|fault[- ]?injection)\b/gi

const anyPattern = new RegExp(`\\b(${Object.keys(replacements).join('|')})\\b`, 'i')
const patterns = Object.entries(replacements).map(([words, instead]) => ({
  pattern: new RegExp(`\\b(${words})\\b`, 'i'),
  instead,
}))

interface Hit {
  readonly word: string
  readonly instead: string
}

const splitIntoWords = (text: string): string =>
  text
    .replaceAll(/([a-z])([A-Z])/g, '$1 $2')
    .replaceAll(/[_-]/g, ' ')
    .replaceAll(terms, '')

const findBannedWords = (line: string): readonly Hit[] => {
  const words = splitIntoWords(line)
  return patterns.flatMap(({ pattern, instead }) => {
    const word = pattern.exec(words)?.[0]
    return word ? [{ word, instead }] : []
  })
}

// The glossary and this list name the words in order to replace them.
const listsOfWords = new Set(['test/language.test.ts', 'docs/glossary.md'])

/** Messages in other languages, in which the words have other meanings, and emails rendered from them. */
const isTranslation = (file: string): boolean =>
  /\/messages\/(.*\/)?(fr|de|nb|ja|es)\.ts$|\.(fr|de|nb|ja|es)\.(txt|html)$/.test(file)

const readableFiles = (): readonly string[] =>
  execFileSync('git', ['ls-files', '*.ts', '*.tsx', '*.md', '*.html', '*.css', '.ci/run'], {
    encoding: 'utf8',
  })
    .split('\n')
    .filter((file) => file !== '' && !listsOfWords.has(file) && !isTranslation(file))

describe('the words of the project', () => {
  it('contain none that the glossary replaces', () => {
    const files = readableFiles()
    expect(files.length).toBeGreaterThan(500)
    const hits = files.flatMap((file) => {
      const text = readFileSync(file, 'utf8')
      // Most files have none of the words, so that their lines need no look.
      if (!anyPattern.test(splitIntoWords(text))) return []
      return text
        .split('\n')
        .flatMap((line, at) =>
          findBannedWords(line).map(({ word, instead }) => `${file}:${at + 1} "${word}" → ${instead}`),
        )
    })
    expect(hits).toEqual([])
  })

  it.each([
    'const tellEngine = () => undefined',
    'Mend what errors lists.',
    '/** Whoever has the link. */',
    'readonly is_alive: boolean',
    'The account is gone.',
  ])('are recognized in %j', (line) => {
    expect(findBannedWords(line)).not.toEqual([])
  })

  it.each([
    'connection: keep-alive',
    'a dead-letter queue',
    'the bearer token',
    'intelligent',
    'Math.floor(2.5)',
  ])('do not include %j', (line) => {
    expect(findBannedWords(line)).toEqual([])
  })
})
