import {
  activitiesListed,
  activitiesShown,
  linkPasswordMinLength,
  linksSortedInMemory,
} from '../../../limits/limits.ts'
import { OneTimeAccessToken, RestrictedOneTimeAccessToken } from '../../models/access-tokens.ts'
import { MediaRootPermission } from '../../models/media-permissions.ts'
import type { accessTokens } from '../../operations/access-tokens.ts'
import type { OperationTexts } from '../describe.ts'
import { describeRateLimit } from '../describe-rate-limit.ts'
import { exampleOf } from '../example-of.ts'
import {
  exampleBundle,
  exampleCredentials,
  exampleDirectory,
  exampleLinkPassword,
} from '../example-values.ts'
import { easySharingTexts } from './easy-sharing.ts'
import { redemptionTexts } from './redeem-access-token.ts'

const { accessLink } = exampleCredentials

const id = { description: 'The ID of the access link.', example: 5 } as const

/** The lookup by value takes the same filters as the list. */
const filters = {
  shared_bundles: {
    description:
      'Only links to one of these bundles: 1 to 100 IDs of the media library, separated by commas.',
    example: '12,13',
  },
  shared_directories: {
    description:
      'Only links to one of these directories: 1 to 100 IDs of the media library, separated by commas.',
    example: '34',
  },
  shared_bundles__asset: {
    description: 'Only links to a bundle with this asset: the ID of the asset in the media library.',
    example: 8,
  },
  user: { description: 'Only links for this recipient, by the ID of the user.', example: 7 },
  created_by: { description: 'Only links that this user created, by the ID of the user.', example: 1 },
} as const

