import { hasAuthnStatement, hasSessionLeft, isFreshlyAuthenticated } from './authentication.ts'
import { hasKnownConditions, hasPlainAttributes, isForThisService, isWithinConditions } from './conditions.ts'
import { isConfirmed, isConfirmedForRequest, isConfirmedHere, isConfirmedNow } from './confirmation.ts'
import { canBeDecrypted } from './encrypted.ts'
import { hasOneAssertion, isBase64, isOfBoundedSize, isResponse, isSuccess, isXml } from './envelope.ts'
import { answersRequest, hasId, isByProvider, isRecent, isSentHere, isVersion2 } from './message.ts'
import { secondVerifierAgrees } from './second-verifier.ts'
import {
  assertionSignatureHolds,
  isSignedInPlace,
  isSignedSoundly,
  responseSignatureHolds,
} from './signatures.ts'
import { hasLastingNameId, hasNameId } from './subject.ts'
import type { Check, Step } from './validation-context.ts'

const step = (name: string, clause: string, holds: string, look: Check): Step => ({
  name,
  clause,
  holds,
  look,
})

/** A step without which nothing after it could be looked at. */
const gate = (...facts: Parameters<typeof step>): Step => ({ ...step(...facts), isGate: true })

/**
 * All that a response has to be before anybody is signed in by it, from top to bottom: what is cheap before what costs,
 * and whose words these are before what they say. The clauses are those of SAML 2.0, unless they name another.
 */
export const steps: readonly Step[] = [
  gate('encoding', 'Bindings 3.5.4', 'The response is Base64-encoded text.', isBase64),
  gate('xml', 'XML 1.0, Bindings 3.5.4', 'The response is well-formed XML, without a document type.', isXml),
  gate('size', 'limits of this service', 'The response is within the size limits.', isOfBoundedSize),
  gate('message', 'Core 3.3.3', 'The message is a response.', isResponse),
  gate('status', 'Core 3.2.2.2', 'The identity provider signed the user in.', isSuccess),
  gate('one_assertion', 'Core 3.3.3', 'The response contains one assertion.', hasOneAssertion),
  gate('signed', 'Core 5.3, Profiles 4.1.3.5', 'The signatures are in the expected places.', isSignedInPlace),
  gate('algorithms', 'Core 5.4, RFC 6194', 'The signatures use safe algorithms.', isSignedSoundly),
  gate(
    'response_signature',
    'Core 5.4.2, XML Signature 3.2',
    'The signature of the response is valid, or there is none.',
    responseSignatureHolds,
  ),
  gate(
    'decryption',
    'Core 6.2, XML Encryption 4.4',
    'The assertion could be decrypted, or is not encrypted.',
    canBeDecrypted,
  ),
  gate(
    'assertion_signature',
    'Core 5.4.2, XML Signature 3.2',
    'A valid signature covers the assertion.',
    assertionSignatureHolds,
  ),
  step('version', 'Core 4.1', 'Response and assertion use SAML 2.0.', isVersion2),
  step('issuer', 'Core 2.2.5, Profiles 4.1.4.2', 'The identity provider issued both.', isByProvider),
  step('destination', 'Bindings 3.5.5.2', 'The response was sent to this address.', isSentHere),
  step('issue_instant', 'Core 2.3.3 and 3.2.2', 'Both were issued recently.', isRecent),
  step(
    'in_response_to',
    'Profiles 4.1.4.3',
    'The response answers a request of this service.',
    answersRequest,
  ),
  step('assertion_id', 'Core 2.3.3', 'The assertion has an ID, so that it can be used only once.', hasId),
  step('name_id', 'Core 2.4.1, 2.2.3', 'The assertion names the user.', hasNameId),
  step('name_id_format', 'Core 8.3.8', 'The name of the user is the same at each sign-in.', hasLastingNameId),
  step('confirmation', 'Profiles 4.1.4.2', 'The assertion has a bearer confirmation.', isConfirmed),
  step('recipient', 'Core 2.4.1.2', 'The assertion was issued for this address.', isConfirmedHere),
  step(
    'confirmed_request',
    'Core 2.4.1.2',
    'The assertion answers a request of this service.',
    isConfirmedForRequest,
  ),
  step('confirmed_time', 'Core 2.4.1.2', 'The confirmation has not expired.', isConfirmedNow),
  step('conditions_time', 'Core 2.5.1.2', 'The assertion is valid now.', isWithinConditions),
  step('conditions', 'Core 2.5.1.1', 'All conditions are known.', hasKnownConditions),
  step('audience', 'Core 2.5.1.4', 'The assertion is for this service.', isForThisService),
  step('authn_statement', 'Core 2.7.2', 'The assertion says when the user signed in.', hasAuthnStatement),
  step('session_end', 'Core 2.7.2', 'The session at the identity provider has not ended.', hasSessionLeft),
  step(
    'force_authn',
    'Core 3.4.1',
    'The user signed in again if that was requested.',
    isFreshlyAuthenticated,
  ),
  step('attributes', 'Core 2.7.3', 'The attributes can be read.', hasPlainAttributes),
  {
    ...step(
      'second_verifier',
      'Core 5.4',
      'A second verifier accepts the same assertion.',
      secondVerifierAgrees,
    ),
    needsAll: true,
  },
]
