import { execFile } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { openVault } from '../../lib/kernel/secrets/encryption.ts'
import { readOrCreateKey } from '../../lib/kernel/secrets/local-keys.ts'

let folder = ''
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'latchkey-key-'))
})
afterEach(() => rmSync(folder, { recursive: true }))

it('creates a key and its folder, readable only by the owner, and reads the same key again', async () => {
  const path = join(folder, 'data', 'vault.key')
  const key = await readOrCreateKey(path)
  expect(key).toHaveLength(32)
  expect(statSync(path).mode & 0o777).toBe(0o600)
  expect(statSync(join(folder, 'data')).mode & 0o777).toBe(0o700)
  expect(await readOrCreateKey(path)).toEqual(key)
  expect(await readOrCreateKey(join(folder, 'another'))).not.toEqual(key)
})

it('gives 50 concurrent callers the same key and leaves no temporary file', async () => {
  const path = join(folder, 'vault.key')
  const keys = await Promise.all(Array.from({ length: 50 }, () => readOrCreateKey(path)))
  expect(new Set(keys.map(String)).size).toBe(1)
  expect(readdirSync(folder)).toEqual(['vault.key'])
})

it('gives concurrent processes the same key', async () => {
  const path = join(folder, 'vault.key')
  const module = new URL('../../lib/kernel/secrets/local-keys.ts', import.meta.url).href
  const startAt = Date.now() + 1000
  const script = `
    const { readOrCreateKey } = await import(${JSON.stringify(module)})
    while (Date.now() < ${startAt});
    process.stdout.write((await readOrCreateKey(${JSON.stringify(path)})).toString('hex'))`
  const run = () => promisify(execFile)(process.execPath, ['--input-type=module', '--eval', script])
  const outputs = await Promise.all([run(), run(), run(), run()])
  const keys = new Set(outputs.map(({ stdout }) => stdout))
  expect([...keys]).toEqual([readFileSync(path, 'utf8').trim()])
  expect(readdirSync(folder)).toEqual(['vault.key'])
})

it.each(['', 'short', 'z'.repeat(64), `${'a'.repeat(64)}b`, `${'a'.repeat(63)}\n`])(
  'rejects the file content %j without replacing or quoting it',
  async (content) => {
    const path = join(folder, 'vault.key')
    writeFileSync(path, content)
    const error = await readOrCreateKey(path).catch((reason: Error) => reason.message)
    expect(error).toBe(`${path} does not contain an encryption key.`)
    expect(readFileSync(path, 'utf8')).toBe(content)
  },
)

it('reports a path that cannot be used', async () => {
  await expect(readOrCreateKey(folder)).rejects.toThrow('EISDIR')
  writeFileSync(join(folder, 'file'), '')
  await expect(readOrCreateKey(join(folder, 'file', 'vault.key'))).rejects.toThrow('ENOTDIR')
})

it('is read again after a failure', async () => {
  const path = join(folder, 'vault.key')
  writeFileSync(path, '')
  const vault = openVault({ kmsKeyId: undefined, localKeyFile: path })
  await expect(vault.encrypt('x', {})).rejects.toThrow()
  rmSync(path)
  expect(await vault.decrypt(await vault.encrypt('x', {}), {})).toBe('x')
})
