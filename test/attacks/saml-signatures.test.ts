import { createHash, sign } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { makeCertificate } from '../support/certificates.ts'
import { flipBit } from '../support/flip-bit.ts'
import { canonicalizations, envelopedSignature, signatureMethods } from '../support/idp/names.ts'
import { signXml } from '../support/idp/sign.ts'
import { elementIn, replaced } from '../support/idp/xml.ts'
import { makeIdp } from '../support/idp.ts'
import { addProvider } from '../support/saml.ts'
import {
  expectAccepted,
  expectOneChangeAway,
  expectRefused,
  useTwoProviders,
} from '../support/saml-attack.ts'

/* Whose signature counts, by which algorithm, and over which element. */

const { service, provider, other } = await useTwoProviders()
const stranger = await makeCertificate({ name: 'idp' })

const oneChangeAway = (
  ...args: Parameters<typeof expectOneChangeAway> extends [unknown, unknown, ...infer Rest] ? Rest : never
) => expectOneChangeAway(service, provider, ...args)

const parts = ['assertion', 'response', 'both'] as const

describe('a SAML signature', () => {
  it('is required', async () => {
    for (const part of parts) await oneChangeAway(`none, ${part}`, { sign: 'none' }, { sign: part })
    const encrypt = { certificate: provider.own.pem }
    await oneChangeAway('none, encrypted', { sign: 'none', encrypt }, { encrypt })
  })

  it.each(parts)('by another key is rejected, with any KeyInfo (%s)', async (part) => {
    const honest = { sign: part }
    for (const signer of [stranger, provider.own, other.idp.signer])
      for (const keyInfo of ['certificate', 'none', provider.idp.signer] as const)
        await expectRefused(service, provider, 'a stranger', { ...honest, signing: { signer, keyInfo } })
    for (const keyInfo of ['none', stranger] as const)
      await expectAccepted(service, provider, 'what it says of its key', { ...honest, signing: { keyInfo } })
  })

  it('must be valid in both places when there are two', async () => {
    const foreign = (xml: string) =>
      signXml(replaced(xml, elementIn(xml, 'ds:Signature'), ''), '/*', stranger)
    const honest = { sign: 'both' } as const
    await oneChangeAway('the inner one', { ...honest, change: { signedAssertion: foreign } }, honest)
    const outer = (xml: string) => replaced(xml, 'Destination="', 'Consent="x" Destination="')
    await oneChangeAway('the outer one', { ...honest, change: { signedResponse: outer } }, honest)
  })

  it.each(parts)('is invalid after any signed content was changed (%s)', async (part) => {
    const honest = { nameId: 'attacker@example.com', sign: part }
    const changes: readonly (readonly [string | RegExp, string])[] = [
      ['attacker@example.com', 'victim@example.com'],
      [/ SessionIndex="[^"]*"/, ''],
      ['</saml:AuthnStatement>', '</saml:AuthnStatement><saml:AttributeStatement/>'],
      [/NotOnOrAfter="20/, 'NotOnOrAfter="21'],
    ]
    for (const [what, by] of changes)
      await oneChangeAway(
        `changed ${what}`,
        { ...honest, change: { signedResponse: (xml) => replaced(xml, what, by) } },
        honest,
      )
  })

  it('with a weak algorithm is rejected, even with the right key', async () => {
    for (const part of parts)
      for (const method of ['rsa-sha1', 'rsa-md5'] as const)
        await expectRefused(service, provider, `${method} ${part}`, { sign: part, signing: { method } })
    for (const digest of ['sha1', 'md5'] as const)
      await expectRefused(service, provider, digest, { signing: { digest } })
    for (const method of ['rsa-sha256', 'rsa-sha384', 'rsa-sha512'] as const)
      for (const digest of ['sha256', 'sha384', 'sha512'] as const)
        await expectAccepted(service, provider, method, { signing: { method, digest } })
  })

  it('by HMAC with public data of the provider is rejected', async () => {
    const { pem, base64 } = provider.idp.signer
    const secrets = [pem, pem.trim(), base64, Buffer.from(base64, 'base64').toString('latin1'), '']
    for (const secret of secrets)
      for (const method of ['hmac-sha1', 'hmac-sha256'] as const)
        await expectRefused(service, provider, method, { signing: { method, secret, keyInfo: 'none' } })
  })

  it('with an unknown algorithm or one that does not fit the key is rejected', async () => {
    for (const algorithm of [
      signatureMethods['ecdsa-sha256'],
      signatureMethods['dsa-sha1'],
      'none',
      '',
      '__proto__',
      'constructor',
    ])
      await oneChangeAway(algorithm, {
        change: {
          signedResponse: (xml) =>
            replaced(
              xml,
              /<ds:SignatureMethod Algorithm="[^"]*"\/>/,
              `<ds:SignatureMethod Algorithm="${algorithm}"/>`,
            ),
        },
      })
  })

  it('by an elliptic curve key is accepted like one by RSA', async () => {
    const elliptic = await addProvider(service, await makeIdp(await makeCertificate({ curve: 'P-256' })))
    const signer = await makeCertificate({ curve: 'P-256' })
    await expectOneChangeAway(service, elliptic, 'elliptic', { signing: { signer } })
  })

  it('over another element than the one it stands in is rejected', async () => {
    const inAnother = (xml: string) => {
      const signature = elementIn(xml, 'ds:Signature')
      return replaced(replaced(xml, signature, ''), '<samlp:Status>', `${signature}<samlp:Status>`)
    }
    await oneChangeAway('of the assertion in the response', { change: { signedResponse: inAnother } })
    const behind = (xml: string) => {
      const signature = elementIn(xml, 'ds:Signature')
      return replaced(replaced(xml, signature, ''), '<saml:Subject>', `<saml:Subject>${signature}`)
    }
    await oneChangeAway('deeper in the assertion', { change: { signedAssertion: behind } })
  })

  it('over unused content is rejected with the whole message', async () => {
    const stray = (xml: string) =>
      replaced(
        xml,
        '<samlp:Status>',
        `<samlp:Extensions>${elementIn(xml, 'ds:Signature')}</samlp:Extensions><samlp:Status>`,
      )
    await oneChangeAway('in an extension', { change: { signedResponse: stray } })
    const inAttribute = (xml: string) =>
      replaced(
        xml,
        '</saml:AuthnStatement>',
        '</saml:AuthnStatement><ds:Signature xmlns:ds="http://www.w3.org/2000/09/xmldsig#"/>',
      )
    await oneChangeAway('an empty one', { change: { assertion: inAttribute } })
  })

  it('over the whole document covers only the document', async () => {
    const signing = { isWholeDocument: true }
    // Inside an assertion, an empty reference means the surrounding document and does not cover the assertion.
    await oneChangeAway('URI="" in an assertion', { signing })
  })

  it('is rejected when there are several in the same place', async () => {
    const twice = (xml: string) =>
      replaced(xml, '<saml:Subject>', `${elementIn(xml, 'ds:Signature')}<saml:Subject>`)
    await oneChangeAway('twice', { change: { signedAssertion: twice } })
    await oneChangeAway('by two', { change: { signedAssertion: (xml) => signXml(xml, '/*', stranger) } })
  })
})

