import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Copy, copyProject, stepsOf } from './carry-out.ts'

const proof = 'new-setting.ts'
/** What fails for a setting that is incomplete. */
const suite = [
  'test/infra/settings.test.ts',
  'test/infra/read-settings.test.ts',
  'test/local/settings.test.ts',
  'test/local/start-arguments.test.ts',
  'test/docs/reference.test.ts',
  'test/architecture.test.ts',
]
/** A program that compiles only if the construct and the configuration have the setting. */
const program = `
import { type AuthServiceProps, buildEnvironment } from './infra/settings/auth-service-props.ts'
import { readSettings } from './infra/settings/read-settings.ts'
import { readConfig } from './lib/settings/config.ts'
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

let copy: Copy
beforeAll(() => {
  copy = copyProject([proof])
  for (const block of stepsOf('Add a setting')) copy.apply(block)
})
afterAll(() => copy.remove())

describe('the step to add a setting', () => {
  it('changes a single file', () => {
    expect(copy.listChanges('a new setting')).toEqual(['lib/settings/service-settings.ts'])
  })

  it('gives a setting to functions, the stack, stages, local mode and the runner', async () => {
    copy.write(proof, program)
    await copy.checkTypes()
    expect(JSON.parse(await copy.run('node', proof))).toEqual({
      inFunction: false,
      byDefault: true,
      inStage: false,
      inLocalMode: true,
      problems: [
        'The context has the unknown setting "suggestPasskey". Did you mean suggestPasskeys?',
        'suggestPasskeys must be true or false.',
      ],
    })
  })

  it('describes it in the reference and in the help', async () => {
    await copy.run('node', 'build/docs/write.ts')
    const page = copy.read('docs/reference/settings.md')
    expect(page).toContain('| `suggestPasskeys` | `SUGGEST_PASSKEYS` | true or false | `true` | Whether the')
    expect(await copy.run('node', 'cli/latchkey.ts', 'start', '--help')).toContain('SUGGEST_PASSKEYS')
  })

  it('passes the tests that it can break', async () => {
    await copy.run('vitest', 'run', ...suite)
  }, 300_000)
})
