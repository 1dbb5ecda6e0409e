import { constants, createPrivateKey, privateDecrypt } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { decryptOaep } from '../../../../lib/features/connections/saml/assertion/decryption.ts'
import {
  diagnoseResponse,
  validateResponse,
} from '../../../../lib/features/connections/saml/assertion/validate-response.ts'
import { encryptByOaep, encryptKey, type OaepBlock, type OaepFacts } from '../../../support/idp/oaep.ts'
import { makeBench } from '../../../support/saml-bench.ts'

const bench = await makeBench()

type Facts = Omit<OaepFacts, 'certificate'>
const posted = (facts: Facts) => {
  const encrypted = (xml: string) =>
    encryptByOaep('EncryptedAssertion', xml, { certificate: bench.own.pem, ...facts })
  return bench.posted({ change: { signedAssertion: encrypted } })
}

describe('a key encrypted with RSA-OAEP', () => {
  it.each<Facts>([
    { hash: 'sha1' },
    { hash: 'sha256' },
    { hash: 'sha256', bits: 192 },
    { hash: 'sha512', bits: 128 },
    { hash: 'sha1', saidHash: null, saidMask: null },
    { hash: 'sha256', mask: 'sha1' },
    { hash: 'sha384', mask: 'sha1', saidMask: null },
    { hash: 'sha1', mask: 'sha256' },
    { hash: 'sha1', mask: 'sha512', saidHash: null },
    { hash: 'sha512', mask: 'sha256', label: 'a label' },
    { hash: 'sha256', label: 'a label' },
    { algorithm: 'rsa-oaep-mgf1p', hash: 'sha1' },
    { algorithm: 'rsa-oaep-mgf1p', hash: 'sha256', mask: 'sha1' },
    { algorithm: 'rsa-oaep-mgf1p', hash: 'sha512', mask: 'sha1', label: 'a label' },
    // Not allowed by the specification, but sent by many libraries.
    { algorithm: 'rsa-oaep-mgf1p', hash: 'sha256' },
    { algorithm: 'rsa-oaep-mgf1p', hash: 'sha256', saidMask: 'sha256' },
    { algorithm: 'rsa-oaep-mgf1p', hash: 'sha256', mask: 'sha1', saidMask: 'sha256' },
    { hash: 'sha256', saidMask: null },
  ])('is decrypted: %j', async (facts) => {
    expect(await validateResponse(await posted(facts), bench.expected())).toHaveProperty('assertion.id')
  })

  it.each<Facts>([
    { hash: 'sha256', mask: 'sha1', saidMask: 'sha256' },
    { hash: 'sha256', saidMask: 'sha1' },
    { hash: 'sha256', saidHash: 'sha512' },
    { hash: 'sha256', mask: 'sha1', saidHash: 'sha1' },
    { algorithm: 'rsa-oaep-mgf1p', hash: 'sha1', mask: 'sha256' },
    { hash: 'sha256', mask: 'sha1', spoil: ({ front }) => front.fill(1) },
  ])('is rejected if its declared parameters are wrong: %j', async (facts) => {
    const form = await posted(facts)
    expect(await validateResponse(form, bench.expected())).toMatchObject({
      refusal: { reason: 'encrypted_assertion', hidesCause: true },
    })
    const { outcomes } = await diagnoseResponse(form, bench.expected())
    expect(outcomes.find(({ outcome }) => outcome === 'failed')?.finding?.problem).toBe(
      'The assertion is encrypted for a key that this service does not have.',
    )
  })
})

describe('OAEP decoding with two hashes', () => {
  const message = Buffer.from('a message to be kept')
  const parameters = { hash: 'sha256', maskHash: 'sha1', label: Buffer.from('a label') } as const
  const decrypt = (spoil?: (block: OaepBlock) => void, given: Partial<typeof parameters> = {}) => {
    const { pem: certificate, keyPem } = bench.own
    const declared = { certificate, hash: 'sha256', mask: 'sha1', label: 'a label' } as const
    const content = encryptKey(message, { ...declared, ...(spoil ? { spoil } : {}) })
    return decryptOaep(createPrivateKey(keyPem), content, { ...parameters, ...given })
  }

  it('is tested with an encoder that Node.js itself can decode', () => {
    const content = encryptKey(message, { certificate: bench.own.pem, hash: 'sha384', label: 'a label' })
    const padding = constants.RSA_PKCS1_OAEP_PADDING
    const oaepLabel = Buffer.from('a label')
    expect(
      privateDecrypt({ key: bench.own.keyPem, padding, oaepHash: 'sha384', oaepLabel }, content),
    ).toEqual(message)
  })

  it('returns messages of any length', () => {
    expect(decrypt()).toEqual(message)
    for (const length of [0, 1, 32, 100]) {
      const { pem: certificate, keyPem } = bench.own
      const sent = Buffer.alloc(length, 1)
      const content = encryptKey(sent, { certificate, hash: 'sha1', mask: 'sha512' })
      const given = { hash: 'sha1', maskHash: 'sha512', label: Buffer.alloc(0) }
      expect(decryptOaep(createPrivateKey(keyPem), content, given)).toEqual(sent)
    }
  })

  it.each<[string, (block: OaepBlock) => void]>([
    ['a first byte that is not zero', ({ front }) => front.fill(1)],
    [
      'the first byte of another label',
      ({ labelHash }) => labelHash.writeUInt8(labelHash.readUInt8(0) ^ 1, 0),
    ],
    [
      'the last byte of another label',
      ({ labelHash }) => labelHash.writeUInt8(labelHash.readUInt8(31) ^ 128, 31),
    ],
    ['a padding that is not zero at first', ({ zeros }) => zeros.writeUInt8(2, 0)],
    ['a padding that is not zero at last', ({ zeros }) => zeros.writeUInt8(255, zeros.length - 1)],
    ['another separator', ({ separator }) => separator.fill(2)],
    [
      'no separator at all',
      ({ separator, message: sent }) => {
        separator.fill(0)
        sent.fill(0)
      },
    ],
  ])('returns nothing for %s', (_, spoil) => {
    expect(decrypt(spoil)).toBeUndefined()
  })

  it('returns nothing for other hashes, another label, or content of another size', () => {
    expect(decrypt(undefined, { label: Buffer.from('another label') })).toBeUndefined()
    const key = createPrivateKey(bench.own.keyPem)
    const content = encryptKey(message, { certificate: bench.own.pem, hash: 'sha256', mask: 'sha1' })
    for (const [hash, maskHash] of [
      ['sha1', 'sha256'],
      ['sha256', 'sha512'],
      ['sha512', 'sha1'],
      ['sha256', 'sha256'],
    ] as const)
      expect(decryptOaep(key, content, { hash, maskHash, label: Buffer.alloc(0) })).toBeUndefined()
    for (const size of [0, 1, 255, 257]) {
      const wrong = Buffer.alloc(size, 1)
      expect(decryptOaep(key, wrong, { ...parameters, label: Buffer.alloc(0) })).toBeUndefined()
    }
    expect(decryptOaep(key, Buffer.alloc(content.length, 255), parameters)).toBeUndefined()
  })
})
