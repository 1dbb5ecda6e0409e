import * as z from 'zod/mini'
import { describeModel } from '../../kernel/contract/describe.ts'
import { displayText, flag } from '../../kernel/contract/fields.ts'
import { languages } from '../../kernel/i18n/languages.ts'
import {
  attributeTextLength,
  attributeTextsMax,
  userAttributesBytes,
  userAttributesMax,
} from '../../kernel/limits/limits.ts'

const name = z
  .string()
  .check(
    z.regex(
      /^[a-z][a-z0-9_]{0,49}$/,
      'must be up to 50 lower-case letters, digits and underscores, with a letter at first',
    ),
  )
const claim = z
  .string()
  .check(
    z.regex(
      /^[A-Za-z][\w.-]{0,63}$/,
      'must be up to 64 letters, digits, underscores, dots and hyphens, with a letter at first',
    ),
  )
const type = z.enum(['text', 'number', 'boolean', 'date', 'texts'])
const allowedValues = z.array(displayText(attributeTextLength)).check(z.maxLength(attributeTextsMax))

/** What pages call an attribute in one language. */
export const AttributeLabel = z.strictObject({ language: z.enum(languages), label: displayText(100) })

describeModel(AttributeLabel, () => ({
  description: 'What pages call an attribute in one language.',
  fields: {
    language: { description: 'The language of the label.', example: 'de' },
    label: { description: 'One line of up to 100 characters.', example: 'Abteilung' },
  },
  example: { language: 'de' as const, label: 'Abteilung' },
}))

const exampleLabels = [
  { language: 'en' as const, label: 'Department' },
  { language: 'de' as const, label: 'Abteilung' },
]

export const UserAttributeDefinition = z.strictObject({
  name,
  type,
  labels: z.optional(z.array(AttributeLabel).check(z.maxLength(languages.length))),
  values: z.optional(allowedValues),
  user_access: z.optional(z.enum(['none', 'read', 'write'])),
  claim: z.optional(z.nullable(claim)),
  is_searchable: z.optional(flag),
})
export type UserAttributeDefinition = z.output<typeof UserAttributeDefinition>

const exampleDefinition = {
  name: 'department',
  type: 'text' as const,
  labels: exampleLabels,
  values: ['Sales', 'Engineering'],
  user_access: 'read' as const,
  claim: 'department',
  is_searchable: false,
}

describeModel(UserAttributeDefinition, () => ({
  description: 'An attribute that the users of this service can have.',
  fields: {
    name: {
      description: 'What operations and files call the attribute. No other attribute has the same name.',
      example: 'department',
    },
    type: `What a value is. \`text\`: one line of up to ${attributeTextLength} characters. \`texts\`: a list of such lines. \`date\`: a day such as \`2026-01-31\`. The type of an attribute never changes: remove it, and then add another one.`,
    labels:
      'What pages call the attribute, by language. Pages in other languages show the English label, or else the name. Default: none.',
    values: {
      description: `The only values that a \`text\` can have, and the only lines of \`texts\`. Empty allows all. Users keep values that are removed here. At most ${attributeTextsMax}. Default: empty.`,
      example: exampleDefinition.values,
    },
    user_access:
      'What users may do with their own value. `none`: they do not see it. `read`: they see it on the account page. `write`: they change it as well, so do not derive rights from it. Default: `none`.',
    claim: {
      description:
        'The name of the value in the claim `attributes`, which clients with the scope `attributes` get. Null keeps it from clients. Default: null.',
      example: 'department',
    },
    is_searchable:
      'Whether the list of users can be searched for a value. One attribute of the type `text` can be. It is decided when the attribute is added. Default: `false`.',
  },
  example: exampleDefinition,
}))

/** A document replaces all definitions. */
export const UserAttributes = z.strictObject({
  attributes: z.array(UserAttributeDefinition).check(z.maxLength(userAttributesMax)),
})
export type UserAttributes = z.output<typeof UserAttributes>

describeModel(UserAttributes, () => ({
  description: 'The attributes that the users of this service can have.',
  fields: {
    attributes: `The attributes in the order of pages, at most ${userAttributesMax}. A request replaces the whole list. An attribute that it leaves out is removed with all of its values.`,
  },
  example: { attributes: [exampleDefinition] },
}))

export const attributeValue = z.union([z.string(), z.number(), z.boolean(), z.array(z.string())])

/** An attribute that a user has. */
export const AttributeOfUser = z.strictObject({ name: z.string(), value: attributeValue })
export type AttributeOfUser = z.output<typeof AttributeOfUser>

const valueDescription =
  'The value, in the type of the attribute: a text, a number, true or false, a day such as `2026-01-31`, or a list of texts.'

describeModel(AttributeOfUser, () => ({
  description: 'An attribute that a user has.',
  fields: {
    name: 'The name of the attribute, from `get_user_attributes`.',
    value: { description: valueDescription, example: 'Sales' },
  },
  example: { name: 'department', value: 'Sales' },
}))

export const AttributeChange = z.strictObject({ name: z.string(), value: z.nullable(attributeValue) })
export type AttributeChange = z.output<typeof AttributeChange>

describeModel(AttributeChange, () => ({
  description: 'A new value of an attribute of a user.',
  fields: {
    name: 'The name of the attribute.',
    value: { description: `${valueDescription} Null removes it.`, example: 'Sales' },
  },
  example: { name: 'department', value: 'Sales' },
}))

/** The attributes in a request. */
export const attributeChanges = z.array(AttributeChange).check(z.maxLength(userAttributesMax))
export const attributeChangesDescription = `Values of attributes to set, or to remove with null. Attributes that are not named keep their values. The values of a user have at most ${userAttributesBytes} bytes together.`

/** An attribute of the current user. */
export const OwnAttribute = z.strictObject({
  name: z.string(),
  type,
  labels: z.array(AttributeLabel),
  values: z.array(z.string()),
  can_change: flag,
  value: z.nullable(attributeValue),
})
export type OwnAttribute = z.output<typeof OwnAttribute>

const exampleOwn = {
  name: 'department',
  type: 'text' as const,
  labels: exampleLabels,
  values: ['Sales', 'Engineering'],
  can_change: false,
  value: 'Sales',
}

describeModel(OwnAttribute, () => ({
  description: 'An attribute of the current user, which they may see.',
  fields: {
    name: 'The name of the attribute.',
    type: 'What a value is, as `get_user_attributes` describes it.',
    labels: 'What pages call the attribute, by language.',
    values: { description: 'The only values. Empty allows all.', example: exampleOwn.values },
    can_change: 'Whether the user may change it.',
    value: { description: `${valueDescription} Null if there is none.`, example: 'Sales' },
  },
  example: exampleOwn,
}))

export const OwnAttributes = z.strictObject({ attributes: z.array(OwnAttribute) })
export type OwnAttributes = z.output<typeof OwnAttributes>

describeModel(OwnAttributes, () => ({
  description: 'The attributes of the current user, which they may see.',
  fields: { attributes: 'In the order of pages.' },
  example: { attributes: [exampleOwn] },
}))

export const OwnAttributesUpdate = z.strictObject({ attributes: attributeChanges })

describeModel(OwnAttributesUpdate, () => ({
  description: 'Changes of the attributes of the current user.',
  fields: { attributes: attributeChangesDescription },
  example: { attributes: [{ name: 'nickname', value: 'Ada' }] },
}))
