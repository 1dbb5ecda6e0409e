import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { consoleLanguages as languages } from '../../lib/kernel/i18n/languages.ts'
import { copyProject, stepsOf } from './carry-out.ts'
import type { Block } from './markdown.ts'

/*
 * Carries out the steps of docs/contributing.md in one copy of the project, each kind of addition on its own: what it changes is
 * counted. What they can break is proven once, with all of them in place.
 */

const newTests = {
  operation: 'test/directory/own-detail.test.ts',
  page: 'test/browser/guide.test.ts',
  storedField: 'test/sign-in/session-language.test.ts',
  editedField: 'test/organizations/organization-note.test.ts',
}
const proofs = { setting: 'new-setting.ts', page: 'new-page.ts' }

const toCatalogue = (language: string): string => `web/messages/console/${language}.ts`
const catalogues = languages.map(toCatalogue)
const isForEnglish = ({ options }: Block): boolean => options.get('into') === toCatalogue('en')

/** The same step for the catalogue of another language, with the English text. */
const inLanguage = (step: Block, language: string): Block => {
  const start = language === 'en' ? 'const en =' : `const ${language}: Translations<typeof en> =`
  const after = (step.options.get('after') ?? '').replace('const en =', start)
  return { ...step, options: new Map([...step.options, ['into', toCatalogue(language)], ['after', after]]) }
}

const inAllLanguages = (steps: readonly Block[]): readonly Block[] =>
  steps.flatMap((step) =>
    isForEnglish(step) ? languages.map((language) => inLanguage(step, language)) : [step],
  )

/** An addition: its steps, and those without which the project must not compile. */
interface Addition {
  readonly steps: readonly Block[]
  readonly isLast: (step: Block, index: number) => boolean
}

const placeOf = ({ options }: Block): string => options.get('file') ?? options.get('into') ?? ''
const isLastLanguage = (step: Block): boolean => placeOf(step) === catalogues.at(-1)
const additions = {
  setting: { steps: stepsOf('Add a setting'), isLast: () => false },
  operation: { steps: stepsOf('Add an operation'), isLast: (_, index) => index >= 2 },
  'stored field': { steps: stepsOf('Add a stored field'), isLast: (_, index) => index === 0 },
  'edited field': {
    steps: inAllLanguages(stepsOf('Add a field that the console edits')),
    isLast: isLastLanguage,
  },
  page: { steps: inAllLanguages(stepsOf('Add a page of the console')), isLast: isLastLanguage },
} as const satisfies Readonly<Record<string, Addition>>
const all: readonly Addition[] = Object.values(additions)
const applySteps = (isWanted: (step: Block, index: number, addition: Addition) => boolean): void => {
  for (const addition of all)
    for (const [index, step] of addition.steps.entries())
      if (isWanted(step, index, addition)) copy.apply(step)
}
const filesOf = ({ steps }: Addition): readonly string[] => [...new Set(steps.map(placeOf))].sort()

/** What fails for an addition that is incomplete, except in a browser. */
const suites = [
  'test/architecture.test.ts',
  'test/text-indexes.test.ts',
  'test/docs/reference.test.ts',
  // An operation.
  newTests.operation,
  'test/pages/open-api.test.ts',
  'test/contract/',
  'test/typed-client/contents.test.ts',
  'test/local/routes.test.ts',
  // A stored field.
  newTests.storedField,
  'test/table/codec.test.ts',
  // A field that the console edits.
  newTests.editedField,
  'test/organizations/organizations.test.ts',
  'test/attacks/field-rights.test.ts',
  // A setting.
  'test/infra/settings.test.ts',
  'test/infra/read-settings.test.ts',
  'test/local/settings.test.ts',
  'test/local/start-arguments.test.ts',
  // A page.
  'test/i18n',
  'test/build/pages/build-pages.test.ts',
  'test/build/pages/sign-in-size.test.ts',
]

/** What tries each operation in turn: the new one is enough, and what concerns all. */
const suitesByOperation = ['test/attacks/access-matrix.test.ts', 'test/journeys/roles.test.ts']

/** A program that compiles only if the construct and the configuration have the setting. */
const settingProgram = `
import { type AuthServiceProps, buildEnvironment } from './infra/settings/auth-service-props.ts'
import { readSettings } from './infra/settings/read-settings.ts'
import { readConfig } from './lib/kernel/settings/config.ts'
import { localVariables } from './local/settings.ts'
import { assertDeployable } from './test/runner/deployable-settings.ts'

const places = { tableName: 'table', publicUrl: 'https://auth.example.com' }
const props: AuthServiceProps = { suggestPasskeys: false }
const environment = buildEnvironment(props, places)
assertDeployable(environment)
const inFunction: boolean = readConfig(environment).suggestPasskeys
const byDefault: boolean = readConfig(buildEnvironment({}, places)).suggestPasskeys
const inStage = readSettings({ suggestPasskeys: 'false' }, 'none').props.suggestPasskeys
const { problems } = readSettings({ suggestPasskeys: 'no', suggestPasskey: 'no' }, 'none')
const inLocalMode = localVariables.includes('SUGGEST_PASSKEYS')
process.stdout.write(JSON.stringify({ inFunction, byDefault, inStage, inLocalMode, problems }))
`

