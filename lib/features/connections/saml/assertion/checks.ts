import { findOnlyChild, getChildren, isElement, namespaces, type XmlElement } from '../xml/element.ts'
import { checkAuthnContext, checkAuthnStatement, checkForceAuthn, checkSessionEnd } from './authentication.ts'
import {
  checkConfirmation,
  checkConfirmationTime,
  checkConfirmedRequest,
  checkRecipient,
} from './confirmation.ts'
import { decryptAssertion } from './decrypt-assertion.ts'
import {
  checkAssertionCount,
  checkEncoding,
  checkMessageType,
  checkSize,
  checkStatus,
  checkXml,
} from './envelope.ts'
import {
  checkAssertionId,
  checkDestination,
  checkInResponseTo,
  checkIssueInstant,
  checkIssuer,
  checkVersion,
} from './message.ts'
import { checkWithSecondVerifier } from './second-verifier.ts'
import {
  checkAlgorithms,
  checkAssertionSignature,
  checkResponseSignature,
  checkSignaturePlaces,
} from './signatures.ts'
import { checkNameId, checkNameIdFormat } from './subject.ts'
import { checkValidityPeriod } from './times.ts'
import { type AssertionCheck, type Check, createFinding } from './validation-context.ts'

/* Checks of when and for which service the assertion is valid. */

const checkConditionsTime: Check = ({ assertion }, { nowMs }) => {
  const conditions = findOnlyChild(assertion, 'Conditions')
  return conditions ? checkValidityPeriod(conditions, nowMs) : missingAudience
}

const missingAudience = createFinding(
  'The assertion does not say which service it is for.',
  'Set the audience (entity id, identifier) of this service at the identity provider.',
)

const knownConditions = ['AudienceRestriction', 'OneTimeUse', 'ProxyRestriction']

/** An unknown condition may restrict the assertion in a way that this service cannot check. */
const checkConditions: Check = ({ assertion }) =>
  findOnlyChild(assertion, 'Conditions')?.children.every((child) =>
    knownConditions.some((name) => isElement(child, namespaces.assertion, name)),
  )
    ? undefined
    : createFinding(
        'The assertion has an unknown condition.',
        'Set the identity provider to send only the conditions that SAML defines.',
      )

/** Each restriction must list this service as one of its audiences. */
const checkAudience: Check = ({ assertion }, { serviceEntityId }) => {
  const conditions = findOnlyChild(assertion, 'Conditions')
  const restrictions = conditions ? getChildren(conditions, namespaces.assertion, 'AudienceRestriction') : []
  const includesService = (restriction: XmlElement): boolean =>
    getChildren(restriction, namespaces.assertion, 'Audience').some(
      ({ text }) => text.trim() === serviceEntityId,
    )
  if (restrictions.length === 0) return missingAudience
  return restrictions.every(includesService)
    ? undefined
    : createFinding(
        'The assertion was issued for another service.',
        `Set the audience (entity id, identifier) at the identity provider to ${serviceEntityId}`,
      )
}

const checkAttributes: Check = ({ assertion }) =>
  getChildren(assertion, namespaces.assertion, 'AttributeStatement').some(
    (statement) => getChildren(statement, namespaces.assertion, 'EncryptedAttribute').length > 0,
  )
    ? createFinding(
        'The response encrypts single attributes.',
        'Encrypt the whole assertion or nothing. The connection is already encrypted.',
      )
    : undefined

const createCheck = (name: string, clause: string, statement: string, check: Check): AssertionCheck => ({
  name,
  clause,
  statement,
  check,
})

/** Creates a check whose failure makes all later checks impossible. */
const createGate = (...values: Parameters<typeof createCheck>): AssertionCheck => ({
  ...createCheck(...values),
  isGate: true,
})

/**
 * Everything that a response must satisfy before it signs a user in. Cheap checks come before expensive ones, and
 * signatures before content. Clauses are those of SAML 2.0 unless another specification is named.
 */
