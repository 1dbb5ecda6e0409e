import { execFile } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { openVault } from '../../lib/secrets/encryption.ts'
import { readOrCreateKey } from '../../lib/secrets/key-file.ts'

let folder = ''
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'latchkey-key-'))
})
afterEach(() => rmSync(folder, { recursive: true }))

it('makes a key for the owner’s eyes alone, with its folder, and finds it again', async () => {
  const path = join(folder, 'data', 'vault.key')
  const key = await readOrCreateKey(path)
  expect(key).toHaveLength(32)
  expect(statSync(path).mode & 0o777).toBe(0o600)
  expect(statSync(join(folder, 'data')).mode & 0o777).toBe(0o700)
  expect(await readOrCreateKey(path)).toEqual(key)
  expect(await readOrCreateKey(join(folder, 'another'))).not.toEqual(key)
})

it('gives many that come first at the same moment one key, and leaves nothing else behind', async () => {
  const path = join(folder, 'vault.key')
  const keys = await Promise.all(Array.from({ length: 50 }, () => readOrCreateKey(path)))
  expect(new Set(keys.map(String)).size).toBe(1)
  expect(readdirSync(folder)).toEqual(['vault.key'])
})

it('gives several processes one key', async () => {
  const path = join(folder, 'vault.key')
  const module = new URL('../../lib/secrets/key-file.ts', import.meta.url).href
  const startAt = Date.now() + 1000
  const script = `
    const { readOrMakeKey } = await import(${JSON.stringify(module)})
    while (Date.now() < ${startAt});
    process.stdout.write((await readOrMakeKey(${JSON.stringify(path)})).toString('hex'))`
  const run = () => promisify(execFile)(process.execPath, ['--input-type=module', '--eval', script])
  const outputs = await Promise.all([run(), run(), run(), run()])
  const keys = new Set(outputs.map(({ stdout }) => stdout))
  expect([...keys]).toEqual([readFileSync(path, 'utf8').trim()])
  expect(readdirSync(folder)).toEqual(['vault.key'])
})

it.each(['', 'short', 'z'.repeat(64), `${'a'.repeat(64)}b`, `${'a'.repeat(63)}\n`])(
  'refuses a file of %j, never replaces it, and doesn’t tell what is in it',
  async (content) => {
    const path = join(folder, 'vault.key')
    writeFileSync(path, content)
    const error = await readOrCreateKey(path).catch((reason: Error) => reason.message)
    expect(error).toBe(`${path} doesn't hold a key to encrypt with.`)
    expect(readFileSync(path, 'utf8')).toBe(content)
  },
)

it('says so when the place can’t be used', async () => {
  await expect(readOrCreateKey(folder)).rejects.toThrow('EISDIR')
  writeFileSync(join(folder, 'file'), '')
  await expect(readOrCreateKey(join(folder, 'file', 'vault.key'))).rejects.toThrow('ENOTDIR')
})

it('is tried again after it failed', async () => {
  const path = join(folder, 'vault.key')
  writeFileSync(path, '')
  const vault = openVault({ kmsKeyId: undefined, localKeyFile: path })
  await expect(vault.encrypt('x', {})).rejects.toThrow()
  rmSync(path)
  expect(await vault.decrypt(await vault.encrypt('x', {}), {})).toBe('x')
})
