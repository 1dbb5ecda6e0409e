import { globSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { IntlMessageFormat } from 'intl-messageformat'
import { describe, expect, it } from 'vitest'
import { type Language, languages } from '../../lib/i18n/languages.ts'

/*
 * The compiler sees missing messages. This file sees what it cannot: placeholders that a translation lost, and characters
 * that have another meaning in ICU messages.
 */

const folders = globSync('{lib,functions,web}/**/messages/en.ts').map(dirname).sort()

const readCatalogue = async (folder: string, language: Language): Promise<Record<string, string>> => {
  const module = await import(resolve(join(folder, `${language}.ts`)))
  return module[language]
}

type Elements = ReturnType<IntlMessageFormat['getAst']>

/** The names of all placeholders, also in the branches of plurals. */
const placeholdersOf = (elements: Elements): readonly string[] =>
  elements.flatMap((element) => {
    // Literal text and the number sign of a plural have no name.
    if (element.type === 0 || element.type === 7) return []
    const inner = 'options' in element ? Object.values(element.options).flatMap(({ value }) => value) : []
    return [element.value, ...placeholdersOf(inner)]
  })

const parse = (text: string, language: Language): Elements =>
  new IntlMessageFormat(text, language, undefined, { ignoreTag: true }).getAst()

const namesOf = (text: string, language: Language): readonly string[] =>
  [...new Set(placeholdersOf(parse(text, language)))].sort()

it('finds the catalogues', () => {
  expect(folders).toContain('web/kit/messages')
})

describe.each(folders)('%s', (folder) => {
  it.each(languages)(
    'has valid messages in %s with the placeholders of the English ones',
    async (language) => {
      const english = await readCatalogue(folder, 'en')
      const messages = await readCatalogue(folder, language)
      expect(Object.keys(messages).sort()).toEqual(Object.keys(english).sort())
      for (const [name, text] of Object.entries(messages)) {
        expect.soft(namesOf(text, language), name).toEqual(namesOf(english[name] ?? '', 'en'))
        expect.soft(text.trim(), name).toBe(text)
        expect.soft(text, name).not.toBe('')
        // In ICU messages, a straight apostrophe before a brace hides the placeholder.
        expect.soft(text, name).not.toContain("'")
      }
    },
  )
})
