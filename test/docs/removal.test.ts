import { afterAll, expect, it } from 'vitest'
import { listSources, readImports } from '../support/import-graph.ts'
import { copyProject } from './carry-out.ts'

/*
 * A feature says in its own files what it does for others, and stands in the lists that its callers read. So it can be taken out: in one
 * copy of the project without three features and their rows, types hold, and a person signs up, signs in, is merged and deleted.
 */

const removed = ['tickets', 'proof-of-work', 'remembered-devices']
/** Where else they have rows, and by which names: the kinds of their credentials, and the group of their operations. */
const rows: Readonly<Record<string, readonly string[]>> = {
  'lib/kernel/util/credential-prefixes.ts': ['auth_ticket', 'remembered_device'],
  'lib/features/leaked-credentials/holdings.records.ts': ['auth_ticket', 'remembered_device'],
  'lib/features/leavers/models.ts': ['auth_ticket', 'remembered_device'],
  'lib/features/everything.ts': ['auth_ticket'],
  'lib/kernel/contract/group.ts': ['tickets'],
  'lib/open-api/tag-texts.ts': ['tickets'],
  'lib/open-api/build-open-api.ts': ['tickets'],
  'infra/grants/grants.ts': ['tickets'],
}

const isRemoved = (path: string): boolean =>
  removed.some(
    (feature) => path.startsWith(`lib/features/${feature}/`) || path.startsWith(`functions/${feature}/`),
  )

/** The files outside of these features that import them. */
const lists = [
  ...new Set(
    readImports(['lib', 'functions', 'local', 'cli', 'infra', 'web'].flatMap(listSources))
      .filter(({ from, to }) => isRemoved(to) && !isRemoved(from))
      .map(({ from }) => from),
  ),
].sort()

/** Takes the imports of these features out of a list, and what stands there by their names. */
const removeImports = (text: string): string => {
  const found = new RegExp(`^import [^;']*?'[^']*/(?:${removed.join('|')})/[^']*'\\n`, 'gm')
  const names = [...text.matchAll(found)].flatMap(([line]) =>
    [...(/^import (.*) from/s.exec(line)?.[1] ?? '').matchAll(/(\w+)(?=\s*[,}]|$)/g)].map(([name]) => name),
  )
  return names.reduce(
    (rest, name) =>
      rest
        .replaceAll(new RegExp(`\\n *(?:\\.{3})?(?:\\w+: )?${name}(?:\\.\\w+)?,(?=\\n)`, 'g'), '')
        .replaceAll(new RegExp(`, \\.{3}${name}\\b`, 'g'), '')
        .replaceAll(`[${name}]`, '[]'),
    text.replaceAll(found, ''),
  )
}

/** Takes rows out of an object, whether they have one line or several, and names out of a list. */
const removeRows = (text: string, names: readonly string[]): string =>
  names.reduce(
    (rest, name) =>
      rest
        .replace(new RegExp(`\\n  ${name}: (?:\\{\\n[\\s\\S]*?\\n  \\}|[^\\n]*),(?=\\n)`), '')
        .replace(new RegExp(` '${name}',`), ''),
    text,
  )

const copy = copyProject(['functions', 'lib', 'local', 'cli', 'test/journeys/account-life.test.ts'])
afterAll(copy.remove)

it('knows three features in lists alone', () => {
  expect(lists).toEqual([
    'functions/sessions/index.ts',
    'lib/features/account-ends.ts',
    'lib/features/account-merges.ts',
    'lib/features/everything.ts',
    'lib/features/factor-memories.ts',
    'lib/features/leaks.ts',
    'lib/features/models.ts',
    'lib/features/network-proofs.ts',
    'lib/features/operations.ts',
    'lib/features/sign-in-returns.ts',
  ])
})

it('holds its types and the life of an account without them', async () => {
  for (const feature of removed) copy.removeFolder(`lib/features/${feature}`)
  copy.removeFolder('functions/tickets')
  for (const file of lists) copy.write(file, removeImports(copy.read(file)))
  for (const [file, names] of Object.entries(rows)) copy.write(file, removeRows(copy.read(file), names))
  await copy.checkTypes()
  const output = await copy.run('vitest', 'run', 'test/journeys/account-life.test.ts')
  expect(output).toContain('1 passed')
}, 300_000)
