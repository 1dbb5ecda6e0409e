import { SAML } from '@node-saml/node-saml'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { SignedXml } from 'xml-crypto'
import {
  diagnoseResponse,
  validateResponse,
} from '../../../lib/features/connections/saml/assertion/validate-response.ts'
import type { Expectations } from '../../../lib/features/connections/saml/assertion/validation-context.ts'
import { readCertificates } from '../../../lib/features/connections/saml/certificates.ts'
import { readAssertionWithNodeSaml } from '../../../lib/features/connections/saml/second-verifier/node-saml.ts'
import { makeCertificate } from '../../support/certificates.ts'
import { canonicalizations, envelopedSignature, ns } from '../../support/idp/names.ts'
import { encryptByOaep } from '../../support/idp/oaep.ts'
import { type SigningFacts, signXml } from '../../support/idp/sign.ts'
import { replaced, timeIn } from '../../support/idp/xml.ts'
import type { AnswerFacts } from '../../support/idp.ts'
import { makeBench } from '../../support/saml-bench.ts'

/* node-saml reads every response a second time. See docs/decisions/0017-verify-saml-responses-twice.md. */

const bench = await makeBench()
const elliptic = await makeCertificate({ curve: 'P-256' })

/** Counts the responses and the signatures that node-saml verifies. */
const spies = () => ({
  responses: vi.spyOn(SAML.prototype, 'validatePostResponseAsync'),
  signatures: vi.spyOn(SignedXml.prototype, 'checkSignature'),
})
let seen: ReturnType<typeof spies>
beforeEach(() => {
  seen = spies()
})
afterEach(() => vi.restoreAllMocks())

const post = async (facts: AnswerFacts, expected: Partial<Expectations> = {}) => {
  const posted = await bench.posted(facts)
  vi.clearAllMocks()
  return validateResponse(posted, bench.expected(expected))
}
const encrypt = () => ({ certificate: bench.own.pem })
const foreignConditions = (xml: string) =>
  replaced(xml, '</saml:Conditions>', '</saml:Conditions><x:Conditions xmlns:x="urn:x"/>')

/** Signs the assertion inside the response, since inclusive canonicalization also signs the prefixes around it. */
const signedInPlace = (facts: SigningFacts) => (xml: string) =>
  signXml(xml, "//*[local-name(.)='Assertion']", bench.idp.signer, facts)

