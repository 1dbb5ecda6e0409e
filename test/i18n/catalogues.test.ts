import { globSync, readFileSync } from 'node:fs'
import { IntlMessageFormat } from 'intl-messageformat'
import { describe, expect, it } from 'vitest'
import { readCatalogues } from '../../build/pages/read-catalogues.ts'
import { consoleLanguages, type Language, languages } from '../../lib/kernel/i18n/languages.ts'
import type { Catalogue } from '../../lib/kernel/i18n/messages.ts'
import { en as accountMessages } from '../../web/messages/account/en.ts'
import { en as consoleMessages } from '../../web/messages/console/en.ts'
import { en as publicMessages } from '../../web/messages/public/en.ts'

/*
 * The compiler sees missing messages. This file sees what it cannot: placeholders that a translation lost, and characters
 * that have another meaning in ICU messages.
 */

/** Reads the messages of a folder that has one catalogue for each language. */
const readFolder = async (folder: string) => {
  const read = async (language: Language): Promise<readonly [Language, Catalogue]> => {
    const module = await import(
      new URL(`../../lib/features/${folder}/messages/${language}.ts`, import.meta.url).href
    )
    return [language, module[language]]
  }
  return new Map(await Promise.all(languages.map(read)))
}

const ofPages = await readCatalogues()
const partsOfAll = [accountMessages, publicMessages].flatMap((area) => Object.keys(area))
const consoleParts = Object.keys(consoleMessages)
const readParts = (parts: readonly string[], inLanguages: readonly Language[]) =>
  parts.map(
    (part) =>
      [part, new Map(inLanguages.map((language) => [language, catalogueOf(language, part)]))] as const,
  )
const catalogueOf = (language: Language, part: string) =>
  new Map<string, Catalogue>(Object.entries(ofPages[language])).get(part) ?? {}
const catalogues: readonly (readonly [string, ReadonlyMap<Language, Catalogue>])[] = [
  ['plain-pages', await readFolder('pages/plain')],
  ['mail', await readFolder('mail')],
  ...readParts(partsOfAll, languages),
  ...readParts(consoleParts, consoleLanguages),
]

type Elements = ReturnType<IntlMessageFormat['getAst']>

/** The names of all placeholders, also in the branches of plurals. */
const placeholdersOf = (elements: Elements): readonly string[] =>
  elements.flatMap((element) => {
    // Literal text and the number sign of a plural have no name.
    if (element.type === 0 || element.type === 7) return []
    const inner = 'options' in element ? Object.values(element.options).flatMap(({ value }) => value) : []
    return [element.value, ...placeholdersOf(inner)]
  })

/** The branches of each plural. */
const pluralsOf = (elements: Elements): readonly (readonly string[])[] =>
  elements.flatMap((element) => {
    if (!('options' in element)) return []
    const inner = Object.values(element.options).flatMap(({ value }) => pluralsOf(value))
    return element.type === 6 ? [Object.keys(element.options), ...inner] : inner
  })

/** The forms of whole numbers that a plural lacks. */
const missingIn = (branches: readonly string[], language: Language): readonly string[] => {
  const rules = new Intl.PluralRules(language)
  const counts = Array.from({ length: 201 }, (_, count) => count)
  const needed = counts.filter((count) => !branches.includes(`=${count}`)).map((count) => rules.select(count))
  return [...new Set(needed)].filter((form) => !branches.includes(form))
}

const parse = (text: string, language: Language): Elements =>
  new IntlMessageFormat(text, language, undefined, { ignoreTag: true }).getAst()

const namesOf = (text: string, language: Language): readonly string[] =>
  [...new Set(placeholdersOf(parse(text, language)))].sort()

it('has each part of the pages in one area and in all of its languages', () => {
  const all = [...partsOfAll, ...consoleParts]
  expect(all.length).toBeGreaterThan(20)
  expect(new Set(all).size).toBe(all.length)
  for (const language of languages)
    expect(Object.keys(ofPages[language]).sort()).toEqual(
      (consoleLanguages.some((one) => one === language) ? all : partsOfAll).toSorted(),
    )
})

describe.each(catalogues)('%s', (_, byLanguage) => {
  it.each([...byLanguage.keys()])(
    'has valid messages in %s with the placeholders of the English ones',
    (language) => {
      const english = byLanguage.get('en') ?? {}
      const messages = byLanguage.get(language) ?? {}
      expect(Object.keys(english)).not.toEqual([])
      expect(Object.keys(messages).sort()).toEqual(Object.keys(english).sort())
      for (const [name, text] of Object.entries(messages)) {
        expect.soft(namesOf(text, language), name).toEqual(namesOf(english[name] ?? '', 'en'))
        expect
          .soft(
            pluralsOf(parse(text, language)).flatMap((one) => missingIn(one, language)),
            name,
          )
          .toEqual([])
        expect.soft(text.trim(), name).toBe(text)
        expect.soft(text, name).not.toBe('')
        // In ICU messages, a straight apostrophe before a brace hides the placeholder.
        expect.soft(text, name).not.toContain("'")
        // The pages have no parser for skeletons.
        expect.soft(text, name).not.toMatch(/,\s*::/)
      }
    },
  )
})

/** Messages whose names are made of names of the API or of files, so that no script has them in full. */
const looked: Readonly<Record<string, RegExp>> = {
  titles: /./,
  start: /./,
  reasons: /./,
  events: /./,
  sentences: /./,
  acts: /./,
  audit: /^(signIns|accounts|access|service)$/,
  confirm: /^(incomplete|used)$/,
  secure: /^(incomplete|used)$/,
  connectionTests: /Advice$/,
  health: /^(table|vault|mail)$/,
  console: /^(access|service)$/,
}

/** Declarations outside of the pages that name messages of a part, for its scripts to show. */
const declared: Readonly<Record<string, string>> = {
  oidcConnections: 'lib/features/connections/public-providers.models.ts',
  holdings: 'lib/features/leavers/models.ts',
}

it('names each message in a script that uses its part', () => {
  const files = globSync('web/**/*.{ts,tsx}').filter((path) => !path.startsWith('web/messages/'))
  const scripts = files.map((path) => readFileSync(path, 'utf8'))
  const unused = Object.entries(ofPages.en).flatMap(([part, messages]) => {
    // All scripts can import the function of the kit.
    const users =
      part === 'kit' ? [...scripts] : scripts.filter((text) => text.includes(`messagesOf('${part}')`))
    if (declared[part]) users.push(readFileSync(declared[part], 'utf8'))
    const names = Object.keys(messages).filter((name) => !users.some((text) => text.includes(`'${name}'`)))
    return names.filter((name) => !looked[part]?.test(name)).map((name) => `${part}.${name}`)
  })
  expect(unused).toEqual([])
})

it('titles of pages need no library: filling in the product gives the ICU message', () => {
  const product = "L'Étagère {x}"
  for (const language of languages)
    for (const [name, text] of Object.entries(ofPages[language].titles))
      expect(
        text.replace('{product}', () => product),
        `${language} ${name}`,
      ).toBe(new IntlMessageFormat(text, language, undefined, { ignoreTag: true }).format({ product }))
})
