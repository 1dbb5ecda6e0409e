import {
  resourceTypes,
  type ScimAttribute,
  type ScimResourceType,
  type ScimSchema,
} from './attributes.models.ts'

const schemaUrn = 'urn:ietf:params:scim:schemas:core:2.0:Schema'
const resourceTypeUrn = 'urn:ietf:params:scim:schemas:core:2.0:ResourceType'

/** The resources of `/Schemas` (RFC 7643 7): what is stored, and nothing else. `baseUrl` is the address of the connection. */
export const buildSchemas = (baseUrl: string, userType: ScimResourceType): readonly object[] => {
  const all: readonly ScimSchema[] = [userType, resourceTypes.Group].flatMap(
    ({ schema, extensions }: ScimResourceType) => [schema, ...extensions],
  )
  return all.map(({ urn, name, description, attributes }) => ({
    schemas: [schemaUrn],
    id: urn,
    name,
    description,
    attributes: attributes.map(showAttribute),
    meta: { resourceType: 'Schema', location: `${baseUrl}/Schemas/${urn}` },
  }))
}

/** The resources of `/ResourceTypes` (RFC 7643 6). */
export const buildResourceTypes = (baseUrl: string): readonly object[] =>
  Object.values(resourceTypes).map(
    ({ name, endpoint, description, schema, extensions }: ScimResourceType) => ({
      schemas: [resourceTypeUrn],
      id: name,
      name,
      endpoint,
      description,
      schema: schema.urn,
      schemaExtensions: extensions.map(({ urn }) => ({ schema: urn, required: false })),
      meta: { resourceType: 'ResourceType', location: `${baseUrl}/ResourceTypes/${name}` },
    }),
  )

const showAttribute = (attribute: ScimAttribute): object => ({
  name: attribute.name,
  type: attribute.type,
  multiValued: attribute.isMultiValued ?? false,
  description: attribute.description,
  required: attribute.isRequired ?? false,
  ...(attribute.type === 'string' && { caseExact: attribute.isCaseExact ?? false }),
  mutability: attribute.isReadOnly ? 'readOnly' : 'readWrite',
  returned: 'default',
  uniqueness: attribute.isUnique ? 'server' : 'none',
  ...(attribute.type === 'reference' && { referenceTypes: ['uri'] }),
  ...(attribute.parts && { subAttributes: attribute.parts.map(showAttribute) }),
})
