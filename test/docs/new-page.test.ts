import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Language, languages } from '../../lib/i18n/languages.ts'
import { type Copy, copyProject, stepsOf } from './carry-out.ts'
import type { Block } from './markdown.ts'

const proof = 'new-page.ts'
const newTest = 'test/browser/guide.test.ts'
const toCatalogue = (language: Language): string => `web/messages/console/${language}.ts`
const catalogues = languages.map(toCatalogue)

const steps = stepsOf('Add a page of the console')
const isForEnglish = ({ options }: Block): boolean => options.get('into') === toCatalogue('en')

/** The same step for the catalogue of another language, with the English text. */
const inLanguage = (step: Block, language: Language): Block => {
  const start = language === 'en' ? 'const en =' : `const ${language}: Translations<typeof en> =`
  const after = (step.options.get('after') ?? '').replace('const en =', start)
  return { ...step, options: new Map([...step.options, ['into', toCatalogue(language)], ['after', after]]) }
}

/** What fails without a browser for a page that is incomplete. */
const suite = [
  'test/i18n',
  'test/architecture.test.ts',
  'test/text-indexes.test.ts',
  'test/build/pages',
  'test/functions/pages.test.ts',
]
/** A program that prints the languages of the page, its scripts, and those that load with the console. */
const program = `
import { buildApp } from './build/pages/build-app.ts'
import { readCatalogues } from './build/pages/read-catalogues.ts'

const { pages, scripts } = buildApp(await readCatalogues())
const names = Object.keys(scripts)
const messages = names.filter((name) => name.startsWith('messages-guide-')).map((name) => name.split('-')[2])
const own = names.filter((name) => scripts[name].includes('("guide")'))
process.stdout.write(JSON.stringify({ messages, own, atStart: [pages.admin.script, ...pages.admin.imports] }))
`

let copy: Copy
beforeAll(() => {
  copy = copyProject(['lib', newTest])
})
afterAll(() => copy.remove())

describe('the steps to add a page of the console', () => {
  it('fail to compile without the messages of a language', async () => {
    for (const step of steps) {
      if (!isForEnglish(step)) copy.apply(step)
      else for (const language of languages.slice(0, -1)) copy.apply(inLanguage(step, language))
    }
    await expect(copy.run('tsc', '-p', 'web')).rejects.toThrow(catalogues.at(-1))
  })

  it('change at most 4 files, and the catalogue of each language', () => {
    for (const step of steps.filter(isForEnglish))
      for (const language of languages.slice(-1)) copy.apply(inLanguage(step, language))
    const changes = copy.listChanges(`a new page, with ${languages.length} catalogues`)
    const others = changes.filter((path) => !catalogues.includes(path))
    expect(changes).toEqual(expect.arrayContaining(catalogues))
    expect(others.length).toBeLessThanOrEqual(4)
    expect(others.sort()).toEqual([newTest, 'web/admin/guide/section.tsx', 'web/admin/sections.ts'])
  })

  it('give a page that compiles, has all languages, and loads on demand', async () => {
    await copy.run('tsc', '-p', 'web')
    await copy.checkTypes()
    copy.write(proof, program)
    const { messages, own, atStart } = JSON.parse(await copy.run('node', proof))
    expect(messages.sort()).toEqual(languages.toSorted())
    expect(own).toHaveLength(1)
    expect(atStart).not.toContain(own[0])
  }, 300_000)

  it('pass the tests that it can break', async () => {
    await copy.run('vitest', 'run', ...suite)
  }, 300_000)
})