/** A program that prints the languages of the page, its scripts, and those that load with the console. */
const pageProgram = `
import { buildApp } from './build/pages/build-app.ts'
import { readCatalogues } from './build/pages/read-catalogues.ts'

const { pages, assets: { scripts, messages: byLanguage } } = buildApp(await readCatalogues())
const messages = Object.keys(byLanguage).filter((language) => 'guide' in byLanguage[language])
const own = Object.keys(scripts).filter((name) => scripts[name].includes('("guide")'))
process.stdout.write(JSON.stringify({ messages, own, atStart: [pages.admin.script, ...pages.admin.imports] }))
`

const copy = copyProject(['lib', 'functions/users', ...Object.values(newTests), proofs.setting])
afterAll(() => copy.remove())

/** Checking the types of a copy takes minutes on a busy machine. */
const timeout = 300_000

describe('what docs/contributing.md adds step by step', () => {
  beforeAll(() => {
    copy.write(proofs.setting, settingProgram)
    copy.write(proofs.page, pageProgram)
  })

  it('does not compile without the use case, the record, or the messages of a language', {
    timeout,
  }, async () => {
    applySteps((step, index, { isLast }) => !isLast(step, index))
    const failure: unknown = await copy.checkTypes().catch((error: unknown) => error)
    expect(String(failure)).toContain('functions/users/index.ts')
    expect(String(failure)).toContain(newTests.storedField)
    await expect(copy.run('tsc', '-p', 'web')).rejects.toThrow(catalogues.at(-1))
  })

  it('changes few files by hand', () => {
    applySteps((step, index, { isLast }) => isLast(step, index))
    for (const [name, addition] of Object.entries(additions))
      process.stdout.write(`files to change for a new ${name}: ${filesOf(addition).length}\n`)
    expect(filesOf(additions.setting)).toEqual(['lib/kernel/settings/service-settings.ts'])
    expect(filesOf(additions.operation)).toEqual([
      'lib/features/directory/users/one-user.use-cases.ts',
      'lib/features/directory/users/users.operations.ts',
      newTests.operation,
    ])
    expect(filesOf(additions['stored field'])).toEqual([
      'lib/accounts/sessions/session-rules.ts',
      'lib/accounts/sessions/stored-session.records.ts',
      newTests.storedField,
    ])
    expect(filesOf(additions['edited field'])).toEqual(
      [
        'lib/features/organizations/models.ts',
        'web/admin/organizations/new-organization.tsx',
        'test/attacks/field-rights.test.ts',
        newTests.editedField,
        ...catalogues,
      ].sort(),
    )
    expect(filesOf(additions.page)).toEqual(
      [newTests.page, 'web/admin/guide/section.tsx', 'web/admin/sections.ts', ...catalogues].sort(),
    )
    expect(copy.listChanges().toSorted()).toEqual([...new Set(all.flatMap(filesOf))].sort())
  })

  it('changes the reference and the help, which are generated', async () => {
    await copy.run('node', 'build/client/write-client.ts')
    await copy.run('node', 'build/docs/write.ts')
    const byHand = all.flatMap(filesOf)
    const generated = copy
      .listChanges()
      .filter((path) => !byHand.includes(path) && !path.startsWith('lib/client/generated/'))
    expect(generated.sort()).toEqual([
      'docs/pictures/operations.svg',
      'docs/reference/interface.json',
      'docs/reference/operations.md',
      'docs/reference/scopes.md',
      'docs/reference/settings.md',
    ])
    expect(copy.read('docs/reference/operations.md')).toContain('### get_own_detail')
    const settings = copy.read('docs/reference/settings.md')
    expect(settings).toContain(
      '| `suggestPasskeys` | `SUGGEST_PASSKEYS` | true or false | `true` | Whether the',
    )
    expect(await copy.run('node', 'cli/latchkey.ts', 'start', '--help')).toContain('SUGGEST_PASSKEYS')
  })

  it('compiles', { timeout }, async () => {
    await Promise.all([copy.checkTypes(), copy.run('tsc', '-p', 'web')])
  })

  it('gives a setting to functions, the stack, stages, local mode and the runner', async () => {
    expect(JSON.parse(await copy.run('node', proofs.setting))).toEqual({
      inFunction: false,
      byDefault: true,
      inStage: false,
      inLocalMode: true,
      problems: [
        '"suggestPasskey" is not a setting of the context. Did you mean suggestPasskeys?',
        'suggestPasskeys must be true or false.',
      ],
    })
  })

  it('gives a page that has all languages, and loads on demand', async () => {
    const { messages, own, atStart } = JSON.parse(await copy.run('node', proofs.page))
    expect(messages.sort()).toEqual(languages.toSorted())
    expect(own).toHaveLength(1)
    expect(atStart).not.toContain(own[0])
  })

  it('passes the tests that it can break', async () => {
    await copy.run('vitest', 'run', ...suites)
    const concerned = 'get_own_detail|exist$|reviewed interface$|unless the operation'
    const output = await copy.run(
      'vitest',
      'run',
      '--reporter',
      'verbose',
      '-t',
      concerned,
      ...suitesByOperation,
    )
    expect(output).toContain('get_own_detail allows exactly')
  }, 600_000)
})
