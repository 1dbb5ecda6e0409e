import { createHash } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { SignedXml } from 'xml-crypto'
import { checkSignatureForm } from '../../../lib/features/connections/saml/assertion/signatures.ts'
import { getChildren } from '../../../lib/features/connections/saml/xml/element.ts'
import { readXml } from '../../../lib/features/connections/saml/xml/read.ts'
import { getSignedXml } from '../../../lib/features/connections/saml/xml/signature.ts'
import { makeCertificate } from '../../support/certificates.ts'
import { canonicalizations, envelopedSignature, ns } from '../../support/idp/names.ts'
import { type SigningFacts, signOctets, signXml } from '../../support/idp/sign.ts'
import { elementIn, replaced } from '../../support/idp/xml.ts'

const signer = await makeCertificate()

/** Content that canonicalizations handle differently: declarations, comments, CDATA, references, characters. */
const assertion = [
  `<saml:Assertion ID="_a" xmlns:own="urn:own" b="&#10;&quot;" a='"'>`,
  '<saml:Issuer>x</saml:Issuer><!-- c --><y own:z="1"/><t:u xmlns:t="urn:t"><t:u/></t:u>',
  '<![CDATA[<&]]>&amp;&gt;&#13; \u009f\u{1f600}<x xmlns="urn:x"><y xmlns=""/></x></saml:Assertion>',
].join('')
const document = [
  `<samlp:Response xmlns:samlp="${ns.protocol}" xmlns:saml="${ns.assertion}" xmlns="urn:default" xmlns:xs="urn:xs" ID="_r">`,
  `<saml:Issuer>x</saml:Issuer>${assertion}</samlp:Response>`,
].join('')

const parts = [
  { name: 'the assertion', xpath: "//*[local-name(.)='Assertion']", part: { id: '_a' } },
  { name: 'the response', xpath: '/*', part: { root: true } },
] as const
const { exclusive, exclusiveWithComments, inclusive, inclusiveWithComments } = canonicalizations
const ways: readonly SigningFacts[] = [
  {},
  { method: 'rsa-sha384', digest: 'sha384' },
  { method: 'rsa-pss-sha256', digest: 'sha512' },
  { prefixes: ['xs', 'own', 'unused'] },
  { canonicalization: 'exclusiveWithComments', transforms: [envelopedSignature, exclusiveWithComments] },
  { canonicalization: 'inclusive', transforms: [envelopedSignature, inclusive] },
  { canonicalization: 'inclusiveWithComments', transforms: [envelopedSignature, inclusiveWithComments] },
  { transforms: [envelopedSignature] },
  { transforms: [exclusive, envelopedSignature] },
  { transforms: [inclusive, envelopedSignature] },
]

/** The octets that the signing library verifies with its own code. */
const verifiedByLibrary = (text: string): string | undefined => {
  const signed = new SignedXml({ publicCert: signer.pem })
  signed.loadSignature(elementIn(text, 'ds:Signature'))
  return signed.checkSignature(text) ? signed.getSignedReferences()[0] : undefined
}

describe.each(parts)('the signature of $name', ({ xpath, part }) => {
  it.each(ways)('returns the signed octets: %j', (facts) => {
    const text = signXml(document, xpath, signer, facts)
    const content = getSignedXml(text, part, [signer.pem])
    expect(readXml(content).attributes.get('ID')).toBe('id' in part ? '_a' : '_r')
    expect(content).toContain('\u009f\u{1f600}')
    expect(content).not.toContain('SignatureValue')
    // The library supports fewer algorithms.
    if (facts.digest !== 'sha384') expect(content).toBe(verifiedByLibrary(text))
  })

  it('is rejected after a change, or if made with another key', async () => {
    const stranger = await makeCertificate()
    const text = signXml(document, xpath, signer)
    expect(getSignedXml(text, part, [stranger.pem, signer.pem])).toContain('Issuer')
    expect(() => getSignedXml(text, part, [stranger.pem])).toThrow('none of the certificates')
    expect(() => getSignedXml(text, part, [])).toThrow('none of the certificates')
    for (const [what, by] of [
      ['own:z="1"', 'own:z="2"'],
      ['xmlns:own="urn:own"', 'xmlns:own="urn:owned"'],
      [/<ds:DigestValue>./, '<ds:DigestValue>-'],
      [/<ds:SignatureValue>./, '<ds:SignatureValue>-'],
      [/<ds:SignatureValue>[^<]*/, '<ds:SignatureValue>'],
      [/<ds:SignatureValue>[^<]*<\/ds:SignatureValue>/, ''],
      [/<ds:SignatureValue>/, '<ds:SignatureValue>AA==</ds:SignatureValue><ds:SignatureValue>'],
      [/<\/ds:SignatureValue>/, '</ds:SignatureValue><ds:SignatureValue>AA==</ds:SignatureValue>'],
      [/<\/ds:SignedInfo>/, '</ds:SignedInfo><ds:SignedInfo/>'],
      [/<\/ds:SignedInfo>/, '<ds:x/></ds:SignedInfo>'],
      [/<ds:SignedInfo>.*<\/ds:SignedInfo>/, ''],
      [/<ds:CanonicalizationMethod [^>]*>/, ''],
      [/ URI="#_[ar]"/, ' URI=""'],
      [/ URI="#_[ar]"/, ''],
      [/ URI="#_[ar]"/, ' URI="#_x"'],
    ] as const)
      expect(() => getSignedXml(replaced(text, what, by), part, [signer.pem]), by).toThrow(
        'has a signature that',
      )
  })

  it('is rejected if two elements have its ID', () => {
    const id = 'id' in part ? '_a' : '_r'
    // Unsigned content may be changed: the element around the signed one, or the signature itself.
    for (const name of ['ID', 'Id', 'id', 'xml:id']) {
      const elsewhere = (text: string) => replaced(text, '<ds:X509Data>', `<ds:X509Data ${name}="${id}">`)
      const text = signXml(document, xpath, signer)
      expect(() => getSignedXml(elsewhere(text), part, [signer.pem]), name).toThrow(
        /signed exactly once|none of the/,
      )
    }
  })
})