describe('the validation accepts, like node-saml,', () => {
  const inclusive = {
    canonicalization: 'inclusive',
    transforms: [envelopedSignature, canonicalizations.inclusive],
  } as const
  it.each<{ name: string; facts: AnswerFacts | (() => AnswerFacts) }>([
    { name: 'a signed assertion', facts: {} },
    { name: 'a signed response', facts: { sign: 'response' } },
    { name: 'both signed', facts: { sign: 'both' } },
    { name: 'SHA-512', facts: { signing: { method: 'rsa-sha512', digest: 'sha512' } } },
    { name: 'PSS', facts: { signing: { method: 'rsa-pss-sha256' } } },
    { name: 'inclusive canonicalization', facts: { sign: 'response', signing: inclusive } },
    {
      name: 'inclusive canonicalization of an assertion in its response',
      facts: { sign: 'none', change: { signedResponse: signedInPlace(inclusive) } },
    },
    {
      name: 'inclusive canonicalization in both places',
      facts: { sign: 'response', signing: inclusive, change: { response: signedInPlace(inclusive) } },
    },
    { name: 'prefixes of exclusive canonicalization', facts: { signing: { prefixes: ['xs', 'saml'] } } },
    {
      name: 'no canonicalization',
      facts: { sign: 'response', signing: { transforms: [envelopedSignature] } },
    },
    {
      name: 'transforms in the other order',
      facts: { signing: { transforms: [canonicalizations.exclusive, envelopedSignature] } },
    },
    { name: 'conditions without an end', facts: { times: { notOnOrAfter: null } } },
    {
      name: 'another confirmation without an end before the right one',
      facts: () => ({
        confirmationXml: [
          '<saml:SubjectConfirmation Method="urn:oasis:names:tc:SAML:2.0:cm:holder-of-key"><saml:SubjectConfirmationData Recipient="x"/></saml:SubjectConfirmation>',
          '<saml:SubjectConfirmation Method="urn:oasis:names:tc:SAML:2.0:cm:bearer"><saml:SubjectConfirmationData',
          ` InResponseTo="_request" Recipient="${bench.target.acsUrl}" NotOnOrAfter="${timeIn(300)}"/></saml:SubjectConfirmation>`,
        ].join(''),
      }),
    },
    { name: 'an indented audience', facts: () => ({ audiences: ['x', `\n  ${bench.target.audience}\n`] }) },
    {
      name: 'characters that XML 1.1 reads as line ends',
      facts: { sign: 'both', attributes: { 'a\u2028b': ['c\u0085d', '\u2028'] } },
    },
    {
      name: 'characters written as references',
      facts: { change: { assertion: (xml) => replaced(xml, '"groups"', '"gr&#13;&#9;&#10;oups"') } },
    },
    {
      name: 'comments and character data',
      facts: { change: { assertion: (xml) => replaced(xml, 'ada@', '<!-- c -->a<![CDATA[da@]]>') } },
    },
    { name: 'an attribute that plays a part of the profile', facts: { attributes: { nameID: 'eve' } } },
    { name: 'an encrypted assertion', facts: () => ({ encrypt: encrypt() }) },
    {
      name: 'an encrypted assertion with an XML declaration',
      facts: () => ({
        encrypt: encrypt(),
        change: { signedAssertion: (xml) => `<?xml version="1.0" encoding="UTF-8"?>\n${xml}` },
      }),
    },
    {
      name: 'an encrypted assertion by inclusive canonicalization',
      facts: () => ({ encrypt: encrypt(), signing: inclusive }),
    },
    {
      name: 'an encrypted assertion with prefixes of the response around it',
      facts: () => ({
        encrypt: encrypt(),
        change: { signedAssertion: (xml) => replaced(xml, ` xmlns:saml="${ns.assertion}"`, '') },
      }),
    },
    { name: 'an encrypted assertion, all of it signed', facts: () => ({ encrypt: encrypt(), sign: 'both' }) },
    {
      name: 'an encrypted assertion by an algorithm that node-saml cannot decrypt',
      facts: () => ({
        change: {
          signedAssertion: (xml) =>
            encryptByOaep('EncryptedAssertion', xml, {
              certificate: bench.own.pem,
              hash: 'sha256',
              bits: 192,
            }),
        },
      }),
    },
  ])('$name', async ({ facts }) => {
    const given = typeof facts === 'function' ? facts() : facts
    const attributes = { groups: ['a'] }
    expect(await post({ attributes, ...given })).toHaveProperty('assertion.subject.nameId', 'ada@example.com')
    expect(seen.responses).toHaveBeenCalledOnce()
    expect(seen.signatures.mock.calls.length).toBeGreaterThan(0)
    const passed = await seen.responses.mock.results[0]?.value
    expect(passed.profile.getAssertionXml()).toContain('ada@')
  })

  const { exclusive, exclusiveWithComments } = canonicalizations
  /** Content that canonicalizations handle differently: prefixes, comments, character data, line ends, and spaces. */
  const decorated = (xml: string): string =>
    ` ${replaced(xml, '<samlp:Response ', '<samlp:Response xmlns:xs="urn:xs" xmlns="urn:default" ')}`
      .replaceAll('><', '>\r\n  <')
      .replace('<saml:Subject>', '<!-- c --><saml:Subject>')
      .replace('</saml:AttributeValue>', '<y xmlns=""/>&#13;&gt;\u0085<![CDATA[<&]]></saml:AttributeValue>')
  it.each<SigningFacts>([
    {},
    { prefixes: ['xs', 'samlp', 'unused'] },
    { canonicalization: 'exclusiveWithComments', transforms: [envelopedSignature, exclusiveWithComments] },
    inclusive,
    { transforms: [envelopedSignature] },
    { transforms: [exclusive, envelopedSignature] },
    { transforms: [canonicalizations.inclusive, envelopedSignature] },
  ])('each canonicalization in each place: %j', async (signing) => {
    const response = (xml: string) => signedInPlace(signing)(decorated(xml))
    const facts: AnswerFacts = { attributes: { mail: 'x' }, signing }
    for (const given of [
      { ...facts, sign: 'none', change: { response } },
      { ...facts, sign: 'response', change: { response } },
      { ...facts, sign: 'response', change: { response: decorated } },
    ] as const)
      expect(await post(given)).toHaveProperty('assertion.id')
    expect(seen.responses).toHaveBeenCalledOnce()
  })

  it('a response in UTF-16', async () => {
    const posted = Buffer.from(await bench.posted(), 'base64').toString()
    const utf16 = Buffer.from(`\ufeff<?xml version="1.0" encoding="UTF-16"?>${posted}`, 'utf16le')
    expect(await validateResponse(utf16.toString('base64'), bench.expected())).toHaveProperty('assertion.id')
    expect(seen.responses).toHaveBeenCalledOnce()
  })

  it('the second of several certificates', async () => {
    const pems = [(await makeCertificate()).pem, bench.idp.signer.pem]
    const certificates = pems.flatMap((pem) => readCertificates(pem).certificates)
    for (const sign of ['assertion', 'response', 'both'] as const)
      expect(await post({ sign }, { certificates })).toHaveProperty('assertion.id')
    expect(seen.responses).toHaveBeenCalledOnce()
  })
})

