import { scimBodyBytes } from '../../kernel/limits/connection-limits.ts'
import { bulkOperationsMax } from './bulk-limits.ts'
import { pageMax } from './list-resources.ts'
import { buildResourceTypes, buildSchemas } from './schema-resources.ts'
import type { ScimContext } from './scim-context.ts'
import { listUrn, notFound, type ScimReply } from './scim-reply.ts'
import { getUserType } from './user-type.ts'

const configUrn = 'urn:ietf:params:scim:schemas:core:2.0:ServiceProviderConfig'

const buildConfig = (baseUrl: string) => ({
  schemas: [configUrn],
  patch: { supported: true },
  bulk: { supported: true, maxOperations: bulkOperationsMax, maxPayloadSize: scimBodyBytes },
  filter: { supported: true, maxResults: pageMax },
  changePassword: { supported: false },
  sort: { supported: false },
  etag: { supported: true },
  // RFC 9865 section 4
  pagination: {
    cursor: true,
    index: true,
    defaultPaginationMethod: 'index',
    defaultPageSize: pageMax,
    maxPageSize: pageMax,
  },
  authenticationSchemes: [
    {
      type: 'oauthbearertoken',
      name: 'Token of the connection',
      description: 'A token that a manager of the connection created, as a bearer token (RFC 6750).',
      primary: true,
    },
  ],
  meta: { resourceType: 'ServiceProviderConfig', location: `${baseUrl}/ServiceProviderConfig` },
})

const listAll = (resources: readonly object[]): ScimReply => ({
  status: 200,
  body: {
    schemas: [listUrn],
    totalResults: resources.length,
    itemsPerPage: resources.length,
    startIndex: 1,
    Resources: resources,
  },
})

type Documents = (scim: Pick<ScimContext, 'baseUrl' | 'caller'>) => readonly object[]

const collections: ReadonlyMap<string, Documents> = new Map<string, Documents>([
  ['Schemas', (scim) => buildSchemas(scim.baseUrl, getUserType(scim))],
  ['ResourceTypes', ({ baseUrl }) => buildResourceTypes(baseUrl)],
])

/** Whether a path leads to a document that describes the service, which nothing changes. */
export const isDocument = (resource: string): boolean =>
  resource === 'ServiceProviderConfig' || collections.has(resource)

/** The documents that describe the service (RFC 7644 4). Undefined for a path that leads to none. */
export const showDocuments = (scim: ScimContext, resource: string): ScimReply | undefined => {
  if (resource === 'ServiceProviderConfig') return { status: 200, body: buildConfig(scim.baseUrl) }
  const build = collections.get(resource)
  return build && listAll(build(scim))
}

/** One schema, or one kind of resources. @throws ScimError 404 */
export const showDocument = (scim: ScimContext, resource: string, key: string): ScimReply | undefined => {
  const build = collections.get(resource)
  if (!build) return undefined
  const found = build(scim).find((one) => 'id' in one && one.id === key)
  if (!found) throw notFound()
  return { status: 200, body: found }
}
