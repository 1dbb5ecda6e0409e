import { elementIn, newId, replaced } from './xml.ts'

/*
 * Signature wrapping: the signed part stays in the message, so that its signature is valid, but forged content is where
 * the reader looks. The numbers are those of the paper "On Breaking SAML" (Somorovsky and others).
 */

/** How a message is wrapped. */
export interface Wrapping {
  /** The signed part of the valid message. */
  readonly signed: 'response' | 'assertion'
  readonly wrap: (xml: string, forgery: Forgery) => string
}

export interface Forgery {
  /** Changes the signed assertion to the content that the attacker wants. */
  readonly forge: (assertion: string) => string
  /** Whether the forged part has the ID of the signed one or its own ID. */
  readonly keepsId: boolean
}

const signatureOf = (xml: string): string => elementIn(xml, 'ds:Signature')
const assertionOf = (xml: string): string => elementIn(xml, 'saml:Assertion')
const without = (xml: string, part: string): string => replaced(xml, part, '')
const withId = (xml: string, keepsId: boolean): string =>
  keepsId ? xml : replaced(xml, / ID="[^"]*"/, ` ID="${newId()}"`)
const inside = (xml: string, tag: string, content: string): string =>
  replaced(xml, new RegExp(`</${tag}>$`), `${content}</${tag}>`)

/** Creates the forged assertion, without a signature. */
const forged = (xml: string, { forge, keepsId }: Forgery): string => {
  const assertion = assertionOf(xml)
  const bare = assertion.includes('<ds:Signature') ? without(assertion, signatureOf(assertion)) : assertion
  return withId(forge(bare), keepsId)
}

/** Returns the response with a forged assertion and without its signature, and that signature. */
const forgedResponse = (xml: string, forgery: Forgery) => {
  const signature = signatureOf(xml)
  const original = without(xml, signature)
  const evil = replaced(withId(original, forgery.keepsId), assertionOf(original), forged(xml, forgery))
  return { signature, original, evil }
}

/** Inserts XML after the Issuer of a response, where its signature would be. */
const behindIssuer = (response: string, content: string): string =>
  replaced(response, '</saml:Issuer>', `</saml:Issuer>${content}`)

/** Inserts XML after the Issuer of an assertion, where its signature would be. */
const signedAs = behindIssuer

export const wrappings: Readonly<Record<string, Wrapping>> = {
  'XSW1: the signed response inside of the signature of a forged one': {
    signed: 'response',
    wrap: (xml, forgery) => {
      const { signature, original, evil } = forgedResponse(xml, forgery)
      return behindIssuer(evil, inside(signature, 'ds:Signature', original))
    },
  },
  'XSW2: the signed response in front of its signature, in a forged one': {
    signed: 'response',
    wrap: (xml, forgery) => {
      const { signature, original, evil } = forgedResponse(xml, forgery)
      return behindIssuer(evil, original + signature)
    },
  },
  'XSW3: a forged assertion in front of the signed one': {
    signed: 'assertion',
    wrap: (xml, forgery) => replaced(xml, assertionOf(xml), forged(xml, forgery) + assertionOf(xml)),
  },
  'XSW3 the other way round: a forged assertion behind the signed one': {
    signed: 'assertion',
    wrap: (xml, forgery) => replaced(xml, assertionOf(xml), assertionOf(xml) + forged(xml, forgery)),
  },
  'XSW4: the signed assertion inside of a forged one': {
    signed: 'assertion',
    wrap: (xml, forgery) =>
      replaced(xml, assertionOf(xml), inside(forged(xml, forgery), 'saml:Assertion', assertionOf(xml))),
  },
  'XSW5: the signature moved to a forged assertion, the signed one behind that': {
    signed: 'assertion',
    wrap: (xml, forgery) => {
      const signature = signatureOf(assertionOf(xml))
      const original = without(assertionOf(xml), signature)
      return replaced(xml, assertionOf(xml), signedAs(forged(xml, forgery), signature) + original)
    },
  },
  'XSW6: the signed assertion inside of its signature, which is moved to a forged one': {
    signed: 'assertion',
    wrap: (xml, forgery) => {
      const signature = signatureOf(assertionOf(xml))
      const original = without(assertionOf(xml), signature)
      const holding = inside(signature, 'ds:Signature', original)
      return replaced(xml, assertionOf(xml), signedAs(forged(xml, forgery), holding))
    },
  },
  'XSW7: a forged assertion in an extension in front of the signed one': {
    signed: 'assertion',
    wrap: (xml, forgery) =>
      replaced(
        xml,
        '<samlp:Status>',
        `<samlp:Extensions>${forged(xml, forgery)}</samlp:Extensions><samlp:Status>`,
      ),
  },
  'XSW8: the signed assertion in an object of its signature, which is moved to a forged one': {
    signed: 'assertion',
    wrap: (xml, forgery) => {
      const signature = signatureOf(assertionOf(xml))
      const original = without(assertionOf(xml), signature)
      const holding = inside(signature, 'ds:Signature', `<ds:Object>${original}</ds:Object>`)
      return replaced(xml, assertionOf(xml), signedAs(forged(xml, forgery), holding))
    },
  },
}
