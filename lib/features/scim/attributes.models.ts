/*
 * All attributes that are stored of the users and groups of a directory. Schemas, filters, PATCH, the console and exports follow from these
 * lists. An attribute without a row is ignored.
 */

/** The URN of a schema, of which the names of its attributes can be part. */
export const schemaUrns = {
  user: 'urn:ietf:params:scim:schemas:core:2.0:User',
  enterpriseUser: 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User',
  group: 'urn:ietf:params:scim:schemas:core:2.0:Group',
} as const

export interface ScimAttribute {
  /** The name as answers have it. Requests can have it in any case. */
  readonly name: string
  readonly type: 'string' | 'boolean' | 'dateTime' | 'reference' | 'complex'
  readonly isMultiValued?: true
  readonly isRequired?: true
  /** The service sets it. Requests cannot. */
  readonly isReadOnly?: true
  /** Whether case makes a difference when values are compared. */
  readonly isCaseExact?: true
  /** Whether no other resource of the connection can have the value. */
  readonly isUnique?: true
  /** Whether its entries are records of their own: see `lib/features/provisioning/groups.records.ts`. */
  readonly isStoredApart?: true
  readonly description: string
  /** The attributes of a complex value (RFC 7643 2.3.8). */
  readonly parts?: readonly ScimAttribute[]
}

export interface ScimSchema {
  readonly urn: string
  readonly name: string
  readonly description: string
  readonly attributes: readonly ScimAttribute[]
}

const text = (name: string, description: string, rest: Partial<ScimAttribute> = {}): ScimAttribute => ({
  name,
  type: 'string',
  description,
  ...rest,
})

/** What every resource has (RFC 7643 3.1). It is in no schema. */
const common: readonly ScimAttribute[] = [
  text('id', 'The ID that this service gave the resource.', { isReadOnly: true, isCaseExact: true }),
  text('externalId', 'The ID that the directory gave the resource.', { isCaseExact: true }),
  {
    name: 'meta',
    type: 'complex',
    isReadOnly: true,
    description: 'When the resource was created and changed.',
    parts: [
      text('resourceType', 'The name of the resource type.', { isReadOnly: true, isCaseExact: true }),
      { name: 'created', type: 'dateTime', isReadOnly: true, description: 'When it was created.' },
      { name: 'lastModified', type: 'dateTime', isReadOnly: true, description: 'When it last changed.' },
      { name: 'location', type: 'reference', isReadOnly: true, description: 'The address of the resource.' },
      text('version', 'The entity tag of the resource.', { isReadOnly: true, isCaseExact: true }),
    ],
  },
]

const user: ScimSchema = {
  urn: schemaUrns.user,
  name: 'User',
  description: 'A person in the directory.',
  attributes: [
    text('userName', 'The name of the person in the directory. It is unique in the connection.', {
      isRequired: true,
      isUnique: true,
    }),
    {
      name: 'name',
      type: 'complex',
      description: 'The parts of the name of the person.',
      parts: [
        text('formatted', 'The full name.'),
        text('familyName', 'The family name.'),
        text('givenName', 'The given name.'),
      ],
    },
    text('displayName', 'The name to show.'),
    text('title', 'The title of the position, such as "Editor".'),
    text('preferredLanguage', 'The language of the person, as in Accept-Language.'),
    {
      name: 'active',
      type: 'boolean',
      description: 'Whether the person may use the service. Everything that they hold ends with false.',
    },
    {
      name: 'emails',
      type: 'complex',
      isMultiValued: true,
      description: 'The email addresses of the person.',
      parts: [
        text('value', 'The address.'),
        text('type', 'What the address is for, such as "work".'),
        { name: 'primary', type: 'boolean', description: 'Whether it is the main address.' },
      ],
    },
    {
      name: 'groups',
      type: 'complex',
      isMultiValued: true,
      isReadOnly: true,
      description: 'The groups of the person. They change with the members of a group.',
      parts: [
        text('value', 'The ID of the group.', { isReadOnly: true, isCaseExact: true }),
        { name: '$ref', type: 'reference', isReadOnly: true, description: 'The address of the group.' },
        text('display', 'The name of the group.', { isReadOnly: true }),
      ],
    },
  ],
}

/** What is stored of a person only if the settings of the connection make it an attribute of accounts. */
export const mappedUserAttributes: readonly ScimAttribute[] = [
  text('nickName', 'The casual name of the person.'),
  text('userType', 'How the person belongs to the organization, such as "Contractor".'),
  text('locale', 'The locale of the person, such as "en-US".'),
  text('timezone', 'The time zone of the person, such as "Europe/Oslo".'),
  {
    name: 'phoneNumbers',
    type: 'complex',
    isMultiValued: true,
    description: 'The phone numbers of the person.',
    parts: [
      text('value', 'The number.'),
      text('type', 'What the number is for, such as "work".'),
      { name: 'primary', type: 'boolean', description: 'Whether it is the main number.' },
    ],
  },
]

const enterpriseUser: ScimSchema = {
  urn: schemaUrns.enterpriseUser,
  name: 'EnterpriseUser',
  description: 'What an organization knows about a person (RFC 7643 4.3).',
  attributes: [
    text('employeeNumber', 'The number of the person in the organization.'),
    text('costCenter', 'The cost center.'),
    text('organization', 'The name of the organization.'),
    text('division', 'The division.'),
    text('department', 'The department.'),
    {
      name: 'manager',
      type: 'complex',
      description: 'The manager of the person.',
      parts: [
        text('value', 'The ID of the manager in this service.', { isCaseExact: true }),
        text('displayName', 'The name of the manager.', { isReadOnly: true }),
      ],
    },
  ],
}

const group: ScimSchema = {
  urn: schemaUrns.group,
  name: 'Group',
  description: 'A group in the directory.',
  attributes: [
    text('displayName', 'The name of the group. It is unique in the connection.', {
      isRequired: true,
      isUnique: true,
    }),
    {
      name: 'members',
      type: 'complex',
      isMultiValued: true,
      isStoredApart: true,
      description: 'The people in the group.',
      parts: [
        text('value', 'The ID of the person in this service.', { isCaseExact: true }),
        { name: '$ref', type: 'reference', isReadOnly: true, description: 'The address of the person.' },
        text('display', 'The name of the person.', { isReadOnly: true }),
      ],
    },
  ],
}

/** A kind of resources: its first schema, and those that extend it. */
export interface ScimResourceType {
  readonly name: 'User' | 'Group'
  readonly endpoint: '/Users' | '/Groups'
  readonly description: string
  readonly schema: ScimSchema
  readonly extensions: readonly ScimSchema[]
}

export const resourceTypes = {
  User: {
    name: 'User',
    endpoint: '/Users',
    description: 'The people of the directory.',
    schema: user,
    extensions: [enterpriseUser],
  },
  Group: {
    name: 'Group',
    endpoint: '/Groups',
    description: 'The groups of the directory.',
    schema: group,
    extensions: [],
  },
} as const satisfies Readonly<Record<string, ScimResourceType>>

/** The attributes that all resources have. */
export const commonAttributes: readonly ScimAttribute[] = common
