import { createPrivateKey } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import {
  diagnoseResponse,
  validateResponse,
} from '../../../../lib/features/connections/saml/assertion/validate-response.ts'
import { makeCertificate } from '../../../support/certificates.ts'
import { contentEncryptions, ns } from '../../../support/idp/names.ts'
import { encryptByOaep } from '../../../support/idp/oaep.ts'
import { elementIn, replaced } from '../../../support/idp/xml.ts'
import type { AnswerFacts } from '../../../support/idp.ts'
import { makeBench } from '../../../support/saml-bench.ts'

const bench = await makeBench()

const encrypted = (more: AnswerFacts['encrypt'] | object = {}): AnswerFacts => ({
  encrypt: { certificate: bench.own.pem, ...more },
})
const result = async (facts: AnswerFacts) => validateResponse(await bench.posted(facts), bench.expected())
/** Returns the failed check and its problem, as an administrator sees them. */
const findingOf = async (facts: AnswerFacts) => {
  const { outcomes } = await diagnoseResponse(await bench.posted(facts), bench.expected())
  const failed = outcomes.find(({ outcome }) => outcome === 'failed')
  return { check: failed?.check.name, problem: failed?.finding?.problem }
}
const blind = { refusal: { reason: 'encrypted_assertion', hidesCause: true } }

describe('an encrypted assertion', () => {
  it.each(['aes128-gcm', 'aes256-gcm', 'aes128-cbc', 'aes256-cbc'] as const)(
    'with %s is accepted',
    async (content) => {
      for (const digest of ['sha1', 'sha256', 'sha512'] as const)
        expect(await result(encrypted({ content, digest }))).toHaveProperty('assertion.id')
    },
  )

  it('is accepted if any key of the service can decrypt it', async () => {
    const other = await makeCertificate()
    const keys = [createPrivateKey(other.keyPem), createPrivateKey(bench.own.keyPem)]
    const expected = bench.expected({ decryptionKeys: async () => keys })
    expect(await validateResponse(await bench.posted(encrypted()), expected)).toHaveProperty('assertion.id')
  })

  it('needs no signature of its own in a signed response', async () => {
    const facts: AnswerFacts = {
      ...encrypted(),
      sign: 'response',
    }
    expect(await result(facts)).toHaveProperty('assertion.id')
  })

  it('is rejected without any signature, because anyone can encrypt with the public key', async () => {
    expect(await result({ ...encrypted(), sign: 'none' })).toMatchObject(blind)
    expect(await findingOf({ ...encrypted(), sign: 'none' })).toMatchObject({ check: 'assertion_signature' })
  })
})

describe('the decryption', () => {
  it.each([
    {
      name: 'RSA-1.5',
      more: { key: 'rsa-1_5' },
      problem:
        /^The key of the encrypted assertion is encrypted with an unsupported algorithm: RSA-1.5 \(rsa-1_5\)\.$/,
    },
    {
      name: 'triple DES',
      more: { content: 'tripledes-cbc' },
      problem: /^The assertion is encrypted with an unsupported algorithm: 3DES \(tripledes-cbc\)\.$/,
    },
  ])('rejects $name and explains it to the administrator', async ({ more, problem }) => {
    expect(await result(encrypted(more))).toMatchObject(blind)
    expect(await findingOf(encrypted(more))).toEqual({
      check: 'decryption',
      problem: expect.stringMatching(problem),
    })
  })

  it('shows no text of a stranger in place of an algorithm', async () => {
    const change = {
      signedResponse: (xml: string) =>
        replaced(xml, contentEncryptions['tripledes-cbc'], 'urn:x#call 555-0100 now'),
    }
    expect(await findingOf({ ...encrypted({ content: 'tripledes-cbc' }), change })).toEqual({
      check: 'decryption',
      problem: 'The assertion is encrypted with an unsupported algorithm.',
    })
  })

  it('rejects an assertion that was encrypted for another service', async () => {
    const other = await makeCertificate()
    expect(await findingOf(encrypted({ certificate: other.pem }))).toEqual({
      check: 'decryption',
      problem: 'The assertion is encrypted for a key that this service does not have.',
    })
  })

  it('rejects every encrypted assertion if the service has no key', async () => {
    const { outcomes } = await diagnoseResponse(
      await bench.posted(encrypted()),
      bench.expected({ decryptionKeys: async () => [] }),
    )
    expect(outcomes.find(({ outcome }) => outcome === 'failed')?.finding?.remedy).toContain(
      'sp_certificate_key',
    )
  })

  it('rejects more than a few encrypted keys', async () => {
    const key = /<e:EncryptedKey[\s\S]*<\/e:EncryptedKey>/
    const change = {
      signedResponse: (xml: string) => replaced(xml, key, (key.exec(xml)?.[0] ?? '').repeat(4)),
    }
    expect(await findingOf({ ...encrypted(), change })).toMatchObject({ check: 'decryption' })
  })

  it('rejects decrypted content that is not exactly one assertion', async () => {
    const wrap = (content: string) => ({ ...encrypted(), change: { signedAssertion: () => content } })
    for (const content of [
      'no XML',
      '<x/>',
      '<undeclared:Assertion/>',
      `<saml:EncryptedAssertion xmlns:saml="${ns.assertion}"/>`,
      `<!DOCTYPE x [<!ENTITY a "b">]><saml:Assertion xmlns:saml="${ns.assertion}"/>`,
      `<saml:Assertion xmlns:saml="${ns.assertion}"><saml:Advice><saml:Assertion/></saml:Advice></saml:Assertion>`,
    ])
      expect(await findingOf(wrap(content))).toEqual({
        check: 'decryption',
        problem: 'The encrypted assertion could not be decrypted.',
      })
  })

  it('rejects too many attribute values', async () => {
    const groups = Array.from({ length: 501 }, (_, at) => String(at))
    expect(await findingOf({ ...encrypted(), attributes: { groups } })).toEqual({
      check: 'decryption',
      problem: 'The response has more than 500 attribute values.',
    })
  })
})