describe('a response whose signature covers an encrypted assertion', () => {
  const facts = (): AnswerFacts => ({ encrypt: encrypt(), sign: 'response' })

  it('has that signature verified by node-saml, which gets no private key', async () => {
    expect(await post(facts())).toHaveProperty('assertion.id')
    expect(seen.responses).not.toHaveBeenCalled()
    expect(seen.signatures).toHaveBeenCalledOnce()
  })

  it('is rejected if node-saml does not accept the signature', async () => {
    seen.signatures.mockReturnValue()
    expect(await post(facts())).toMatchObject({ refusal: { reason: 'second_verifier', hidesCause: false } })
  })

  it('is rejected if node-saml reads other signed content', async () => {
    vi.spyOn(SignedXml.prototype, 'getSignedReferences').mockReturnValue([
      '<samlp:Response xmlns:samlp="x"/>',
    ])
    expect(await post(facts())).toMatchObject({
      refusal: {
        reason: 'second_verifier',
        finding: { problem: expect.stringContaining('different content') },
      },
    })
  })
})

describe('content that no signature covers', () => {
  const junk = '<junk/>'.repeat(500)
  const junkBefore = (tag: string) => (xml: string) => replaced(xml, tag, junk + tag)
  const inResponse = junkBefore('<samlp:Status>')
  const cases: readonly (readonly [string, AnswerFacts])[] = [
    ['beside a signed assertion', { change: { response: inResponse } }],
    ['in KeyInfo of an assertion', { change: { signedAssertion: junkBefore('</ds:KeyInfo>') } }],
    [
      'in KeyInfo of a response',
      { sign: 'response', change: { signedResponse: junkBefore('</ds:KeyInfo>') } },
    ],
    ['in the value of a signature', { change: { signedAssertion: junkBefore('</ds:SignatureValue>') } }],
    ['in a signature', { change: { signedAssertion: junkBefore('</ds:Signature>') } }],
  ]
  it.each(cases)('is not handed to node-saml: %s', async (_, facts) => {
    expect(await post(facts)).toHaveProperty('assertion.id')
    const [[{ SAMLResponse = '' } = {}] = []] = seen.responses.mock.calls
    const handed = Buffer.from(SAMLResponse, 'base64').toString()
    expect(handed).toContain('ada@example.com')
    expect(handed).not.toContain('junk')
  })

  it('is not handed to node-saml: in the signature of an encrypted assertion', async () => {
    const change = { signedAssertion: junkBefore('</ds:KeyInfo>') }
    expect(await post({ encrypt: encrypt(), change })).toHaveProperty('assertion.id')
    const [[{ SAMLResponse = '' } = {}] = []] = seen.responses.mock.calls
    expect(Buffer.from(SAMLResponse, 'base64').toString()).not.toContain('junk')
  })
})

