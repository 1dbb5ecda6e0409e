import { globSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { en as mail } from '../../lib/features/mail/messages/en.ts'
import { models } from '../../lib/features/models.ts'
import { operations } from '../../lib/features/operations.ts'
import { en as plainPages } from '../../lib/features/pages/plain/messages/en.ts'
import { groups } from '../../lib/kernel/contract/group.ts'
import { buildOpenApi } from '../../lib/open-api/build-open-api.ts'
import { en as account } from '../../web/messages/account/en.ts'
import { en as console } from '../../web/messages/console/en.ts'
import { en as pages } from '../../web/messages/public/en.ts'

const glossary = readFileSync('docs/glossary.md', 'utf8')
const rows = [...glossary.matchAll(/^\| (?!word|---)([^|]+) \| [^|]+ \| ([^|]*)\|$/gm)].map(
  ([, word = '', others = '']) => ({ word, others: others.split(',').map((text) => text.trim()) }),
)

/** Words of several words, such as "authenticator app", in which a part may be the synonym of another word. */
const terms = rows.flatMap(({ word }) => word.split(', ')).filter((word) => word.includes(' '))

const toPattern = (words: readonly string[]): RegExp =>
  new RegExp(`(?<![\\w-])(${words.map((word) => word.replaceAll(' ', '\\s+')).join('|')})s?(?![\\w-])`, 'gi')

/** Replaced words of the glossary. Those with "on pages:" or "in docs:" are wrong only there. */
const listSynonyms = (place: string): readonly string[] =>
  rows
    .flatMap(({ others }) => others)
    .filter((text) => text !== '' && (!text.includes(': ') || text.startsWith(`${place}: `)))
    .map((text) => text.replace(/^.*: /, ''))

const findSynonyms = (text: string, place: string): readonly string[] =>
  text.replaceAll(toPattern(terms), '').match(toPattern(listSynonyms(place))) ?? []

/** Text without code, addresses, names of buttons, and quotes. */
const toProse = (markdown: string): string =>
  markdown
    .replaceAll(/^ *```[\s\S]*?^ *```/gm, '')
    .replaceAll(/`[^`]*`|“[^”]*”|\*\*[^*]*\*\*|\]\([^)]*\)|https?:\/\/\S+/g, ' ')

const listTexts = (value: unknown): readonly string[] => {
  if (typeof value === 'string') return [value]
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(listTexts) : []
}

const isText = (key: string): boolean => ['summary', 'description'].includes(key)

/** Summaries and descriptions anywhere in the OpenAPI document. */
const listDescriptions = (value: unknown): readonly string[] =>
  typeof value === 'object' && value !== null
    ? Object.entries(value).flatMap(([key, inner]) =>
        isText(key) && typeof inner === 'string' ? [inner] : listDescriptions(inner),
      )
    : []

/** The glossary itself, and a page with the words of other products. */
const others = new Set(['docs/glossary.md', 'docs/identity-providers.md'])
const documents = globSync(['README.md', 'docs/**/*.md']).filter((path) => !others.has(path))

/** Names that clients know: of models, groups, operations and their files of the client, in the words of the wire. */
const wireNames = new Set([
  ...models.keys(),
  ...[...operations.map(({ id }) => id), ...groups].map((name) =>
    name.replaceAll(/[_-](\w)/g, (_, letter: string) => letter.toUpperCase()),
  ),
])

/** Words that are right in these folders only. */
const homes: Readonly<Record<string, readonly string[]>> = {
  'access token': ['lib/features/oauth/', 'lib/middleware/', 'cli/sign-in/'],
  oidc: ['lib/features/connections/', 'web/admin/connections/oidc/'],
  upstream: [],
}

/** Keys of the table, whose names say "key" after an API. */
const otherMeanings = ['protectedApiKey']

const toWords = (identifier: string): string =>
  identifier
    .replaceAll(/([a-z\d])([A-Z])|([A-Z])(?=[A-Z][a-z])/g, '$1$3 $2')
    .replaceAll('O Auth', 'OAuth')
    .toLowerCase()

/** The exported names of a source that are not in the words of the glossary. */
const findWrongNames = (file: string, source: string): readonly string[] =>
  [...source.matchAll(/^export (?:async )?(?:const|function\*?|class|type|interface) (\w+)/gm)]
    .map(([, name = '']) => name)
    .filter((name) => {
      const words = toWords(name)
      const isAtHome = (folders: readonly string[]) => folders.some((folder) => file.startsWith(folder))
      const isAway = Object.entries(homes).some(
        ([word, folders]) => toPattern([word]).test(words) && !isAtHome(folders),
      )
      return (
        ![...wireNames, ...otherMeanings].includes(name) &&
        (isAway || findSynonyms(words, 'in code').length > 0)
      )
    })

describe('the names of exports', () => {
  const sources = globSync(['lib/**/*.ts', 'functions/**/*.ts', 'web/**/*.{ts,tsx}'], {
    exclude: ['lib/client/generated/**'],
  })

  it('use the words of the glossary', () => {
    expect(sources.length).toBeGreaterThan(500)
    const wrong = sources.flatMap((file) =>
      findWrongNames(file, readFileSync(file, 'utf8')).map((name) => `${file}: ${name}`),
    )
    expect(wrong).toEqual([])
  })

  it.each([
    ['lib/features/access-links/records.ts', 'findAccessToken', ['findAccessToken']],
    ['lib/features/access-links/models.ts', 'OneTimeAccessToken', []],
    ['lib/features/oauth/tokens/sign-tokens.ts', 'signAccessToken', []],
    ['lib/features/oauth/clients.records.ts', 'OidcClient', ['OidcClient']],
    ['lib/features/oauth/grants.records.ts', 'oidcGrantKey', ['oidcGrantKey']],
    ['lib/features/connections/oidc/fields.ts', 'toOidcBody', []],
    ['lib/features/connections/oidc/fields.ts', 'openUpstream', ['openUpstream']],
    ['web/account/page.tsx', 'SharedLink', ['SharedLink']],
  ])('in %s, %s is found', (file, name, found) => {
    expect(findWrongNames(file, `export const ${name} = 1`)).toEqual(found)
  })
})

describe('words that the glossary replaces', () => {
  it.each(documents)('are not in %s', (path) => {
    expect(findSynonyms(toProse(readFileSync(path, 'utf8')), 'in docs')).toEqual([])
  })

  it('are not in the texts of operations and models', () => {
    const texts = listDescriptions(buildOpenApi(operations))
    expect(texts.length).toBeGreaterThan(1000)
    expect(texts.filter((text) => findSynonyms(toProse(text), 'in docs').length > 0)).toEqual([])
  })

  it.each(Object.entries({ mail, plainPages, account, console, pages }))(
    'are not in the English texts of %s',
    (_, catalogue) => {
      const texts = listTexts(catalogue)
      expect(texts.length).toBeGreaterThan(50)
      expect(texts.filter((text) => findSynonyms(toProse(text), 'on pages').length > 0)).toEqual([])
    },
  )

  it.each([
    ['the relying party', 'in docs', ['relying party']],
    ['an App of the user', 'in docs', ['App']],
    ['an authenticator app', 'in docs', []],
    ['shared links', 'on pages', ['shared links']],
    ['every client', 'on pages', ['client']],
    ['the client ID', 'on pages', []],
  ])('are found in %j %s', (text, place, found) => {
    expect(findSynonyms(text, place)).toEqual(found)
  })
})
