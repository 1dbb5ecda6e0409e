import { childrenOf, is, namespaces, type XmlElement } from '../xml/element.ts'
import { one } from './parts.ts'
import { finding, type Look } from './validation-context.ts'
import { outsideOf } from './validity.ts'

/* When and for whom the assertion is good. */

const { assertion } = namespaces

export const isWithinConditions: Look = ({ assertion: believed }, { nowMs }) => {
  const conditions = one(believed, 'Conditions')
  return conditions ? outsideOf(conditions, nowMs) : noConditions
}

const noConditions = finding(
  'The assertion does not say whom it is for.',
  'Have the identity provider set the audience (entity id, identifier) of this service.',
)

const knownConditions = ['AudienceRestriction', 'OneTimeUse', 'ProxyRestriction']

/** A condition that isn't understood makes it unknown whether the assertion is good. */
export const hasKnownConditions: Look = ({ assertion: believed }) =>
  one(believed, 'Conditions')?.children.every((child) =>
    knownConditions.some((name) => is(child, assertion, name)),
  )
    ? undefined
    : finding(
        'The assertion sets a condition that is not known here.',
        'Have the identity provider leave out conditions of its own.',
      )

/** Of each restriction, one audience must be this service. */
export const isForThisService: Look = ({ assertion: believed }, { serviceEntityId }) => {
  const conditions = one(believed, 'Conditions')
  const restrictions = conditions ? childrenOf(conditions, assertion, 'AudienceRestriction') : []
  const isOurs = (restriction: XmlElement): boolean =>
    childrenOf(restriction, assertion, 'Audience').some(({ text }) => text.trim() === serviceEntityId)
  if (restrictions.length === 0) return noConditions
  return restrictions.every(isOurs)
    ? undefined
    : finding(
        'The assertion was made for another service.',
        `Set the audience (entity id, identifier) at the identity provider to ${serviceEntityId}`,
      )
}

export const hasPlainAttributes: Look = ({ assertion: believed }) =>
  childrenOf(believed, assertion, 'AttributeStatement').some(
    (statement) => childrenOf(statement, assertion, 'EncryptedAttribute').length > 0,
  )
    ? finding(
        'The response encrypts single attributes.',
        'Encrypt the whole assertion instead, or nothing: the connection is encrypted anyway.',
      )
    : undefined
