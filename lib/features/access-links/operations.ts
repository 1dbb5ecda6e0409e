import * as z from 'zod/mini'
import {
  exampleBundle,
  exampleCredentials,
  exampleDirectory,
  exampleGuestMini,
  exampleLinkPassword,
  exampleProductUrl,
} from '../../accounts/example-values.models.ts'
import { ServiceUserDetail } from '../../accounts/users/users.models.ts'
import { anyoneOrKnown, withPermission, withScope } from '../../kernel/contract/access.ts'
import { describe, exampleOf } from '../../kernel/contract/describe.ts'
import { defineOperation } from '../../kernel/contract/operation.ts'
import {
  activitiesListed,
  linkPasswordMinLength,
  linksCounted,
  linksSortedInMemory,
} from '../../kernel/limits/limits.ts'
import { exampleLinkPermissions, exampleUploadPermissions } from '../../published-clients/link-fields.ts'
import { publishedClientLinks } from '../../published-clients/link-operations.ts'
import { AuthLoginEndpointResponse } from '../sign-in/models.ts'
import { accessLinksHandOver } from './hand-over.operations.ts'
import { AccessLinkTotals, OneTimeAccessToken } from './models.ts'
import { organizationLinks } from './organization.operations.ts'
import {
  accessLinkFilterDescriptions,
  accessLinkListDescriptions,
  accessLinkListFilters,
  CreateAccessTokenRequest,
  RedeemAccessTokenRequest,
} from './requests.models.ts'
import { singleAccessLink } from './single.operations.ts'

/** The user of a session that an access link opened: a guest has no password, permissions and groups. */
const exampleGuest = docs && {
  ...exampleOf(ServiceUserDetail),
  ...exampleGuestMini,
  has_password: false,
  permissions: [],
  group_permissions: [],
  effective_permissions: [],
  groups: [],
}

/** The operation that opens an access link. */
const accessLinkSharing = {
  redeemAccessToken: defineOperation({
    id: 'redeem_access_token',
    group: 'access-links',
    method: 'POST',
    path: '/api/2/auth/access-tokens/redeem',
    access: anyoneOrKnown,
    acceptsProduct: true,
    summary: 'Redeem an access link for a session of its recipient',
    body: RedeemAccessTokenRequest,
    responses: { 200: docs && AuthLoginEndpointResponse },
    errors: [
      'not_found',
      'not_authenticated',
      'permission_denied',
      'login_failed',
      'login_incomplete',
      'too_many_requests',
    ],
    audit: ['access_token.redeemed', 'access_token.refused', 'access_token.not_found'],
    limits: ['lookUpFailures', 'linkGuessesPerNetwork', 'linkGuesses'],
    text:
      docs &&
      describe(() => ({
        description: `Opens an access link: takes one view and returns a session of the recipient as \`session_key\`. This is the only operation
that takes a view. If several requests compete for the last view, one of them succeeds.

The session shows this link and nothing else. It has none of the permissions of the recipient, and it ends with the
link. For a link with a password, send it as \`password\`: without it, the response is 403 \`login_incomplete\` with the
reason \`password_required\`.

A recipient who is not a guest must sign in first. Send their own session as bearer credential: without it, the response
is a 401, and for another user it is a 403. Links that do not work get a 404.

\`redirect\` is the page of the product that the link leads to, if the setting \`linkUrl\` names one. Send it with the new session to
\`continue_to_return_url\`, which adds a ticket.`,
        parameters: {},
        request: [
          { summary: 'A link without a password', value: { token: exampleCredentials.accessLink } },
          {
            summary: 'A link with a password',
            value: { token: exampleCredentials.accessLink, password: exampleLinkPassword },
          },
        ],
        responses: {
          200: [
            {
              summary: 'A session of a guest',
              value: { user: exampleGuest, session_key: exampleCredentials.linkSession },
            },
            {
              summary: 'A session of a guest, and the product that the link leads to',
              value: {
                user: exampleGuest,
                redirect: `${exampleProductUrl}/shared`,
                session_key: exampleCredentials.linkSession,
              },
            },
          ],
        },
      })),
  }),
}

