import { gzipSync } from 'node:zlib'
import { expect, it } from 'vitest'
import { app } from '../../../lib/features/pages/app-build.prebuilt.ts'
import { languages } from '../../../lib/kernel/i18n/languages.ts'

/** Kilobytes of script and style of the sign-in page, with gzip. */
const limit = 48

const sizeOf = (text = ''): number => gzipSync(text).length / 1024

it.each(languages)('the sign-in page in %s has at most 48 KB of script and style', (language) => {
  const { assets, pages } = app
  const messages = assets.publicScript.parts.map((part) => assets.messages[language]?.[part])
  const script = messages.join('') + assets.scripts[pages.signIn.script]
  const size = sizeOf(script) + sizeOf(assets.stylesheets[pages.signIn.stylesheet])
  process.stdout.write(`Sign-in page, ${language}: ${size.toFixed(1)} KB\n`)
  expect(size).toBeGreaterThan(5)
  expect(size).toBeLessThanOrEqual(limit)
})

it('is a page whose script imports no other before it runs, and so is each public page', () => {
  const { account, admin, organization, setup, ...publicPages } = app.pages
  for (const page of Object.values(publicPages)) {
    expect(page).toMatchObject({ script: app.assets.publicScript.name, imports: [], parts: [] })
    expect(app.assets.scripts[page.script]).not.toMatch(/\bimport(?!\(|\.meta)\b/)
  }
  for (const { imports } of [account, organization, setup])
    expect(imports).toContain(app.assets.publicScript.name)
  expect(admin.imports).not.toContain(app.assets.publicScript.name)
})
