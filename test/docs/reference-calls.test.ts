import { expect, it } from 'vitest'
import { operations } from '../../lib/features/operations.ts'
import { listCalls } from './reference-calls.ts'

/* What the reference shows for each operation. The types of the calls in TypeScript are checked with the code blocks of the guides. */

const ids = operations.map(({ id }) => id).toSorted()

it.each(['curl', 'typescript', 'python'])('shows a call of each operation in %s', (language) => {
  expect([...listCalls(language).keys()].toSorted()).toEqual(ids)
})

it('shows the same call in each language', () => {
  const [curl, script, python] = ['curl', 'typescript', 'python'].map((name) =>
    listCalls(name).get('patch_user'),
  )
  expect(curl).toMatch(/^curl 'https?:\/\/\S+\/api\/2\/users\/7' \\\n {2}-X PATCH/)
  expect(script).toMatch(/await latchkey\.users\.patchUser\(7, \{/)
  expect(python).toMatch(
    /^import requests\n\nresponse = requests\.patch\(\n {4}"https?:\/\/\S+\/api\/2\/users\/7",/,
  )
  for (const text of [curl, script, python]) expect(text).toContain('YOUR_CREDENTIAL')
})
