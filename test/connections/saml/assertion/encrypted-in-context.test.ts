import { createPrivateKey } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import {
  diagnoseResponse,
  validateResponse,
} from '../../../../lib/features/connections/saml/assertion/validate-response.ts'
import { readSubject } from '../../../../lib/features/connections/saml/logout/message.ts'
import { readXml } from '../../../../lib/features/connections/saml/xml/read.ts'
import { attributeXml } from '../../../support/idp/assertion.ts'
import { logoutRequestXml } from '../../../support/idp/logout.ts'
import { canonicalizations, envelopedSignature, ns } from '../../../support/idp/names.ts'
import { encryptByOaep } from '../../../support/idp/oaep.ts'
import { replaced } from '../../../support/idp/xml.ts'
import type { AnswerFacts } from '../../../support/idp.ts'
import { makeBench } from '../../../support/saml-bench.ts'

/* Encrypted elements may use prefixes that are declared around them, like plain elements. */

const bench = await makeBench()

const result = async (facts: AnswerFacts) => validateResponse(await bench.posted(facts), bench.expected())
const failedStep = async (facts: AnswerFacts) => {
  const { outcomes } = await diagnoseResponse(await bench.posted(facts), bench.expected())
  return outcomes.find(({ outcome }) => outcome === 'failed')?.check.name
}

type Change = (xml: string) => string
const all =
  (...changes: readonly Change[]): Change =>
  (xml) =>
    changes.reduce((text, change) => change(text), xml)
const declare = (tag: string, declaration: string) => (xml: string) =>
  replaced(xml, tag, `${tag} ${declaration}`)
const without = (declaration: string) => (xml: string) => replaced(xml, ` ${declaration}`, '')
const inResponse = (declaration: string) => declare('<samlp:Response', declaration)

const saml = `xmlns:saml="${ns.assertion}"`
const xsi = 'xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"'
const encrypt = () => ({ certificate: bench.own.pem })
const typed = attributeXml('mail', ['ada@example.com']).replace(
  '<saml:AttributeValue>',
  '<saml:AttributeValue xsi:type="xs:string">',
)

describe('an encrypted assertion', () => {
  it('may use a prefix that only the response declares, whichever part is signed', async () => {
    for (const sign of ['assertion', 'both', 'response'] as const) {
      const facts: AnswerFacts = {
        encrypt: encrypt(),
        sign,
        change: {
          signedAssertion: without(saml),
          // The encrypting library declares it again in the surrounding element.
          response: (xml) => replaced(xml, `<saml:EncryptedAssertion ${saml}>`, '<saml:EncryptedAssertion>'),
        },
      }
      expect(await result(facts)).toHaveProperty('assertion.subject.nameId', 'ada@example.com')
    }
  })

  it('may use a prefix that nothing else in the response uses if its own signature covers the meaning', async () => {
    const change = {
      assertion: declare('<saml:Assertion', xsi),
      signedAssertion: without(xsi),
      response: inResponse(xsi),
    }
    const facts: AnswerFacts = { encrypt: encrypt(), attributesXml: typed, change }
    for (const sign of ['assertion', 'both'] as const)
      expect(await result({ ...facts, sign })).toHaveProperty('assertion.attributes.0.values', [
        'ada@example.com',
      ])
  })

  it('may use the default namespace of the response', async () => {
    const bare: Change = (xml) =>
      xml.replaceAll(/(<\/?)saml:/g, '$1').replace(saml, `xmlns="${ns.assertion}"`)
    const outer = `xmlns="${ns.assertion}"`
    const change = { assertion: bare, signedAssertion: without(outer), response: inResponse(outer) }
    expect(await result({ encrypt: encrypt(), change })).toHaveProperty('assertion.id')
  })

  it('gets no declarations that it does not use, because inclusive canonicalization would sign them', async () => {
    const signing = {
      canonicalization: 'inclusive',
      transforms: [envelopedSignature, canonicalizations.inclusive],
    } as const
    const change = { response: inResponse('xmlns:more="urn:more"') }
    expect(await result({ encrypt: encrypt(), signing, change })).toHaveProperty('assertion.id')
  })

  it('keeps its own declarations, even if those of the response differ', async () => {
    const change = { response: all(inResponse('xmlns:xs="urn:other"'), inResponse('xmlns="urn:other"')) }
    const attributesXml =
      '<saml:Attribute Name="x"><y xmlns="urn:y" xmlns:xs="urn:z" xs:a="b"/></saml:Attribute>'
    expect(await result({ encrypt: encrypt(), attributesXml, change })).toHaveProperty('assertion.id')
  })

  it('is rejected if no element declares the prefix', async () => {
    const change = { assertion: declare('<saml:Assertion', xsi), signedAssertion: without(xsi) }
    const facts: AnswerFacts = { encrypt: encrypt(), attributesXml: typed, change }
    expect(await result(facts)).toMatchObject({
      refusal: { reason: 'encrypted_assertion', hidesCause: true },
    })
    expect(await failedStep(facts)).toBe('decryption')
  })
})

