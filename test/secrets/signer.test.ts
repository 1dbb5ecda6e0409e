import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { openSigner } from '../../lib/kernel/secrets/open-signer.ts'
import { isPublicKey, isSignatureValid } from '../../lib/kernel/secrets/signer.ts'
import { closeAfterTests } from '../support/close-after-tests.ts'
import { flipBit } from '../support/flip-bit.ts'
import { startKms } from '../support/kms.ts'

const folder = mkdtempSync(join(tmpdir(), 'latchkey-signer-'))
const auditKeyFile = join(folder, 'audit.key')
const kms = closeAfterTests(await startKms())
process.env['AWS_ENDPOINT_URL_KMS'] = kms.url
afterAll(() => rmSync(folder, { recursive: true }))

const open = {
  'a key file': () => openSigner({ auditKeyId: undefined, auditKeyFile }),
  KMS: () => openSigner({ auditKeyId: 'the-key', auditKeyFile: undefined }),
}

describe.each(Object.entries(open))('a signer with %s', (_, openOne) => {
  it('makes signatures that fit only their text and key', async () => {
    const signer = await openOne()
    const signature = await signer.sign('ümlaut')
    const publicKey = await (await openOne()).getPublicKey()
    expect(isPublicKey(publicKey)).toBe(true)
    expect(isSignatureValid(publicKey, 'ümlaut', signature)).toBe(true)
    expect(isSignatureValid(publicKey, 'umlaut', signature)).toBe(false)
    for (const other of ['', 'AAAA', flipBit(signature), signature.slice(8)])
      expect(isSignatureValid(publicKey, 'ümlaut', other)).toBe(false)
    const another = await openSigner({ auditKeyId: undefined, auditKeyFile: join(folder, 'other.key') })
    expect(isSignatureValid(await another.getPublicKey(), 'ümlaut', signature)).toBe(false)
  })
})

it('keeps the key of local mode in a file that only its owner can read', async () => {
  const signers = await Promise.all([open['a key file'](), open['a key file']()])
  const keys = await Promise.all(signers.map((signer) => signer.getPublicKey()))
  expect(keys[0]).toBe(keys[1])
  expect(statSync(auditKeyFile).mode & 0o777).toBe(0o600)
  expect(isPublicKey(readFileSync(auditKeyFile, 'utf8'))).toBe(false)
})

it('names the settings when no key is configured', async () => {
  await expect(openSigner({ auditKeyId: undefined, auditKeyFile: undefined })).rejects.toThrow('AUDIT_KEY_ID')
})
