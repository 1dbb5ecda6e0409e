import * as z from 'zod/mini'
import { displayText, flag, text255 } from '../../kernel/contract/fields.ts'
import { field, model } from '../../kernel/contract/model.ts'
import { claimNameForm, claimNameRule } from '../../kernel/contract/text-rules.ts'
import { languages } from '../../kernel/i18n/languages.ts'
import {
  addedClaimsBytes,
  addedClaimsMax,
  attributeTextLength,
  attributeTextsMax,
  userAttributesBytes,
  userAttributesMax,
} from '../../kernel/limits/limits.ts'
import { exampleClientId, exampleProductUrl } from '../example-values.models.ts'

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
export const AttributeLabel = model(
  {
    language: field(z.enum(languages), docs && { description: 'The language of the label.', example: 'de' }),
    label: field(
      displayText(100),
      docs && { description: 'One line of up to 100 characters.', example: 'Abteilung' },
    ),
  },
  docs && {
    description: 'What pages call an attribute in one language.',
    example: { language: 'de' as const, label: 'Abteilung' },
  },
)

const exampleLabels = docs && [
  { language: 'en' as const, label: 'Department' },
  { language: 'de' as const, label: 'Abteilung' },
]

const exampleDefinition = docs && {
  name: 'department',
  type: 'text' as const,
  labels: exampleLabels,
  values: ['Sales', 'Engineering'],
  user_access: 'read' as const,
  claim: 'department',
  is_searchable: false,
}

export const UserAttributeDefinition = model(
  {
    name: field(
      name,
      docs && {
        description: 'What operations and files call the attribute. No other attribute has the same name.',
        example: 'department',
      },
    ),
    type: field(
      type,
      docs &&
        `What a value is. \`text\`: one line of up to ${attributeTextLength} characters. \`texts\`: a list of such lines. \`date\`: a day such as \`2026-01-31\`. The type of an attribute never changes: remove it, and then add another one.`,
    ),
    labels: field(
      z.optional(z.array(AttributeLabel).check(z.maxLength(languages.length))),
      docs &&
        'What pages call the attribute, by language. Pages in other languages show the English label, or else the name. Default: none.',
    ),
    values: field(
      z.optional(allowedValues),
      docs && {
        description: `The only values that a \`text\` can have, and the only lines of \`texts\`. Empty allows all. Users keep values that are removed here. At most ${attributeTextsMax}. Default: empty.`,
        example: exampleDefinition.values,
      },
    ),
    user_access: field(
      z.optional(z.enum(['none', 'read', 'write'])),
      docs &&
        'What users may do with their own value. `none`: they do not see it. `read`: they see it on the account page. `write`: they change it as well, so do not derive rights from it. Default: `none`.',
    ),
    claim: field(
      z.optional(z.nullable(claim)),
      docs && {
        description:
          'The name of the value in the claim `attributes`, which clients with the scope `attributes` get. Null keeps it from clients. Default: null.',
        example: 'department',
      },
    ),
    is_searchable: field(
      z.optional(flag),
      docs &&
        'Whether the list of users can be searched for a value. One attribute of the type `text` can be. It is decided when the attribute is added. Default: `false`.',
    ),
  },
  docs && {
    description: 'An attribute that the users of this service can have.',
    example: exampleDefinition,
  },
)
export type UserAttributeDefinition = z.output<typeof UserAttributeDefinition>

/** Where clients and APIs read an added claim. */
export const claimOutputs = ['id_token', 'userinfo', 'access_token', 'introspection'] as const
export type ClaimOutput = (typeof claimOutputs)[number]

/** The fields of an organization that a claim can have. */
export const claimedOrganizationFields = ['id', 'slug', 'name', 'external_id', 'member_limit'] as const

const claimName = z.string().check(z.regex(claimNameForm, claimNameRule))
const readers = z.array(text255).check(z.maxLength(addedClaimsMax))

const exampleClaim = docs && {
  name: 'department',
  place: 'top' as const,
  source: 'attribute' as const,
  value: 'department',
  outputs: ['id_token' as const, 'access_token' as const],
  clients: [exampleClientId],
  apis: [`${exampleProductUrl}/api`],
}