describe('an attacker who intercepts an encrypted assertion', () => {
  /** An unknown element in the signed response, but a NameID in the posted one. */
  const hidden = `<other:NameID xmlns:other="urn:other">eve@example.com</other:NameID>`
  const changed = (xml: string) => inResponse(`xmlns:other="${ns.assertion}"`)(xml)

  it('cannot change the meaning of a prefix that the signature of the assertion covers', async () => {
    const facts: AnswerFacts = {
      encrypt: encrypt(),
      nameIdXml: hidden,
      change: { signedAssertion: without('xmlns:other="urn:other"'), signedResponse: changed },
    }
    for (const sign of ['assertion', 'both'] as const)
      expect(await failedStep({ ...facts, sign })).toBe('assertion_signature')
  })

  it('cannot change the meaning of a prefix if only the response is signed', async () => {
    const facts: AnswerFacts = {
      encrypt: encrypt(),
      sign: 'response',
      nameIdXml: hidden,
      change: { signedAssertion: without('xmlns:other="urn:other"'), signedResponse: changed },
    }
    expect(await result(facts)).toMatchObject({ refusal: { reason: 'decryption', hidesCause: false } })
    const honest = { ...facts.change, response: changed, signedResponse: (xml: string) => xml }
    expect(await result({ ...facts, change: honest })).toHaveProperty('refusal.reason', 'decryption')
  })

  it('cannot inject attributes with a declaration that closes its own quotes', async () => {
    const forged = `xmlns:saml='${ns.assertion}" ID="_evil'`
    const change = { signedAssertion: without(saml), response: (xml: string) => xml.replace(saml, forged) }
    expect(await failedStep({ encrypt: encrypt(), change })).toBeDefined()
  })
})

describe('an encrypted name ID', () => {
  const element = '<saml:NameID Format="urn:x">hidden@example.com</saml:NameID>'
  const encrypted = () => {
    const xml = encryptByOaep('EncryptedID', element, { certificate: bench.own.pem, hash: 'sha256' })
    return replaced(xml, ` ${saml}`, '')
  }

  it('may use a prefix of the assertion', async () => {
    const nameIdXml = encrypted()
    for (const sign of ['assertion', 'response'] as const)
      expect(await result({ nameIdXml, sign })).toHaveProperty(
        'assertion.subject.nameId',
        'hidden@example.com',
      )
    expect(await result({ nameIdXml, encrypt: encrypt() })).toHaveProperty(
      'assertion.subject.nameId',
      'hidden@example.com',
    )
  })

  it('may use a prefix of the logout request', async () => {
    const text = logoutRequestXml('https://idp.example.com', 'https://here.example.com', {
      nameIdXml: encrypted(),
    })
    const message = { id: '_1', issuedAt: 0, root: readXml(text) }
    expect(await readSubject(message, async () => [createPrivateKey(bench.own.keyPem)])).toEqual({
      nameId: 'hidden@example.com',
      nameIdFormat: 'urn:x',
      sessionIndexes: [],
    })
  })
})
