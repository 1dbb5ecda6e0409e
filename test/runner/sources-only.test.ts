import { existsSync, readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { deployedFiles } from './deployed-files.ts'
import { sourcesOnly } from './sources-only.ts'

it.each(Object.entries(sourcesOnly))('%s still depends on how handlers run', (path, { dependsOn }) => {
  expect(readFileSync(path, 'utf8')).toMatch(dependsOn)
})

it('the files that always run on what is deployed exist, and can run there', () => {
  const files = deployedFiles.filter((path) => !path.includes('*'))
  expect(files.length).toBeGreaterThan(40)
  expect(files.filter((path) => !existsSync(path) || Object.hasOwn(sourcesOnly, path))).toEqual([])
})
