import { expect, it } from 'vitest'
import { chooseLanguage, type LanguageHints } from '../../lib/kernel/i18n/languages.ts'

it.each<[string, LanguageHints, string]>([
  ['nothing known', {}, 'en'],
  ['only other languages', { acceptLanguage: 'ko-KR,ko;q=0.9' }, 'en'],
  ['the header of a browser', { acceptLanguage: 'de-AT,de;q=0.9,en;q=0.8' }, 'de'],
  ['qualities out of order', { acceptLanguage: 'en;q=0.3, ja;q=0.9, fr;q=0.5' }, 'ja'],
  ['an unwanted language', { acceptLanguage: 'de;q=0, es' }, 'es'],
  ['Norwegian under its other codes', { acceptLanguage: 'no' }, 'nb'],
  ['Nynorsk', { acceptLanguage: 'nn-NO' }, 'nb'],
  ['the choice of the user', { userLanguage: 'fr', acceptLanguage: 'de' }, 'fr'],
  ['no choice of the user', { userLanguage: '', acceptLanguage: 'de' }, 'de'],
  ['a test language of the user', { userLanguage: 'xx', browserChoice: 'ja', acceptLanguage: 'de' }, 'ja'],
  ['the request of a client', { uiLocales: 'ko es-MX de', userLanguage: 'fr' }, 'es'],
  ['garbage', { uiLocales: ';;=,', acceptLanguage: `${'x'.repeat(100_000)};q=,;q=NaN,*` }, 'en'],
])('chooses the language with %s', (_, hints, language) => {
  expect(chooseLanguage(hints)).toBe(language)
})