export const checks: readonly AssertionCheck[] = [
  createGate('encoding', 'Bindings 3.5.4', 'The response is Base64-encoded text.', checkEncoding),
  createGate(
    'xml',
    'XML 1.0, Bindings 3.5.4',
    'The response is well-formed XML, without a document type.',
    checkXml,
  ),
  createGate('size', 'limits of this service', 'The response is within the size limits.', checkSize),
  createGate('message', 'Core 3.3.3', 'The message is a response.', checkMessageType),
  createGate('status', 'Core 3.2.2.2', 'The identity provider signed the user in.', checkStatus),
  createGate('one_assertion', 'Core 3.3.3', 'The response contains one assertion.', checkAssertionCount),
  createGate(
    'signed',
    'Core 5.3, Profiles 4.1.3.5',
    'The signatures are in the expected places.',
    checkSignaturePlaces,
  ),
  createGate('algorithms', 'Core 5.4, RFC 6194', 'The signatures use safe algorithms.', checkAlgorithms),
  createGate(
    'response_signature',
    'Core 5.4.2, XML Signature 3.2',
    'The signature of the response is valid, or there is none.',
    checkResponseSignature,
  ),
  createGate(
    'decryption',
    'Core 6.2, XML Encryption 4.4',
    'The assertion could be decrypted, or is not encrypted.',
    decryptAssertion,
  ),
  createGate(
    'assertion_signature',
    'Core 5.4.2, XML Signature 3.2',
    'A valid signature covers the assertion.',
    checkAssertionSignature,
  ),
  createCheck('version', 'Core 4.1', 'Response and assertion use SAML 2.0.', checkVersion),
  createCheck('issuer', 'Core 2.2.5, Profiles 4.1.4.2', 'The identity provider issued both.', checkIssuer),
  createCheck('destination', 'Bindings 3.5.5.2', 'The response was sent to this address.', checkDestination),
  createCheck('issue_instant', 'Core 2.3.3 and 3.2.2', 'Both were issued recently.', checkIssueInstant),
  createCheck(
    'in_response_to',
    'Profiles 4.1.4.3',
    'The response answers a request of this service.',
    checkInResponseTo,
  ),
  createCheck(
    'assertion_id',
    'Core 2.3.3',
    'The assertion has an ID, so that it can be used only once.',
    checkAssertionId,
  ),
  createCheck('name_id', 'Core 2.4.1, 2.2.3', 'The assertion names the user.', checkNameId),
  createCheck(
    'name_id_format',
    'Core 8.3.8',
    'The name of the user is the same at each sign-in.',
    checkNameIdFormat,
  ),
  createCheck(
    'confirmation',
    'Profiles 4.1.4.2',
    'The assertion has a bearer confirmation.',
    checkConfirmation,
  ),
  createCheck('recipient', 'Core 2.4.1.2', 'The assertion was issued for this address.', checkRecipient),
  createCheck(
    'confirmed_request',
    'Core 2.4.1.2',
    'The assertion answers a request of this service.',
    checkConfirmedRequest,
  ),
  createCheck('confirmed_time', 'Core 2.4.1.2', 'The confirmation has not expired.', checkConfirmationTime),
  createCheck('conditions_time', 'Core 2.5.1.2', 'The assertion is valid now.', checkConditionsTime),
  createCheck('conditions', 'Core 2.5.1.1', 'All conditions are known.', checkConditions),
  createCheck('audience', 'Core 2.5.1.4', 'The assertion is for this service.', checkAudience),
  createCheck(
    'authn_statement',
    'Core 2.7.2',
    'The assertion says when the user signed in.',
    checkAuthnStatement,
  ),
  createCheck(
    'session_end',
    'Core 2.7.2',
    'The session at the identity provider has not ended.',
    checkSessionEnd,
  ),
  createCheck(
    'force_authn',
    'Core 3.4.1',
    'The user signed in again if that was requested.',
    checkForceAuthn,
  ),
  createCheck(
    'authn_context',
    'Core 3.3.2.2.1',
    'The user signed in there in a way that this connection accepts.',
    checkAuthnContext,
  ),
  createCheck('attributes', 'Core 2.7.3', 'The attributes can be read.', checkAttributes),
  {
    ...createCheck(
      'second_verifier',
      'Core 5.4',
      'A second verifier accepts the same assertion.',
      checkWithSecondVerifier,
    ),
    needsAll: true,
  },
]
