import * as z from 'zod/mini'
import { exampleIds } from '../../accounts/example-values.models.ts'
import { byScimToken } from '../../kernel/contract/access.ts'
import { describe } from '../../kernel/contract/describe.ts'
import { anyText } from '../../kernel/contract/fields.ts'
import { defineOperation } from '../../kernel/contract/operation.ts'
import { scimBodyBytes } from '../../kernel/limits/connection-limits.ts'
import { schemaUrns } from './attributes.models.ts'

const media = 'application/scim+json'
const errors = { 400: media, 404: media, 409: media, 412: media, 413: media, 501: media } as const

const byDirectory = {
  group: 'scim',
  access: byScimToken,
  errors: ['too_many_requests'],
  localChange: 'by_connection',
  errorFormat: 'scim',
  ignoresAccept: true,
  limits: ['scimRequests'],
} as const
const withBody = { bodyType: 'scim', bodyLimitBytes: scimBodyBytes } as const

const resources = '/scim/v2/{connection_id}/{resource}'
const resource = `${resources}/{resource_key}` as const

const projection = {
  attributes: z.optional(anyText),
  excludedAttributes: z.optional(anyText),
}
/** Parameters that are not known are ignored (RFC 7644 3.4.2). */
const listQuery = z.object({
  filter: z.optional(anyText),
  startIndex: z.optional(anyText),
  count: z.optional(anyText),
  cursor: z.optional(anyText),
  ...projection,
})
const projectionQuery = z.object(projection)
/** Changes understand `attributes` and `excludedAttributes` as well. The typed client has no parameters besides a body. */
const ignoredQuery = z.object({})
/** The parser of SCIM reads the body, so that errors have the words of the protocol. */
const anyBody = z.unknown()

const connectionDescription =
  docs && ({ description: 'The ID of the connection.', example: exampleIds.oidcConnection } as const)
const exampleKey = '0195f2c4-8a00-7c1e-9a3b-5f6d2c1b0a99'
const resourceDescription =
  docs &&
  ({
    description:
      'The kind of resources: `Users`, `Groups`, `Schemas`, `ResourceTypes`, `ServiceProviderConfig`, or `Bulk`.',
    example: 'Users',
  } as const)
const keyDescription =
  docs &&
  ({
    description: 'The ID of the resource, or the URN or the name of a schema or a type.',
    example: exampleKey,
  } as const)
const projectionTexts =
  docs &&
  ({
    attributes: { description: 'The attributes to return, separated by commas.', example: 'userName,active' },
    excludedAttributes: {
      description: 'The attributes to leave out, separated by commas.',
      example: 'members',
    },
  } as const)
const listTexts =
  docs &&
  ({
    filter: {
      description:
        'A filter (RFC 7644 3.4.2.2) with `eq`, `co`, `sw`, `pr`, `and`, `or` and `not`, at most 1 KB.',
      example: 'userName eq "ada@example.com"',
    },
    startIndex: { description: 'The number of the first result, from 1.', example: '1' },
    count: { description: 'How many results to return, at most 100.', example: '100' },
    cursor: {
      description:
        'Where to continue (RFC 9865): empty for the first page, then `nextCursor` of the last one.',
      example: '',
    },
  } as const)

const exampleUser = docs && {
  schemas: [schemaUrns.user],
  userName: 'ada@example.com',
  externalId: '00ujl29u0le5T6Aj10h7',
  name: { givenName: 'Ada', familyName: 'Lovelace' },
  active: true,
}
/** The same person as responses show them. */
const shownUser =
  docs &&
  JSON.stringify({
    ...exampleUser,
    id: exampleKey,
    groups: [],
    meta: {
      resourceType: 'User',
      created: '2026-03-02T09:14:00.000Z',
      lastModified: '2026-03-02T09:14:00.000Z',
      location: `https://auth.example.com/scim/v2/${exampleIds.oidcConnection}/Users/${exampleKey}`,
      version: 'W/"1"',
    },
  })
const shownPage =
  docs &&
  JSON.stringify({
    schemas: ['urn:ietf:params:scim:api:messages:2.0:ListResponse'],
    totalResults: 0,
    itemsPerPage: 0,
    startIndex: 1,
    Resources: [],
  })
const examplePatch = docs && {
  schemas: ['urn:ietf:params:scim:api:messages:2.0:PatchOp'],
  Operations: [{ op: 'replace', path: 'active', value: false }],
}

const userEvents = [
  'scim.user_changed',
  'scim.user_ended',
  'scim.user_returned',
  'scim.owner_kept',
  'user.everything_ended',
  'user.changed',
  'session.ended',
  'access_token.deleted',
  'api_token.deleted',
  'organization.invitation_revoked',
  'organization.member_removed',
  'organization.member_added',
  'organization.member_changed',
  'email.change_requested',
  'email.claim_ended',
  'passkey.removed',
  'saml_setup.link_revoked',
  'user.deleted',
] as const

const standard = 'SCIM 2.0 (RFC 7643, RFC 7644)'

