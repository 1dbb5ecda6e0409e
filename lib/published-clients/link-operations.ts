import * as z from 'zod/mini'
import { exampleBundle, exampleDirectory } from '../accounts/example-values.models.ts'
import { OneTimeAccessToken } from '../features/access-links/models.ts'
import { CreateAccessTokenRequest, linkDescriptions } from '../features/access-links/requests.models.ts'
import { withPermission, withScope } from '../kernel/contract/access.ts'
import { describe, describeModel, exampleOf } from '../kernel/contract/describe.ts'
import { text255 } from '../kernel/contract/fields.ts'
import { defineOperation } from '../kernel/contract/operation.ts'
import { exampleLinkPermissions, MediaRootPermission } from './link-fields.ts'

/** The same as published clients send it to another path. */
export const MediaLibraryShareRequest = z.safeExtend(CreateAccessTokenRequest, {
  // The published descriptions name no values. There is one kind of link here, so any value asks for it.
  link_type: z.optional(z.nullable(text255)),
})
export type MediaLibraryShareRequest = z.output<typeof MediaLibraryShareRequest>

if (docs)
  describeModel(MediaLibraryShareRequest, () => ({
    description:
      'A new access link, as published clients request it. It is the same as `CreateAccessTokenRequest` with one more field.',
    fields: {
      ...linkDescriptions,
      link_type: 'Any text or null. It changes nothing, because there is one kind of access link.',
    },
    example: {
      bundles: [exampleBundle.id],
      directories: [exampleDirectory.id],
      permissions: exampleLinkPermissions,
      expires: '2026-12-31T23:00:00Z',
    },
  }))

/** The reasons that these operations give with their error codes: see `lib/open-api/operation-errors.ts`. */
export const publishedClientReasons = {
  share_media_library_objects: { permission_denied: ['organization_refused'] },
}

const describeGet = (kind: 'bundle' | 'directory') => ({
  description: `Gets the link with which the caller shares the ${kind} easily: one that \`create_access_token\` or
\`share_media_library_objects\` created with \`is_easy_sharing\`. Of several such links, for other recipients or terms, it is the
newest that works. Links of other users are never shown, not even to administrators.`,
  parameters: describeId(kind),
})

const describeDelete = (kind: 'bundle' | 'directory') => ({
  description: `Deletes all links with which the caller shares the ${kind} easily, as \`delete_access_token\` does. Other links to the
${kind} remain. If a request cannot delete all of them in time, it gets a 409: send it again.`,
  parameters: describeId(kind),
})

const describeId = (kind: 'bundle' | 'directory') => ({
  id: {
    description: `The ID of the ${kind} in the product.`,
    example: kind === 'bundle' ? exampleBundle.id : exampleDirectory.id,
  },
})

/** Operations on access links that exist for published clients only. */
export const publishedClientLinks = {
  shareMediaLibraryObjects: defineOperation({
    id: 'share_media_library_objects',
    group: 'access-links',
    tag: 'published-clients',
    method: 'POST',
    path: '/api/2/media/share',
    access: withPermission('media:access'),
    summary: 'Create an access link under the path of published clients',
    body: MediaLibraryShareRequest,
    responses: { 200: docs && OneTimeAccessToken, 201: docs && OneTimeAccessToken },
    errors: ['conflict'],
    notWhileImpersonating: true,
    // What was made while the sessions of the creator ended is taken back.
    audit: ['access_token.created', 'access_token.deleted', 'user.created', 'user.deleted'],
    text:
      docs &&
      describe(() => ({
        description: `The same operation as \`create_access_token\`, under the path and with the body that published clients send. Their field
\`link_type\` can have any text and changes nothing, because there is one kind of access link.`,
        parameters: {},
        request: [
          {
            summary: 'A bundle and a directory by their IDs, for anyone with the link, until the end of 2027',
            value: {
              bundles: [12],
              directories: [34],
              permissions: { allow_read: true, show_comments: true },
              expires: '2027-12-31T23:00:00Z',
              view_limit: null,
              password: null,
            },
          },
        ],
        responses: {
          200: [
            {
              summary: 'The link that an equal request created before',
              value: exampleOf(OneTimeAccessToken),
            },
          ],
          201: [{ summary: 'A new link', value: exampleOf(OneTimeAccessToken) }],
        },
      })),
  }),
  getAccessTokenMediaLibraryPermissions: defineOperation({
    id: 'get_access_token_media_library_permissions',
    group: 'access-links',
    tag: 'published-clients',
    method: 'GET',
    path: '/api/2/auth/access-tokens/{id}/permissions',
    access: withScope('links:view'),
    summary: 'List the media library permissions of an access link',
    responses: { 200: docs && z.array(MediaRootPermission) },
    errors: ['not_found'],
    text:
      docs &&
      describe(() => ({
        description: `Lists what the recipient of an access link may do in the media library, with one entry for each media root. \`path\` is the
deepest folder that contains all shared objects of the root. The folder can contain other objects too. So also compare
each requested object with \`shared_bundles\` and \`shared_directories\` of the link.

The list is empty if the link has expired, its recipient was deleted, or its creator may no longer create links.`,
        parameters: { id: { description: 'The ID of the access link.', example: 5 } },
        responses: {
          200: [{ summary: 'The permissions on one media root', value: [exampleOf(MediaRootPermission)] }],
        },
      })),
  }),
  getEasySharingTokenForBundle: defineOperation({
    id: 'get_easy_sharing_token_for_bundle',
    group: 'access-links',
    tag: 'published-clients',
    method: 'GET',
    path: '/api/2/media/bundles/{id}/easy-sharing-token',
    access: withScope('links:view'),
    summary: 'Get the easy-sharing link of a bundle',
    responses: { 200: docs && OneTimeAccessToken },
    errors: ['not_found'],
    text: docs && describe(() => describeGet('bundle')),
  }),
  deleteEasySharingTokenForBundle: defineOperation({
    id: 'delete_easy_sharing_token_for_bundle',
    group: 'access-links',
    tag: 'published-clients',
    method: 'DELETE',
    path: '/api/2/media/bundles/{id}/easy-sharing-token',
    access: withScope('links:manage'),
    summary: 'End easy sharing of a bundle',
    responses: { 204: null },
    errors: ['not_found', 'conflict'],
    audit: ['access_token.deleted', 'user.deleted'],
    text: docs && describe(() => describeDelete('bundle')),
  }),
  getEasySharingTokenForDirectory: defineOperation({
    id: 'get_easy_sharing_token_for_directory',
    group: 'access-links',
    tag: 'published-clients',
    method: 'GET',
    path: '/api/2/media/files/{id}/easy-sharing-token',
    access: withScope('links:view'),
    summary: 'Get the easy-sharing link of a directory',
    responses: { 200: docs && OneTimeAccessToken },
    errors: ['not_found'],
    text: docs && describe(() => describeGet('directory')),
  }),
  deleteEasySharingTokenForDirectory: defineOperation({
    id: 'delete_easy_sharing_token_for_directory',
    group: 'access-links',
    tag: 'published-clients',
    method: 'DELETE',
    path: '/api/2/media/files/{id}/easy-sharing-token',
    access: withScope('links:manage'),
    summary: 'End easy sharing of a directory',
    responses: { 204: null },
    errors: ['not_found', 'conflict'],
    audit: ['access_token.deleted', 'user.deleted'],
    text: docs && describe(() => describeDelete('directory')),
  }),
}