/** What a token or an answer states besides the claims of the service. */
export const AddedClaim = model(
  {
    name: field(
      claimName,
      docs && {
        description:
          'The name of the claim, such as `department` or `https://films.example.com/department`. Claims of OpenID Connect such as `given_name` need their scope and their type. Names of protocols, and what the service states itself, are refused.',
        example: exampleClaim.name,
      },
    ),
    place: field(
      z.optional(z.enum(['attributes', 'top'])),
      docs &&
        'Where it stands: inside of the claim `attributes`, or at the `top`, next to `sub`. Default: `attributes`.',
    ),
    source: field(
      z.enum(['attribute', 'organization', 'text']),
      docs &&
        'Where its value comes from: an `attribute` of the user, a field of the `organization` that the token is for, or a fixed `text`. Without a value, the claim is missing.',
    ),
    value: field(
      displayText(attributeTextLength),
      docs && {
        description: `The name of the attribute, the field of the organization (${claimedOrganizationFields.map((name) => `\`${name}\``).join(', ')}), or the text itself.`,
        example: exampleClaim.value,
      },
    ),
    outputs: field(
      z.array(z.enum(claimOutputs)).check(z.minLength(1), z.maxLength(claimOutputs.length)),
      docs &&
        'Who states it: the ID token, userinfo, the access token for an API, or the introspection of such a token. An attribute that users can write never gets into the last two.',
    ),
    clients: field(
      readers.check(z.minLength(1)),
      docs && {
        description:
          'The clients that read it, by `client_id`. It reaches no others. A client that describes itself by a document cannot be named.',
        example: exampleClaim.clients,
      },
    ),
    apis: field(
      z.optional(readers),
      docs && {
        description:
          'The APIs whose access tokens state it, by `audience`. Needed for `access_token` and `introspection`, and empty without them. Default: empty.',
        example: exampleClaim.apis,
      },
    ),
  },
  docs && { description: 'A claim that a service adds to tokens and answers.', example: exampleClaim },
)
export type AddedClaim = z.output<typeof AddedClaim>

/** A document replaces all definitions. */
export const UserAttributes = model(
  {
    attributes: field(
      z.array(UserAttributeDefinition).check(z.maxLength(userAttributesMax)),
      docs &&
        `The attributes in the order of pages, at most ${userAttributesMax}. A request replaces the whole list. An attribute that it leaves out is removed with all of its values.`,
    ),
    claims: field(
      z.optional(z.array(AddedClaim).check(z.maxLength(addedClaimsMax))),
      docs &&
        `The claims that are added to tokens and answers, at most ${addedClaimsMax}, with ${addedClaimsMax} clients and ${addedClaimsMax} APIs in all of them. What is added to one token has at most ${addedClaimsBytes} bytes. A request replaces the whole list. If it is omitted, the claims stay.`,
    ),
  },
  docs && {
    description:
      'The attributes that the users of this service can have, and the claims that tokens state of them.',
    example: { attributes: [exampleDefinition], claims: [exampleClaim] },
  },
)
export type UserAttributes = z.output<typeof UserAttributes>

export const attributeValue = z.union([z.string(), z.number(), z.boolean(), z.array(z.string())])

const valueDescription =
  docs &&
  'The value, in the type of the attribute: a text, a number, true or false, a day such as `2026-01-31`, or a list of texts.'

/** An attribute that a user has. */
export const AttributeOfUser = model(
  {
    name: field(z.string(), docs && 'The name of the attribute, from `get_user_attributes`.'),
    value: field(attributeValue, docs && { description: valueDescription, example: 'Sales' }),
  },
  docs && { description: 'An attribute that a user has.', example: { name: 'department', value: 'Sales' } },
)
export type AttributeOfUser = z.output<typeof AttributeOfUser>

export const AttributeChange = model(
  {
    name: field(z.string(), docs && 'The name of the attribute.'),
    value: field(
      z.nullable(attributeValue),
      docs && { description: `${valueDescription} Null removes it.`, example: 'Sales' },
    ),
  },
  docs && {
    description: 'A new value of an attribute of a user.',
    example: { name: 'department', value: 'Sales' },
  },
)
export type AttributeChange = z.output<typeof AttributeChange>

/** The attributes in a request. */
export const attributeChanges = z.array(AttributeChange).check(z.maxLength(userAttributesMax))
export const attributeChangesDescription =
  docs &&
  `Values of attributes to set, or to remove with null. Attributes that are not named keep their values. The values of a user have at most ${userAttributesBytes} bytes together.`

const exampleOwn = docs && {
  name: 'department',
  type: 'text' as const,
  labels: exampleLabels,
  values: ['Sales', 'Engineering'],
  can_change: false,
  value: 'Sales',
}

/** An attribute of the current user. */
export const OwnAttribute = model(
  {
    name: field(z.string(), docs && 'The name of the attribute.'),
    type: field(type, docs && 'What a value is, as `get_user_attributes` describes it.'),
    labels: field(z.array(AttributeLabel), docs && 'What pages call the attribute, by language.'),
    values: field(
      z.array(z.string()),
      docs && { description: 'The only values. Empty allows all.', example: exampleOwn.values },
    ),
    can_change: field(flag, docs && 'Whether the user may change it.'),
    value: field(
      z.nullable(attributeValue),
      docs && { description: `${valueDescription} Null if there is none.`, example: 'Sales' },
    ),
  },
  docs && { description: 'An attribute of the current user, which they may see.', example: exampleOwn },
)
export type OwnAttribute = z.output<typeof OwnAttribute>

export const OwnAttributes = model(
  {
    attributes: field(z.array(OwnAttribute), docs && 'In the order of pages.'),
  },
  docs && {
    description: 'The attributes of the current user, which they may see.',
    example: { attributes: [exampleOwn] },
  },
)
export type OwnAttributes = z.output<typeof OwnAttributes>

export const OwnAttributesUpdate = model(
  {
    attributes: field(attributeChanges, docs && attributeChangesDescription),
  },
  docs && {
    description: 'Changes of the attributes of the current user.',
    example: { attributes: [{ name: 'nickname', value: 'Ada' }] },
  },
)