/** What the directory of a customer sends. A greedy route leads to all of it. */
export const scimProtocol = {
  listScimResources: defineOperation({
    ...byDirectory,
    id: 'list_scim_resources',
    method: 'GET',
    path: resources,
    summary: 'List people or groups of a directory, or describe the service to it',
    query: listQuery,
    responses: { 200: media, ...errors },
    text:
      docs &&
      describe(() => ({
        description: `Answers the directory of a customer as ${standard} says: a page of \`Users\` or \`Groups\` that match a filter, or the documents
\`ServiceProviderConfig\`, \`Schemas\` and \`ResourceTypes\`. \`/.search\` is not supported.`,
        parameters: {
          connection_id: connectionDescription,
          resource: resourceDescription,
          ...listTexts,
          ...projectionTexts,
        },
        responses: {
          200: [{ summary: 'A page', value: shownPage }],
        },
      })),
  }),
  createScimResource: defineOperation({
    ...byDirectory,
    ...withBody,
    id: 'create_scim_resource',
    method: 'POST',
    path: resources,
    summary: 'Create a person or a group of a directory, or send several requests at once',
    query: ignoredQuery,
    body: anyBody,
    responses: { 200: media, 201: media, ...errors, 405: media },
    audit: [
      'scim.user_created',
      'scim.group_created',
      'scim.group_changed',
      'scim.group_deleted',
      'scim.user_deleted',
      ...userEvents,
    ],
    text:
      docs &&
      describe(() => ({
        description: `Creates a person or a group as ${standard} says. The person is no account: their first sign-in through the connection makes or
finds one. A \`userName\` that another person of the connection has is a 409. With \`Bulk\`, up to 100 requests are carried out one after another.`,
        parameters: {
          connection_id: connectionDescription,
          resource: resourceDescription,
        },
        request: [{ summary: 'A person', value: exampleUser }],
        responses: { 201: [{ summary: 'The person', value: shownUser }] },
      })),
  }),
  getScimResource: defineOperation({
    ...byDirectory,
    id: 'get_scim_resource',
    method: 'GET',
    path: resource,
    summary: 'Get a person or a group of a directory',
    query: projectionQuery,
    responses: { 200: media, 304: null, ...errors },
    text:
      docs &&
      describe(() => ({
        description: `Returns one person, group, schema or type of resources as ${standard} says. \`If-None-Match\` is understood.`,
        parameters: {
          connection_id: connectionDescription,
          resource: resourceDescription,
          resource_key: keyDescription,
          ...projectionTexts,
        },
        responses: { 200: [{ summary: 'A person', value: shownUser }] },
      })),
  }),
  replaceScimResource: defineOperation({
    ...byDirectory,
    ...withBody,
    id: 'replace_scim_resource',
    method: 'PUT',
    path: resource,
    summary: 'Replace a person or a group of a directory',
    query: ignoredQuery,
    body: anyBody,
    responses: { 200: media, ...errors },
    audit: ['scim.group_changed', ...userEvents],
    text:
      docs &&
      describe(() => ({
        description: `Replaces the attributes as ${standard} says. \`active: false\` ends everything that the person holds through the connection. Without
\`active\`, that stays as it is, and so do the members of a group without \`members\`. \`If-Match\` is understood.`,
        parameters: {
          connection_id: connectionDescription,
          resource: resourceDescription,
          resource_key: keyDescription,
        },
        request: [{ summary: 'A person', value: exampleUser }],
        responses: { 200: [{ summary: 'The person', value: shownUser }] },
      })),
  }),
  changeScimResource: defineOperation({
    ...byDirectory,
    ...withBody,
    id: 'change_scim_resource',
    method: 'PATCH',
    path: resource,
    summary: 'Change a person or a group of a directory',
    query: ignoredQuery,
    body: anyBody,
    responses: { 200: media, 204: null, ...errors },
    audit: ['scim.group_changed', ...userEvents],
    text:
      docs &&
      describe(() => ({
        description: `Changes attributes as ${standard} says: up to 100 operations, which name up to 1,000 members. \`active: false\` ends everything that
the person holds through the connection. The response about a group is empty. \`If-Match\` is understood.`,
        parameters: {
          connection_id: connectionDescription,
          resource: resourceDescription,
          resource_key: keyDescription,
        },
        request: [{ summary: 'Somebody leaves', value: examplePatch }],
        responses: { 200: [{ summary: 'The person', value: shownUser }] },
      })),
  }),
  deleteScimResource: defineOperation({
    ...byDirectory,
    id: 'delete_scim_resource',
    method: 'DELETE',
    path: resource,
    summary: 'Delete a person or a group of a directory',
    query: ignoredQuery,
    responses: { 204: null, ...errors },
    audit: ['scim.user_deleted', 'scim.group_deleted', ...userEvents],
    text:
      docs &&
      describe(() => ({
        description: `Deletes a person or a group as ${standard} says. For a person, everything ends as with \`active: false\`, and their \`userName\` is
free again. \`If-Match\` is understood.`,
        parameters: {
          connection_id: connectionDescription,
          resource: resourceDescription,
          resource_key: keyDescription,
        },
      })),
  }),
}
