import { readDefined } from '../../kernel/contract/stored-attributes.ts'
import { userClientFields } from '../../published-clients/stored-fields.ts'
import type { Change } from '../events/describe-changes.ts'
import { userAuditFields } from './user-field-names.models.prebuilt.ts'

/** A change of a user for an event. Attributes, of which the record has a text, are fields of their own there. */
export const toUserChange = (before: object, after: object): Change => ({
  fields: userAuditFields,
  before: showAttributes(before),
  after: showAttributes(after),
})

const showAttributes = (state: object): object => {
  const { attributes, ...rest } = state as { readonly attributes?: unknown }
  if (typeof attributes !== 'string') return state
  const defined = Object.fromEntries(readDefined(attributes))
  return { ...rest, ...userClientFields.read(attributes), attributes: defined }
}
