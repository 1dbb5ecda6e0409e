import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { app } from '../../../lib/features/pages/app-build.prebuilt.ts'
import { nameMessageFile } from '../../../lib/kernel/i18n/languages.ts'

const { preload = '', script, imports } = app.pages.admin
const files: readonly (readonly [name: string, files: readonly string[]])[] = JSON.parse(
  /new Map\((.*)\)/.exec(app.assets.scripts[preload] ?? '')?.[1] ?? '[]',
)

it('knows the files of all sections of the console', () => {
  const source = readFileSync('web/admin/sections.ts', 'utf8')
  const sections = [...source.matchAll(/^ {4}name: '([\w-]+)'/gm)].map(([, name]) => name)
  expect(sections.length).toBeGreaterThan(10)
  expect(files.map(([name]) => name).toSorted()).toEqual(sections.toSorted())
})

it('loads files that exist, and none that the page loads anyway', () => {
  const names = new Set(files.flatMap(([, list]) => list))
  const messages = Object.keys(app.assets.messages['en'] ?? {}).map(nameMessageFile)
  const missing = [...names].filter((name) => !app.assets.scripts[name] && !messages.includes(name))
  expect(missing).toEqual([])
  expect([script, ...imports].filter((name) => names.has(name))).toEqual([])
})

it('has one file for what the console and its sections share', () => {
  expect(imports).toHaveLength(1)
})
