import type { KeyObject } from 'node:crypto'
import type { Certificate } from '../certificates.ts'
import type { XmlElement } from '../xml/element.ts'
import { outermost } from '../xml/names.ts'
import type { SignedInfo } from '../xml/signature-form.ts'
import type { Identifier } from './identifier.ts'

/** What a response has to be about to be taken. */
export interface Expected {
  readonly nowMs: number
  readonly serviceEntityId: string
  readonly assertionUrl: string
  readonly providerEntityId: string
  readonly certificates: readonly Certificate[]
  /** The attribute that says who a user is where the name ID is transient; null where none does. */
  readonly nameIdAttribute: string | null
  /** Our private keys, asked for when something is encrypted. */
  readonly decryptionKeys: () => Promise<readonly KeyObject[]>
  /** The request that it answers; undefined where that isn't known, and then isn't looked at. */
  readonly request: ExpectedRequest | undefined
}

export interface ExpectedRequest {
  readonly id: string
  readonly forceAuthn: boolean
  /** Epoch milliseconds. */
  readonly sentAt: number
}

/** Why a response isn't taken, for whoever signs in, and what to change at the identity provider or here. */
export interface Finding {
  readonly sentence: string
  readonly remedy: string
}

export const createFinding = (sentence: string, remedy: string): Finding => ({ sentence, remedy })

/**
 * What is known of a response so far. Steps fill it in from top to bottom; what no step has filled in yet is nothing,
 * which every later step refuses.
 */
export interface ValidationContext {
  /** As it was posted: base64. */
  readonly posted: string
  /** The XML as it was sent. */
  text: string
  /** What that holds, whatever is found out about it. */
  received: XmlElement
  /** As it was sent; once its signature was verified, as that covers it. */
  response: XmlElement
  isResponseSigned: boolean
  /** What each verified signature says of itself, read from its signed octets. */
  readonly signedInfos: SignedInfo[]
  /** The assertion as it was sent, and where it came encrypted, what was decrypted. */
  sent: XmlElement
  decrypted: string | undefined
  /** Read from signed bytes alone. */
  assertion: XmlElement
  /** Read from the assertion alone; an encrypted one is decrypted. */
  nameId: XmlElement
  /** What says who the user is where that name doesn't. */
  identifier: Identifier | undefined
}

const nothing: XmlElement = {
  ...{ namespace: '', name: '', attributes: new Map(), children: [], text: '' },
  scope: outermost,
  place: { start: 0, contentStart: 0, contentEnd: 0, end: 0 },
}

export const createValidationContext = (posted: string): ValidationContext => ({
  posted,
  text: '',
  received: nothing,
  response: nothing,
  isResponseSigned: false,
  signedInfos: [],
  sent: nothing,
  decrypted: undefined,
  assertion: nothing,
  nameId: nothing,
  identifier: undefined,
})

/** Looks at one thing; undefined when it holds. */
export type Check = (
  dossier: ValidationContext,
  expected: Expected,
) => Finding | undefined | Promise<Finding | undefined>

/** One of the things that have to hold. */
export interface Step {
  /** Stable: what a refusal gives as its reason. */
  readonly name: string
  /** What it implements. */
  readonly clause: string
  /** What is so when it holds. */
  readonly holds: string
  readonly look: Check
  /** Said of a step without which nothing after it can be looked at. */
  readonly isGate?: true
  /** Set on a step that is only taken when every step before it holds. */
  readonly needsAll?: true
}