describe('an attacker who changes cipher text', () => {
  const flipped = (at: number) => (xml: string) => {
    const values = [...xml.matchAll(/CipherValue>([\w+/=]{20,})</g)]
    const value = values.at(-1)?.[1] ?? ''
    const bytes = Buffer.from(value, 'base64')
    const place = at < 0 ? bytes.length + at : at
    bytes.writeUInt8(bytes.readUInt8(place) ^ 1, place)
    return replaced(xml, value, bytes.toString('base64'))
  }

  it.each(['aes256-gcm', 'aes128-cbc'] as const)(
    'gets the same answer for %s at each position',
    async (content) => {
      const answers = new Set<string>()
      for (const at of [0, 5, 16, 33, 200, 1000, -40, -17, -16, -1]) {
        const facts = { ...encrypted({ content }), change: { signedResponse: flipped(at) } }
        answers.add(JSON.stringify(await result(facts)))
      }
      expect([...answers].map((answer) => JSON.parse(answer))).toEqual([
        {
          refusal: {
            reason: 'encrypted_assertion',
            hidesCause: true,
            finding: expect.objectContaining({
              problem: 'The encrypted assertion could not be decrypted, or its signature is not valid.',
            }),
          },
        },
      ])
    },
  )

  it('gets a signature error for a signed response, before anything is decrypted', async () => {
    const facts: AnswerFacts = { ...encrypted(), sign: 'both', change: { signedResponse: flipped(40) } }
    expect(await result(facts)).toMatchObject({
      refusal: { reason: 'response_signature', hidesCause: false },
    })
  })

  it('gets the same answer when it is truncated', async () => {
    for (const length of [0, 4, 12, 16, 27, 28])
      expect(
        await result({
          ...encrypted({ content: 'aes256-gcm' }),
          change: {
            signedResponse: (xml) => {
              const value = [...xml.matchAll(/CipherValue>([\w+/=]{20,})</g)].at(-1)?.[1] ?? ''
              return replaced(xml, value, Buffer.from(value, 'base64').subarray(0, length).toString('base64'))
            },
          },
        }),
      ).toMatchObject(blind)
  })
})

describe('an encrypted name ID', () => {
  const hidden = (nameId: string): string => {
    const element = `<saml:NameID xmlns:saml="${ns.assertion}">${nameId}</saml:NameID>`
    return encryptByOaep('EncryptedID', element, { certificate: bench.own.pem, hash: 'sha256' })
  }

  it('is accepted if the signature covers it', async () => {
    const received = await result({ nameIdXml: hidden('hidden@example.com') })
    expect(received).toHaveProperty('assertion.subject.nameId', 'hidden@example.com')
  })

  it('is rejected next to another NameID, and if it contains another element', async () => {
    const both = `${hidden('a')}<saml:NameID>b</saml:NameID>`
    expect(await result({ nameIdXml: both })).toHaveProperty('refusal.reason', 'name_id')
    const other = encryptByOaep('EncryptedID', '<x/>', { certificate: bench.own.pem, hash: 'sha256' })
    expect(await result({ nameIdXml: other })).toHaveProperty('refusal.reason', 'name_id')
    expect(elementIn(other, 'saml:EncryptedID')).toContain('CipherValue')
  })
})
