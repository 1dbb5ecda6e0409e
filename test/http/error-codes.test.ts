import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { problemKinds } from '../../lib/http/problem.ts'

it('the README lists the error codes as they are', () => {
  const section = readFileSync('README.md', 'utf8').split('## Error codes')[1]?.split('\n## ')[0] ?? ''
  const rows = [...section.matchAll(/^\| (\d+) \| `([^`]+)` \| (.+) \|$/gm)]
  expect(rows.map(([, status, code, detail]) => ({ status: Number(status), code, detail }))).toEqual(
    Object.entries(problemKinds).map(([code, { status, detail }]) => ({ status, code, detail })),
  )
})