describe('the digest input', () => {
  it('is the element itself, with the usual transforms only', async () => {
    const { exclusive } = canonicalizations
    for (const transform of [
      'http://www.w3.org/TR/1999/REC-xpath-19991116',
      'http://www.w3.org/TR/1999/REC-xslt-19991116',
      'http://www.w3.org/2002/06/xmldsig-filter2',
      'http://www.w3.org/2000/09/xmldsig#base64',
      'urn:unknown',
    ])
      await oneChangeAway(transform, {
        change: {
          signedAssertion: (xml) =>
            replaced(
              xml,
              `<ds:Transform Algorithm="${exclusive}"/>`,
              `<ds:Transform Algorithm="${transform}"/><ds:Transform Algorithm="${exclusive}"/>`,
            ),
        },
      })
    await expectRefused(service, provider, 'no transforms', {
      change: { signedAssertion: (xml) => replaced(xml, elementIn(xml, 'ds:Transforms'), '') },
    })
    await expectAccepted(service, provider, 'the usual ones', {
      signing: { transforms: [envelopedSignature, exclusive] },
    })
  })

  it('is exactly one element: several references or none are rejected', async () => {
    const changes: readonly ((xml: string) => string)[] = [
      (xml) => replaced(xml, '</ds:SignedInfo>', `${elementIn(xml, 'ds:Reference')}</ds:SignedInfo>`),
      (xml) => replaced(xml, elementIn(xml, 'ds:Reference'), ''),
      (xml) => replaced(xml, / URI="#[^"]*"/, ''),
      (xml) => replaced(xml, / URI="#[^"]*"/, ' URI=""'),
      (xml) => replaced(xml, / URI="#[^"]*"/, ' URI="#xpointer(/)"'),
      (xml) => replaced(xml, / URI="#[^"]*"/, ' URI="https://evil.example/assertion.xml"'),
      (xml) => replaced(xml, / URI="#[^"]*"/, ' URI="file:///etc/passwd"'),
    ]
    for (const [at, signedAssertion] of changes.entries())
      await oneChangeAway(`reference ${at}`, { change: { signedAssertion } })
  })

  it('cannot be ambiguous: several SignedInfo elements or a comment in a digest are rejected', async () => {
    const evilDigest = createHash('sha256').update('evil').digest('base64')
    const doubled = (first: boolean) => (xml: string) => {
      const honest = elementIn(xml, 'ds:SignedInfo')
      const evil = replaced(honest, /<ds:DigestValue>[^<]*/, `<ds:DigestValue>${evilDigest}`)
      return replaced(xml, honest, first ? evil + honest : honest + evil)
    }
    await oneChangeAway('evil first', { change: { signedAssertion: doubled(true) } })
    await oneChangeAway('evil last', { change: { signedAssertion: doubled(false) } })
    // A digest of the forged assertion in a comment: canonicalization drops it, and a careless reader takes it.
    const commented = (xml: string) => {
      const forged = replaced(xml, 'ada@example.com', 'victim@example.com')
      return replaced(forged, '<ds:DigestValue>', `<ds:DigestValue><!--${evilDigest}-->`)
    }
    await oneChangeAway('a comment', { change: { signedAssertion: commented } })
    const wrapped = (xml: string) =>
      replaced(xml, /<ds:DigestValue>([^<]*)/, `<ds:DigestValue><ds:x>${evilDigest}</ds:x>`)
    await oneChangeAway('an element', { change: { signedAssertion: wrapped } })
  })

  it('is never empty: a canonicalization with an empty result signs nothing', async () => {
    // The provider's signature over an empty text, which a bug in its software might have produced.
    const empty = sign('sha256', Buffer.alloc(0), provider.idp.signer.keyPem).toString('base64')
    const emptyDigest = createHash('sha256').update('').digest('base64')
    const voided = (namespace: string) => (xml: string) => {
      const signature = elementIn(xml, 'ds:Signature')
      const changed = [
        [/<ds:SignatureValue>[^<]*/, `<ds:SignatureValue>${empty}`],
        [/<ds:DigestValue>[^<]*/, `<ds:DigestValue>${emptyDigest}`],
        ['<ds:SignedInfo>', `<ds:SignedInfo ${namespace}>`],
      ] as const
      const forged = changed.reduce((text, [what, by]) => replaced(text, what, by), signature)
      return replaced(replaced(xml, signature, forged), '<saml:Assertion ', `<saml:Assertion ${namespace} `)
    }
    for (const namespace of ['xmlns:x="1"', 'xmlns:x="./relative"', 'xmlns:x=""', 'xmlns:x="\u0001"'])
      await oneChangeAway(namespace, { change: { signedAssertion: voided(namespace) } })
    for (const algorithm of ['', 'urn:unknown', canonicalizations.inclusiveWithComments, envelopedSignature])
      await oneChangeAway(`canonicalisation ${algorithm}`, {
        change: {
          signedAssertion: (xml) =>
            replaced(
              voided('xmlns:x="urn:x"')(xml),
              /<ds:CanonicalizationMethod Algorithm="[^"]*"/,
              `<ds:CanonicalizationMethod Algorithm="${algorithm}"`,
            ),
        },
      })
  })

  it('is read as it was signed, however it was formatted in transit', async () => {
    const honest = { nameId: 'attacker@example.com' }
    const rewritten: readonly ((xml: string) => string)[] = [
      (xml) => replaced(xml, '<saml:Subject>', '<saml:Subject >'),
      (xml) => replaced(xml, 'attacker@example.com', '&#x61;ttacker&#64;example.com'),
      (xml) => `<?xml version="1.0" encoding="UTF-8"?>\n${xml}`,
    ]
    const user = await expectAccepted(service, provider, 'as it is', honest)
    for (const signedResponse of rewritten)
      expect(
        await expectAccepted(service, provider, 'rewritten', { ...honest, change: { signedResponse } }),
      ).toBe(user)
  })
})