export const accessTokensTexts: OperationTexts<typeof accessTokens> = {
  getAllAccessTokens: {
    description: `Lists the access links that the caller created or received, with their values. Administrators see all links. A session
that an access link opened sees only that link. All filters must match. Each link has its newest ${activitiesListed} uses.
Sessions that a link opened do not see them.

A caller without the permission \`users:view\` sees of a recipient only what the creator of the link sent. Expired and
used-up links are listed until they are deleted. Orders other than \`id\`, \`created_at\` and \`expires\`
are possible for up to ${linksSortedInMemory.toLocaleString('en-US')} links. Above that, the response is a 400: add a filter.`,
    parameters: filters,
    responses: { 200: [{ summary: 'Links', value: [exampleOf(OneTimeAccessToken)] }] },
  },
  createAccessToken: {
    description: `Creates an access link: a secret URL that opens the named objects for one recipient. Send \`full_url\` of the response to
the recipient, or call \`send_access_token_email_notification\`.

The recipient depends on what you send:

- \`user\`, or the \`email\` of a known user: this user, who must sign in to open the link.
- an unknown \`email\`: a new guest, who opens the link without signing in.
- neither: an anonymous guest, so that anyone with the link can open it.

Each entry of \`bundles\` and \`directories\` is an ID or a whole object. The service does not know the objects. So an
object that was sent as an ID gets a name such as \`Bundle 12\`. Its permissions are listed under the media root 0.

A link without \`expires\` and \`view_limit\` works until it is deleted. A \`password\` must have at least ${linkPasswordMinLength} characters.
Permissions that you leave out are not granted. With \`is_easy_sharing\`, repeating the same request returns the existing
link with 200 instead of creating another one with 201.

The link stops working while its creator is disabled or lacks the permission \`media:access\`. The audit event is
\`access_token.created\`.`,
    parameters: {},
    request: [
      {
        summary:
          'A bundle for anyone with the link, who can view and download it three times until the end of 2027',
        value: {
          bundles: [exampleBundle],
          permissions: { allow_read: true, allow_proxy_download: true },
          expires: '2027-12-31T23:00:00Z',
          view_limit: 3,
        },
      },
      {
        summary: 'A bundle by its ID, and another as a whole object',
        value: { bundles: [13, exampleBundle], permissions: { allow_read: true } },
      },
      {
        summary: 'A directory for an email address, with a password',
        value: {
          directories: [exampleDirectory],
          permissions: { allow_read: true, allow_upload: true },
          email: 'grace@example.com',
          password: exampleLinkPassword,
        },
      },
      {
        summary: 'A bundle for a user, who must sign in',
        value: { bundles: [exampleBundle], permissions: { allow_read: true }, user: 7, require_login: true },
      },
      {
        summary: 'Easy sharing: one link per object and terms',
        value: { bundles: [exampleBundle], permissions: { allow_read: true }, is_easy_sharing: true },
      },
    ],
    responses: {
      200: [
        { summary: 'The link that an equal request created before', value: exampleOf(OneTimeAccessToken) },
      ],
      201: [{ summary: 'A new link', value: exampleOf(OneTimeAccessToken) }],
    },
  },
  shareMediaLibraryObjects: {
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
        { summary: 'The link that an equal request created before', value: exampleOf(OneTimeAccessToken) },
      ],
      201: [{ summary: 'A new link', value: exampleOf(OneTimeAccessToken) }],
    },
  },
  getAccessToken: {
    description: `Gets an access link with its value and its newest ${activitiesShown} uses. Its creator, its recipient and administrators see it.
Others get a 404, and so does a session that another link opened. Guests do not see the uses, because these contain the
addresses of other people.`,
    parameters: { id },
    responses: { 200: [{ summary: 'A link with its uses', value: exampleOf(OneTimeAccessToken) }] },
  },
  deleteAccessToken: {
    description: `Deletes an access link. From this moment, the link, the sessions that it opened, and their tickets do not work. An
anonymous guest of the link is deleted with it. Only the creator and administrators can do this. The audit event is
\`access_token.deleted\`.`,
    parameters: { id },
  },
  sendAccessTokenEmailNotification: {
    description: `Emails the link to its recipient, or to the address in \`email\`. The email names the caller as the sender and quotes
\`text\`. Only the creator of the link and administrators can do this.

The response comes after the mail service has accepted the email. If it did not, the response is a 502: try again. The
same email within a minute counts as a retry and is not sent twice. A link that no longer works is a 409, and so is an
address that rejected an earlier email. Limits: ${describeRateLimit('linkMailsPerRecipient')} per link and address, and ${describeRateLimit('linkMailsPerUser')} per sender.
The audit event is \`access_token.mailed\`.`,
    parameters: { id },
    request: [
      { summary: 'To the verified address of the recipient, with the default text', value: {} },
      {
        summary: 'To an address, with an own text',
        value: {
          email: 'grace@example.com',
          subject: 'Summer campaign: first cut',
          text: 'Hi Grace,\n\nplease have a look until Friday.\n\nAda',
        },
      },
    ],
  },
  getAccessTokenByValue: {
    description: `Looks up an access link by its value, such as on the page that the link opens. It never counts as a view, because mail
scanners and chats also fetch links. To open the link, call \`redeem_access_token\`.

Unknown, deleted, expired and used-up links get the same 404. So do links that do not match the filters, which are the
same as those of the list. Failed lookups are limited to ${describeRateLimit('lookUpFailures')} per address. Existing links are always shown.`,
    parameters: {
      token: {
        description: 'The value of the access link, from the fragment of its URL after `#token=`.',
        example: accessLink,
      },
      ...filters,
    },
    responses: {
      200: [
        { summary: 'What everyone with the link can see', value: exampleOf(RestrictedOneTimeAccessToken) },
      ],
    },
  },
  getAccessTokenMediaLibraryPermissions: {
    description: `Lists what the recipient of an access link may do in the media library, with one entry for each media root. \`path\` is the
deepest folder that contains all shared objects of the root. The folder can contain other objects too. So also compare
each requested object with \`shared_bundles\` and \`shared_directories\` of the link.

The list is empty if the link has expired, its recipient was deleted, or its creator may no longer create links.`,
    parameters: { id },
    responses: {
      200: [{ summary: 'The permissions on one media root', value: [exampleOf(MediaRootPermission)] }],
    },
  },
  ...redemptionTexts,
  ...easySharingTexts,
}
