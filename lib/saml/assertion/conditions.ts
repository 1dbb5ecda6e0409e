import { getChildren, isElement, namespaces, type XmlElement } from '../xml/element.ts'
import { findOnlyChild } from './parts.ts'
import { type Check, createFinding } from './validation-context.ts'
import { findOutside } from './validity.ts'

/* When and for whom the assertion is good. */

const { assertion } = namespaces

export const isWithinConditions: Check = ({ assertion: believed }, { nowMs }) => {
  const conditions = findOnlyChild(believed, 'Conditions')
  return conditions ? findOutside(conditions, nowMs) : noConditions
}

const noConditions = createFinding(
  'The assertion does not say whom it is for.',
  'Have the identity provider set the audience (entity id, identifier) of this service.',
)

const knownConditions = ['AudienceRestriction', 'OneTimeUse', 'ProxyRestriction']

/** A condition that isn't understood makes it unknown whether the assertion is good. */
export const hasKnownConditions: Check = ({ assertion: believed }) =>
  findOnlyChild(believed, 'Conditions')?.children.every((child) =>
    knownConditions.some((name) => isElement(child, assertion, name)),
  )
    ? undefined
    : createFinding(
        'The assertion sets a condition that is not known here.',
        'Have the identity provider leave out conditions of its own.',
      )

/** Of each restriction, one audience must be this service. */
export const isForThisService: Check = ({ assertion: believed }, { serviceEntityId }) => {
  const conditions = findOnlyChild(believed, 'Conditions')
  const restrictions = conditions ? getChildren(conditions, assertion, 'AudienceRestriction') : []
  const isOurs = (restriction: XmlElement): boolean =>
    getChildren(restriction, assertion, 'Audience').some(({ text }) => text.trim() === serviceEntityId)
  if (restrictions.length === 0) return noConditions
  return restrictions.every(isOurs)
    ? undefined
    : createFinding(
        'The assertion was made for another service.',
        `Set the audience (entity id, identifier) at the identity provider to ${serviceEntityId}`,
      )
}

export const hasPlainAttributes: Check = ({ assertion: believed }) =>
  getChildren(believed, assertion, 'AttributeStatement').some(
    (statement) => getChildren(statement, assertion, 'EncryptedAttribute').length > 0,
  )
    ? createFinding(
        'The response encrypts single attributes.',
        'Encrypt the whole assertion instead, or nothing: the connection is encrypted anyway.',
      )
    : undefined
