import { readFileSync } from 'node:fs'
import { afterAll, expect, it } from 'vitest'
import { copyProject, stepsOf } from './carry-out.ts'
import type { Block } from './markdown.ts'

/*
 * Adds GitLab to a copy of the project, as docs/contributing.md describes it, and signs people in with it. It fails if a provider needs a change of
 * the code that all providers share, or if one without a row compiles.
 */

const walk = 'test/connections/gitlab.test.ts'
const declaration = 'lib/features/connections/public-providers.models.ts'
const rows = 'lib/features/connections/oidc/providers/rows.ts'
const row = 'lib/features/connections/oidc/providers/gitlab.ts'

const steps = stepsOf('Add a provider')
const [name, ...others] = steps
const copy = copyProject(['lib/features/connections', walk])
afterAll(() => copy.remove())

const checkTypes = async (): Promise<string> =>
  String(await copy.checkTypes().catch((error: unknown) => error))

it('adds a provider by its declaration, its row, and the list of rows', async () => {
  if (name) copy.apply(name)
  // Its name alone does not compile: nothing about it has a default.
  const undeclared = await checkTypes()
  expect(undeclared).toContain(declaration)
  const isOfRows = ({ options }: Block) => options.get('into') === rows
  for (const step of others.filter((step) => !isOfRows(step))) copy.apply(step)
  const whole = copy.read(row)
  copy.write(row, whole.replace(/ProviderRow = \{[\s\S]*/, 'ProviderRow = {}\n'))
  const unlisted = await checkTypes()
  expect(unlisted).toContain(rows)
  // Each property is required: TypeScript names four that are missing, and counts the others.
  const properties = [...whole.matchAll(/^ {2}(\w+):/gm)]
  expect(properties.length).toBeGreaterThan(15)
  expect(unlisted).toContain(`and ${properties.length - 4} more`)
  copy.write(row, whole)
  for (const step of others.filter(isOfRows)) copy.apply(step)
  expect(copy.listChanges().toSorted()).toEqual([declaration, row, rows].sort())
  copy.write(walk, readFileSync('test/docs/gitlab/walk.ts', 'utf8'))
  await copy.checkTypes()
}, 600_000)

it('shows the new provider on the pages without a change of theirs', async () => {
  await copy.run('node', 'build/client/write-client.ts')
  await copy.run('tsc', '-p', 'web')
}, 300_000)

it('signs people in with the new provider, and refuses what attackers try', async () => {
  await copy.run('vitest', 'run', '--project', 'unit', walk, 'test/connections/provider-rows.test.ts')
}, 300_000)
