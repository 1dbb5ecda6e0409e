import type { KeyObject } from 'node:crypto'
import { samlNameIdBytes } from '../../../../kernel/limits/saml-limits.ts'
import type { Certificate } from '../certificates.ts'
import { getChildren, namespaces, type XmlElement } from '../xml/element.ts'
import { outermostScope } from '../xml/names.ts'
import type { SignedInfo } from '../xml/signature-form.ts'

/** The values that a response must match to be accepted. */
export interface Expectations {
  readonly nowMs: number
  readonly serviceEntityId: string
  readonly assertionUrl: string
  readonly providerEntityId: string
  readonly certificates: readonly Certificate[]
  /** The attribute that identifies users whose NameID is transient; null if there is none. */
  readonly nameIdAttribute: string | null
  /** Whether the stated ways of signing in include one that is required. */
  readonly isAuthnContextEnough: (stated: readonly string[]) => boolean
  /** Returns the private keys of this service. Called only for encrypted content. */
  readonly decryptionKeys: () => Promise<readonly KeyObject[]>
  /** The request that the response must answer. If it is undefined, this is not checked. */
  readonly request: ExpectedRequest | undefined
}

export interface ExpectedRequest {
  readonly id: string
  readonly forceAuthn: boolean
  /** Epoch milliseconds. */
  readonly sentAt: number
}

/** Why a response is rejected, and what an administrator can do about it here or at the identity provider. */
export interface Finding {
  readonly problem: string
  readonly remedy: string
}

export const createFinding = (problem: string, remedy: string): Finding => ({ problem, remedy })

/**
 * Everything that is known about a response so far. The checks fill it in from first to last. Parts that no check has
 * filled in yet are empty elements, which all later checks reject.
 */
export interface ValidationContext {
  /** The posted form value: base64. */
  readonly posted: string
  /** The XML as it was sent. */
  text: string
  /** The root of `text`, whether or not it is signed. */
  received: XmlElement
  /** The root as it was sent. After its signature was verified: the root as read from the signed octets. */
  response: XmlElement
  isResponseSigned: boolean
  /** The SignedInfo of each verified signature, read from signed octets. */
  readonly signedInfos: SignedInfo[]
  /** The assertion as it was sent, after decryption. */
  sent: XmlElement
  /** The XML of an encrypted assertion after decryption. */
  decrypted: string | undefined
  /** The assertion, read only from signed octets. */
  assertion: XmlElement
  /** The NameID of `assertion`, after decryption. */
  nameId: XmlElement
  /** The attribute that identifies the user if the NameID does not. */
  identifier: Identifier | undefined
}

const emptyElement: XmlElement = {
  namespace: '',
  name: '',
  attributes: new Map(),
  children: [],
  text: '',
  scope: outermostScope,
  place: { start: 0, contentStart: 0, contentEnd: 0, end: 0 },
}

export const createValidationContext = (posted: string): ValidationContext => ({
  posted,
  text: '',
  received: emptyElement,
  response: emptyElement,
  isResponseSigned: false,
  signedInfos: [],
  sent: emptyElement,
  decrypted: undefined,
  assertion: emptyElement,
  nameId: emptyElement,
  identifier: undefined,
})

/** Checks one property of a response. Returns undefined if the check passes. */
export type Check = (
  context: ValidationContext,
  expectations: Expectations,
) => Finding | undefined | Promise<Finding | undefined>

/** One check of the validation. */
export interface AssertionCheck {
  /** Stable: the `reason` of a rejection. */
  readonly name: string
  /** The clause of the specification that the check implements. */
  readonly clause: string
  /** What is true if the check passes. */
  readonly statement: string
  readonly check: Check
  /** Set if no later check can run after this one fails. */
  readonly isGate?: true
  /** Set if the check runs only when all previous checks passed. */
  readonly needsAll?: true
}

/** An attribute that identifies the user instead of a transient NameID. */
export interface Identifier {
  readonly attribute: string
  readonly value: string
}

/**
 * Reads the attribute that identifies the user (SAML Core 2.7.3.1). Only its exact Name counts, because a FriendlyName
 * identifies nothing. Returns undefined unless the assertion has it exactly once, with one value, which must be a text
 * that is valid as a NameID.
 */
export const readIdentifier = (assertion: XmlElement, attribute: string): Identifier | undefined => {
  const found = getChildren(assertion, namespaces.assertion, 'AttributeStatement')
    .flatMap((statement) => getChildren(statement, namespaces.assertion, 'Attribute'))
    .filter(({ attributes }) => attributes.get('Name') === attribute)
    .map((element) => getChildren(element, namespaces.assertion, 'AttributeValue'))
  const [first, ...others] = found.flat()
  if (found.length !== 1 || !first || others.length > 0 || first.children.length > 0) return undefined
  const value = first.text.trim()
  return value === '' || /[\p{Cc}\p{Cf}]/u.test(value) || Buffer.byteLength(value) > samlNameIdBytes
    ? undefined
    : { attribute, value }
}
