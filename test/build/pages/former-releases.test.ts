import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { brotliDecompressSync } from 'node:zlib'
import { afterAll, expect, it } from 'vitest'
import { keepRelease, readFormerReleases } from '../../../build/pages/former-releases.ts'
import { app } from '../../../lib/features/pages/app-build.prebuilt.ts'

const folder = mkdtempSync(join(tmpdir(), 'latchkey-former-'))
const file = join(folder, 'kept.json')
afterAll(() => rmSync(folder, { recursive: true }))

const keep = (version: string) => keepRelease(version, { ...app.assets, messagesVersion: version }, file)
const read = (version: string) =>
  readFormerReleases(version, file).map(
    (text) => JSON.parse(String(brotliDecompressSync(Buffer.from(text, 'base64')))).messagesVersion,
  )

it('a release has the files of the last two, from when it is built until the next one', () => {
  expect(read('0.1.0')).toEqual([])
  keep('0.1.0')
  expect(read('0.1.0')).toEqual([])
  keep('0.2.0')
  expect(read('0.2.0')).toEqual(['0.1.0'])
  keep('0.3.0')
  keep('0.4.0')
  // `npm version` was stopped, and ran again.
  keep('0.4.0')
  expect(read('0.4.0')).toEqual(['0.3.0', '0.2.0'])
  // The version of the work on the next release is that of the last one, until `npm version` sets it.
  expect(read('0.5.0')).toEqual(['0.4.0', '0.3.0'])
})
