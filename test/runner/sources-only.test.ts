import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { sourcesOnly } from './sources-only.ts'

it.each(Object.entries(sourcesOnly))('%s still depends on how handlers run', (path, { dependsOn }) => {
  expect(readFileSync(path, 'utf8')).toMatch(dependsOn)
})
