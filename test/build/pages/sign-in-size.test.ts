import { gzipSync } from 'node:zlib'
import { expect, it } from 'vitest'
import { app } from '../../../lib/features/pages/app-build.prebuilt.ts'
import { languages, nameMessageFile } from '../../../lib/kernel/i18n/languages.ts'

/** Kilobytes that the sign-in page loads for its first paint, with gzip. */
const limit = 45

const sizeOf = (text = ''): number => gzipSync(text).length / 1024

it.each(languages)('the sign-in page in %s loads at most 45 KB for its first paint', (language) => {
  const { script, stylesheet, imports, parts } = app.pages.signIn
  const messages = parts.map((part) => nameMessageFile(part, language, app.messagesVersion))
  const scripts = [script, ...imports, ...messages].map((name) => sizeOf(app.scripts[name]))
  const size = sizeOf(app.stylesheets[stylesheet]) + scripts.reduce((sum, one) => sum + one, 0)
  process.stdout.write(`Sign-in page, ${language}: ${size.toFixed(1)} KB\n`)
  expect(size).toBeGreaterThan(5)
  expect(size).toBeLessThanOrEqual(limit)
})