describe('the validation without node-saml', () => {
  it.each<{ name: string; facts: AnswerFacts }>([
    { name: 'rsa-sha384', facts: { signing: { method: 'rsa-sha384' } } },
    { name: 'a digest by SHA-384', facts: { sign: 'both', signing: { digest: 'sha384' } } },
    {
      name: 'a signature over the whole document',
      facts: { sign: 'response', signing: { isWholeDocument: true } },
    },
  ])('$name', async ({ facts }) => {
    expect(await post(facts)).toHaveProperty('assertion.id')
    expect(seen.signatures).not.toHaveBeenCalled()
  })

  it.each(['ecdsa-sha256', 'ecdsa-sha384', 'ecdsa-sha512'] as const)('%s', async (method) => {
    const { certificates } = readCertificates(elliptic.pem)
    const signing = { signer: elliptic, method }
    expect(await post({ sign: 'both', signing }, { certificates })).toHaveProperty('assertion.id')
    expect(seen.signatures).not.toHaveBeenCalled()
  })

  it('skips none of these forms next to a signature that node-saml knows', async () => {
    const signedInside = (xml: string) => signXml(xml, '/*', bench.idp.signer)
    const facts: AnswerFacts = {
      sign: 'response',
      signing: { method: 'rsa-sha384' },
      change: { assertion: signedInside },
    }
    expect(await post(facts)).toHaveProperty('refusal.reason', 'second_verifier')
  })

  it('skips no form because unsigned content names it', async () => {
    const unsigned = `<ds:Object><ds:SignedInfo><ds:SignatureMethod Algorithm="http://www.w3.org/2001/04/xmldsig-more#rsa-sha384"/></ds:SignedInfo></ds:Object></ds:Signature>`
    const change = { signedAssertion: (xml: string) => replaced(xml, '</ds:Signature>', unsigned) }
    expect(await post({ change })).toHaveProperty('assertion.id')
    expect(seen.responses).toHaveBeenCalledOnce()
  })
})