describe('encryption', () => {
  it('does not replace a signature', async () => {
    const encrypt = { certificate: provider.own.pem }
    await oneChangeAway('unsigned', { sign: 'none', encrypt }, { encrypt })
    await oneChangeAway('by a stranger', { encrypt, signing: { signer: stranger } }, { encrypt })
  })

  it('with a weak algorithm is rejected', async () => {
    const { pem: certificate } = provider.own
    await oneChangeAway(
      'RSA 1.5',
      { encrypt: { certificate, key: 'rsa-1_5' } },
      { encrypt: { certificate, key: 'rsa-oaep' } },
    )
    await oneChangeAway(
      'triple DES',
      { encrypt: { certificate, content: 'tripledes-cbc' } },
      { encrypt: { certificate, content: 'aes256-gcm' } },
    )
  })

  it('for another recipient, or changed in transit, reveals only that it cannot be decrypted', async () => {
    const { pem: certificate } = provider.own
    await oneChangeAway(
      'for another recipient',
      { encrypt: { certificate: stranger.pem } },
      { encrypt: { certificate } },
    )
    const texts = new Set<string>()
    for (const content of ['aes256-gcm', 'aes128-cbc'] as const)
      for (const at of [4, 30, 200])
        await oneChangeAway(
          `${content}, character ${at}`,
          {
            encrypt: { certificate, content },
            change: {
              signedResponse: (xml) => {
                const values = [...xml.matchAll(/CipherValue>([\w+/=]+)</g)].map(([, value = '']) => value)
                const last = values.at(-1) ?? ''
                texts.add(last)
                return replaced(xml, last, flipBit(last, at))
              },
            },
          },
          { encrypt: { certificate, content } },
        )
    expect(texts.size).toBe(6)
  })
})