it('keeps the line ends of other XML versions', () => {
  const octets = (text: string) => createHash('sha256').update(text).digest('base64')
  const odd = (text: string) => replaced(text, '\u009f', '\u009f\u0085\u2028')
  const text = odd(signXml(document, '/*', signer))
  const digest = octets(odd(getSignedXml(signXml(document, '/*', signer), { root: true }, [signer.pem])))
  const redigested = replaced(text, /<ds:DigestValue>[^<]*/, `<ds:DigestValue>${digest}`)
  const info = elementIn(redigested, 'ds:SignedInfo')
    .replace('<ds:SignedInfo', `<ds:SignedInfo xmlns:ds="${ns.signature}"`)
    .replaceAll(/<([^\s<>]+)([^>]*)\/>/g, '<$1$2></$1>')
  const value = signOctets('rsa-sha256', info, { keyPem: signer.keyPem })
  const signed = replaced(redigested, /<ds:SignatureValue>[^<]*/, `<ds:SignatureValue>${value}`)
  expect(getSignedXml(signed, { root: true }, [signer.pem])).toContain('\u009f\u0085\u2028')
})

it('a part without an ID is not found by an empty ID', () => {
  const text = signXml(document, '/*', signer)
  expect(() => getSignedXml(text, { id: '' }, [signer.pem])).toThrow('signed exactly once')
  expect(() => getSignedXml(text, { id: '_missing' }, [signer.pem])).toThrow('signed exactly once')
})

describe('an unsupported algorithm', () => {
  const findProblem = (change: (text: string) => string): string | undefined => {
    const root = readXml(change(signXml(document, '/*', signer)))
    expect(getChildren(root, ns.signature, 'Signature')).toHaveLength(1)
    return checkSignatureForm(root)?.problem
  }
  const algorithm = (element: string, name: string) => (text: string) =>
    replaced(text, new RegExp(`<ds:${element} Algorithm="[^"]*"`), `<ds:${element} Algorithm="${name}"`)

  it.each(['SignatureMethod', 'DigestMethod'])('of %s is reported', (element) => {
    expect(findProblem((text) => text)).toBeUndefined()
    for (const name of ['__proto__', 'constructor', 'urn:unknown', `${ns.signature}rsa-sha3`, ''])
      expect(findProblem(algorithm(element, name)), name).toBe('The signature uses an unknown algorithm.')
    expect(findProblem(algorithm(element, `${ns.signature}rsa-sha1`))).toContain('no longer safe')
  })

  it('of transforms is reported, and missing transforms too', () => {
    const form = 'The signature has an unsupported form.'
    for (const name of ['__proto__', 'urn:unknown', '', envelopedSignature])
      expect(
        findProblem((text) => text.replaceAll(exclusive, name)),
        name,
      ).toBe(form)
    for (const change of [
      (text: string) => replaced(text, elementIn(text, 'ds:Transforms'), ''),
      (text: string) => replaced(text, elementIn(text, 'ds:Transforms'), '<ds:Transforms/>'),
      (text: string) => replaced(text, `<ds:Transform Algorithm="${envelopedSignature}"/>`, ''),
    ])
      expect(findProblem(change)).toBe(form)
  })
})