describe('a disagreement', () => {
  const reported = (assertion: string | undefined) =>
    seen.responses.mockResolvedValue({
      loggedOut: false,
      profile: assertion === undefined ? null : { ...noProfile, getAssertionXml: () => assertion },
    })
  const noProfile = { issuer: '', nameID: '', nameIDFormat: '' }
  it('about an accepted form is a rejection that the diagnosis explains', async () => {
    const facts: AnswerFacts = { change: { assertion: foreignConditions } }
    expect(await post(facts)).toMatchObject({
      refusal: {
        reason: 'second_verifier',
        hidesCause: false,
        finding: {
          problem: expect.stringContaining('independent check'),
          remedy: expect.stringMatching(/^[A-Z]/),
        },
      },
    })
    const { outcomes, assertion } = await diagnoseResponse(await bench.posted(facts), bench.expected())
    expect(outcomes.filter(({ outcome }) => outcome !== 'held')).toMatchObject([
      { check: { name: 'second_verifier' }, outcome: 'failed' },
    ])
    expect(assertion).toBeUndefined()
  })

  it.each<{ name: string; change: (xml: string) => string }>([
    { name: 'a text', change: (xml) => replaced(xml, 'ada@', 'eve@') },
    { name: 'an attribute', change: (xml) => replaced(xml, 'SessionIndex="', 'SessionIndex="x') },
    { name: 'an attribute more', change: (xml) => replaced(xml, '<saml:Subject>', '<saml:Subject x="y">') },
    { name: 'an attribute less', change: (xml) => replaced(xml, / SessionIndex="[^"]*"/, '') },
    { name: 'an element more', change: (xml) => replaced(xml, '</saml:Subject>', '<x/></saml:Subject>') },
    {
      name: 'an element less',
      change: (xml) => replaced(xml, /<saml:AuthnStatement[\s\S]*<\/saml:AuthnStatement>/, ''),
    },
    { name: 'a namespace', change: (xml) => xml.replaceAll(ns.assertion, 'urn:other') },
    { name: 'a name', change: (xml) => xml.replaceAll('saml:NameID', 'saml:NameId') },
    { name: 'everything', change: () => '<x/>' },
    { name: 'what is no XML', change: () => 'x' },
  ])('about $name is a rejection', async ({ change }) => {
    const posted = await bench.posted()
    const text = Buffer.from(posted, 'base64').toString()
    const assertion = /<saml:Assertion[\s\S]*<\/saml:Assertion>/.exec(text)?.[0] ?? ''
    reported(assertion)
    expect(await validateResponse(posted, bench.expected())).toHaveProperty('assertion.id')
    reported(change(assertion))
    expect(await validateResponse(posted, bench.expected())).toMatchObject({
      refusal: { reason: 'second_verifier', hidesCause: false },
    })
  })

  it('includes that node-saml reports no assertion', async () => {
    reported(undefined)
    expect(await validateResponse(await bench.posted(), bench.expected())).toHaveProperty(
      'refusal.reason',
      'second_verifier',
    )
  })
})

describe('an encrypted assertion that no signature around it covers', () => {
  it('gets the same error from the second verifier as for a wrong signature or key', async () => {
    const stranger = await makeCertificate()
    const answers = [
      await post({ encrypt: encrypt(), change: { assertion: foreignConditions } }),
      await post({ encrypt: encrypt(), signing: { signer: stranger } }),
      await post({ encrypt: { certificate: stranger.pem } }),
    ]
    expect(answers[0]).toMatchObject({ refusal: { reason: 'encrypted_assertion', hidesCause: true } })
    for (const answer of answers) expect(answer).toEqual(answers[0])
  })
})

describe('what may begin while node-saml works', () => {
  const read = async (facts: AnswerFacts) => {
    const names: string[] = []
    const posted = await bench.posted(facts)
    vi.clearAllMocks()
    const received = await validateResponse(posted, bench.expected(), ({ subject }) => {
      expect(seen.responses).not.toHaveBeenCalled()
      names.push(subject.nameId)
    })
    return { isAccepted: 'assertion' in received, names }
  }

  it('begins before node-saml does, with a name that every own check accepted', async () => {
    expect(await read({})).toEqual({ isAccepted: true, names: ['ada@example.com'] })
    const encrypted = await read({ encrypt: encrypt(), nameId: 'eve@example.com' })
    expect(encrypted).toEqual({ isAccepted: true, names: ['eve@example.com'] })
    const onlyOwn = await read({ change: { assertion: foreignConditions } })
    expect(onlyOwn).toEqual({ isAccepted: false, names: ['ada@example.com'] })
  })

  it('does not begin for a response that another check rejects', async () => {
    const stranger = await makeCertificate()
    const hostile: readonly AnswerFacts[] = [
      { sign: 'none' },
      { signing: { signer: stranger } },
      { audiences: [] },
    ]
    for (const facts of hostile) expect(await read(facts)).toEqual({ isAccepted: false, names: [] })
  })
})

describe('node-saml', () => {
  it('verifies the signature of the assertion in a signed response', async () => {
    const read = async (facts: AnswerFacts) => {
      const text = Buffer.from(await bench.posted({ sign: 'both', ...facts }), 'base64').toString()
      const { acsUrl: assertionUrl, audience } = bench.target
      const requiredSignatures = { response: true, assertion: true }
      const expected = { assertionUrl, audience, serviceEntityId: audience, requiredSignatures }
      return readAssertionWithNodeSaml(text, { pems: [bench.idp.signer.pem], ...expected })
    }
    expect(await read({})).toBeDefined()
    const change = { signedAssertion: (xml: string) => replaced(xml, 'ada@', 'eve@') }
    expect(await read({ change })).toBeUndefined()
  })

  it('is never called for a response that another check rejects', async () => {
    const stranger = await makeCertificate()
    const hostile: readonly AnswerFacts[] = [
      { sign: 'none' },
      { signing: { signer: stranger } },
      { change: { signedAssertion: (xml) => replaced(xml, 'ada@', 'eve@') } },
      { encrypt: encrypt(), sign: 'none' },
      { audiences: ['https://elsewhere.example.com'] },
      { times: { issued: -3600 } },
      { response: { inResponseTo: '_other' } },
    ]
    for (const facts of hostile) {
      expect(await post(facts)).toHaveProperty('refusal')
      await diagnoseResponse(await bench.posted(facts), bench.expected())
      expect(seen.responses).not.toHaveBeenCalled()
    }
  })
})
