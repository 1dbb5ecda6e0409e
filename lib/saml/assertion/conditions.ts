import { getChildren, isElement, namespaces, type XmlElement } from '../xml/element.ts'
import { findOnlyChild } from './find-only-child.ts'
import { type Check, createFinding } from './validation-context.ts'
import { checkValidityPeriod } from './validity.ts'

/* Checks of when and for which service the assertion is valid. */

export const checkConditionsTime: Check = ({ assertion }, { nowMs }) => {
  const conditions = findOnlyChild(assertion, 'Conditions')
  return conditions ? checkValidityPeriod(conditions, nowMs) : missingAudience
}

const missingAudience = createFinding(
  'The assertion does not say which service it is for.',
  'Set the audience (entity id, identifier) of this service at the identity provider.',
)

const knownConditions = ['AudienceRestriction', 'OneTimeUse', 'ProxyRestriction']

/** An unknown condition may restrict the assertion in a way that this service cannot check. */
export const checkConditions: Check = ({ assertion }) =>
  findOnlyChild(assertion, 'Conditions')?.children.every((child) =>
    knownConditions.some((name) => isElement(child, namespaces.assertion, name)),
  )
    ? undefined
    : createFinding(
        'The assertion has an unknown condition.',
        'Set the identity provider to send only the conditions that SAML defines.',
      )

/** Each restriction must list this service as one of its audiences. */
export const checkAudience: Check = ({ assertion }, { serviceEntityId }) => {
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

export const checkAttributes: Check = ({ assertion }) =>
  getChildren(assertion, namespaces.assertion, 'AttributeStatement').some(
    (statement) => getChildren(statement, namespaces.assertion, 'EncryptedAttribute').length > 0,
  )
    ? createFinding(
        'The response encrypts single attributes.',
        'Encrypt the whole assertion or nothing. The connection is already encrypted.',
      )
    : undefined
