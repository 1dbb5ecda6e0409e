import { expect, it } from 'vitest'
import { readCertificates } from '../../../lib/features/connections/saml/certificates.ts'
import { readIdentityProvider } from '../../../lib/features/connections/saml/metadata/identity-provider.ts'
import { readXml } from '../../../lib/features/connections/saml/xml/read.ts'
import {
  isPlainSignature,
  isWeakSignature,
} from '../../../lib/features/connections/saml/xml/signature-form.ts'
import { makeCertificate } from '../../support/certificates.ts'
import { signatureMethods } from '../../support/idp/names.ts'
import { plainMetadata, signMetadata } from '../../support/saml-metadata.ts'

const certificate = await makeCertificate()
const signed = signMetadata(plainMetadata({ certificates: [certificate] }), certificate)

const signatureIn = (xml: string) => {
  const found = readXml(xml).children.find(({ name }) => name === 'Signature')
  if (!found) throw new Error('there is no signature')
  return found
}
const transform = /<ds:Transform [^>]*\/>/

it('a common signature is plain', () => {
  expect(isPlainSignature(signatureIn(signed))).toBe(true)
})

it.each([
  { name: 'three transforms', change: (xml: string) => xml.replace(transform, (one) => one + one) },
  {
    name: 'a transform that selects',
    change: (xml: string) => xml.replace('#enveloped-signature', '#xpath'),
  },
  {
    name: 'two lists of transforms',
    change: (xml: string) => xml.replace('</ds:Transforms>', '</ds:Transforms><ds:Transforms/>'),
  },
  {
    name: 'two references',
    change: (xml: string) => xml.replace(/<ds:Reference [\s\S]*<\/ds:Reference>/, (one) => one + one),
  },
  { name: 'no reference', change: (xml: string) => xml.replace(/<ds:Reference [\s\S]*<\/ds:Reference>/, '') },
  {
    name: 'two parts that are signed',
    change: (xml: string) => xml.replace(/<ds:SignedInfo>[\s\S]*<\/ds:SignedInfo>/, (one) => one + one),
  },
  {
    name: 'a list of prefixes without end',
    change: (xml: string) =>
      xml.replace(
        /<ds:Transform (Algorithm="[^"]*exc-c14n#")\/>/,
        (_, algorithm: string) =>
          `<ds:Transform ${algorithm}><x:InclusiveNamespaces xmlns:x="http://www.w3.org/2001/10/xml-exc-c14n#" PrefixList="${'a '.repeat(300)}"/></ds:Transform>`,
      ),
  },
  {
    name: 'another canonicalisation',
    change: (xml: string) => xml.replace('xml-exc-c14n#', 'xml-exc-c14n#x'),
  },
])('a signature with $name is not plain', ({ change }) => {
  const changed = change(signed)
  expect(changed).not.toBe(signed)
  expect(isPlainSignature(signatureIn(changed))).toBe(false)
})

it.each(Object.entries(signatureMethods))(
  'the method %s is weak only with SHA-1, MD5 or HMAC',
  (name, method) => {
    const changed = signed.replace(signatureMethods['rsa-sha256'], method)
    expect(isWeakSignature(signatureIn(changed))).toBe(/sha1|md5|hmac/.test(name))
  },
)

it('metadata with an unsupported signature is rejected before it is verified', async () => {
  const trusted = readCertificates(certificate.pem).certificates
  const read = (xml: string) =>
    readIdentityProvider(Buffer.from(xml), {
      allowsLoopback: false,
      nowMs: Date.now(),
      findTrustedCertificates: () => trusted,
    })
  expect((await read(signed)).isSigned).toBe(true)
  const heavy = signed.replace(transform, (one) => one.repeat(500))
  await expect(read(heavy)).rejects.toMatchObject({
    name: 'MetadataError',
    message: expect.stringContaining('an unsupported form'),
  })
})