export const accessLinks = {
  getAllAccessTokens: defineOperation({
    id: 'get_all_access_tokens',
    group: 'access-links',
    method: 'GET',
    path: '/api/2/auth/access-tokens',
    access: withScope('links:view'),
    summary: 'List access links that the caller created or received',
    query: accessLinkListFilters,
    responses: { 200: docs && z.array(OneTimeAccessToken) },
    text:
      docs &&
      describe(() => ({
        description: `Lists the access links that the caller created or received, with their values. Administrators see all links. A session
that an access link opened sees only that link. All filters must match. Each link has its newest ${activitiesListed} uses.
Sessions that a link opened do not see them.

A caller without the permission \`users:view\` sees of a recipient only what the creator of the link sent. Expired and
used-up links are listed until they are deleted. Orders other than \`id\`, \`created_at\` and \`expires\`
are possible for up to ${linksSortedInMemory.toLocaleString('en-US')} links. Above that, the response is a 400: add a filter.`,
        parameters: { ...accessLinkFilterDescriptions, ...accessLinkListDescriptions },
        responses: { 200: [{ summary: 'Links', value: [exampleOf(OneTimeAccessToken)] }] },
      })),
  }),
  getAccessTokenTotals: defineOperation({
    id: 'get_access_token_totals',
    group: 'access-links',
    method: 'GET',
    path: '/api/2/auth/access-tokens/totals',
    access: withPermission('system:admin-access'),
    summary: 'Get the number of access links by their state',
    responses: { 200: docs && AccessLinkTotals },
    text:
      docs &&
      describe(() => ({
        description: `Counts the access links of all users that have expired, and the others, up to ${linksCounted} of each. It reads the index of
links by their end, and no link.`,
        parameters: {},
        responses: { 200: [{ summary: 'Many expired links', value: exampleOf(AccessLinkTotals) }] },
      })),
  }),
  createAccessToken: defineOperation({
    id: 'create_access_token',
    group: 'access-links',
    method: 'POST',
    path: '/api/2/auth/access-tokens',
    access: withPermission('media:access'),
    summary: 'Create an access link to bundles or directories',
    body: CreateAccessTokenRequest,
    // 200 if easy sharing found an existing link of the caller for this object.
    responses: { 200: docs && OneTimeAccessToken, 201: docs && OneTimeAccessToken },
    errors: ['conflict'],
    notWhileImpersonating: true,
    // What was made while the sessions of the creator ended is taken back.
    audit: ['access_token.created', 'access_token.deleted', 'user.created', 'user.deleted'],
    text:
      docs &&
      describe(() => ({
        description: `Creates an access link: a secret URL that opens the named objects for one recipient. Send \`full_url\` of the response to
the recipient, or call \`send_access_token_email_notification\`.

The recipient depends on what you send:

- \`user\`, or the \`email\` of a known user: this user, who must sign in to open the link.
- an unknown \`email\`: a new guest, who opens the link without signing in.
- neither: an anonymous guest, so that anyone with the link can open it.

Each entry of \`bundles\` and \`directories\` is an ID or a whole object. The service does not know the objects. So an
object that was sent as an ID gets a name such as \`Bundle 12\`. Its permissions are listed under the root 0.

A link without \`expires\` and \`view_limit\` works until it is deleted. A \`password\` must have at least ${linkPasswordMinLength} characters.
Permissions that you leave out are not granted. With \`is_easy_sharing\`, repeating the same request returns the existing
link with 200 instead of creating another one with 201.

The link stops working while its creator is disabled or lacks the permission \`media:access\`.`,
        parameters: {},
        request: [
          {
            summary:
              'A bundle for anyone with the link, who can view and download it three times until the end of 2027',
            value: {
              bundles: [exampleBundle],
              permissions: exampleLinkPermissions,
              expires: '2027-12-31T23:00:00Z',
              view_limit: 3,
            },
          },
          {
            summary: 'A bundle by its ID, and another as a whole object',
            value: { bundles: [13, exampleBundle], permissions: exampleLinkPermissions },
          },
          {
            summary: 'A directory for an email address, with a password',
            value: {
              directories: [exampleDirectory],
              permissions: exampleUploadPermissions,
              email: 'grace@example.com',
              password: exampleLinkPassword,
            },
          },
          {
            summary: 'A bundle for a user, who must sign in',
            value: {
              bundles: [exampleBundle],
              permissions: exampleLinkPermissions,
              user: 7,
              require_login: true,
            },
          },
          {
            summary: 'Easy sharing: one link per object and terms',
            value: { bundles: [exampleBundle], permissions: exampleLinkPermissions, is_easy_sharing: true },
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
  ...singleAccessLink,
  ...accessLinksHandOver,
  ...organizationLinks,
  ...accessLinkSharing,
  ...publishedClientLinks,
}
