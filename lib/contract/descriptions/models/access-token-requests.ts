import { linkPasswordMinLength } from '../../../limits/limits.ts'
import {
  AccessTokenBundle,
  AccessTokenDirectory,
  AccessTokenPermissions,
  CreateAccessTokenRequest,
  MediaLibraryShareRequest,
  RedeemAccessTokenRequest,
  SendLinkEmailRequest,
} from '../../models/access-token-requests.ts'
import { describeModel } from '../describe.ts'
import {
  exampleBundle,
  exampleCredentials,
  exampleDirectory,
  exampleGuestMini,
  exampleLinkPassword,
} from '../example-values.ts'
import { mediaPermissionTexts } from './media-permissions.ts'

const sharedObject = {
  root: 'The ID of the media root that contains the object.',
  path: 'The path of the object on its media root, at most 1,023 characters. It must not contain control characters or the segments `.` and `..`.',
}

const permissions = { allow_read: true, allow_proxy_download: true, show_tags: true, show_subtitles: true }

const sharedForm =
  'An entry is an ID alone, or an object with its name and place. Without a name, the link shows one such as `Bundle 12`.'

const linkTexts = {
  bundles: `The bundles to share, at most 25, each once. ${sharedForm} At least one bundle or directory is required.`,
  directories: `The directories to share, at most 25, each once. ${sharedForm}`,
  permissions: 'What the recipient may do. Omitted permissions are not granted.',
  user: 'The ID of the recipient, who must sign in to open the link. Null or omitted for another recipient.',
  email:
    'The address of the recipient. The user with this verified address must sign in to open the link. For an unknown address, the service creates a guest, for whom the link is enough. Not together with `user`.',
  expires:
    'When the link ends: ISO 8601 in the future, with a time zone. Null or omitted for never. Sessions that the link opened end, too.',
  view_limit: 'How often the link can be opened. Null or omitted for no limit.',
  password: `A password that the recipient must enter, with at least ${linkPasswordMinLength} characters. Send it to them in another way than the link. Null or omitted for none.`,
  require_login:
    'Whether only the recipient can open the link, with their own session. It requires `user` or `email`. Default: `false`.',
  url: 'The page that the link opens: a path of this service that starts with `/`, or a page of an allowed origin, without a fragment. Default: the page `/link` of this service.',
  is_easy_sharing:
    'Whether an equal request of the same user returns the existing link instead of another one. It requires exactly one bundle or directory. A request with a password always creates a link. Default: `false`.',
}

export const accessTokenRequestsTexts = [
  describeModel(AccessTokenPermissions, {
    description:
      'What the recipient of an access link may do with the shared objects. The product enforces these permissions. This service stores them. An omitted permission is `false`.',
    fields: mediaPermissionTexts,
    example: permissions,
  }),
  describeModel(AccessTokenBundle, {
    description: 'A bundle to share. This service does not check whether it exists.',
    fields: {
      ...sharedObject,
      id: 'The ID of the bundle in the media library of the product.',
      name: 'The name of the bundle. Recipients can see it in lists and in the email with the link.',
      asset: 'The ID of the asset of the bundle, or null. Lists of access links can be filtered by it.',
    },
    example: exampleBundle,
  }),
  describeModel(AccessTokenDirectory, {
    description: 'A directory to share. This service does not check whether it exists.',
    fields: {
      ...sharedObject,
      id: 'The ID of the directory in the media library of the product.',
      name: 'The name of the directory. Recipients can see it in lists and in the email with the link.',
    },
    example: exampleDirectory,
  }),
  describeModel(CreateAccessTokenRequest, {
    description:
      'A new access link: what it opens, for whom, and for how long. Without `user` and `email`, the link opens for anyone who has it.',
    fields: linkTexts,
    example: {
      bundles: [exampleBundle],
      permissions,
      email: exampleGuestMini.email,
      expires: '2026-12-31T23:00:00Z',
      view_limit: 3,
      password: exampleLinkPassword,
    },
  }),
  describeModel(MediaLibraryShareRequest, {
    description:
      'A new access link, as published clients request it. It is the same as `CreateAccessTokenRequest` with one more field.',
    fields: {
      ...linkTexts,
      link_type: 'Any text or null. It changes nothing, because there is one kind of access link.',
    },
    example: {
      bundles: [exampleBundle.id],
      directories: [exampleDirectory.id],
      permissions,
      expires: '2026-12-31T23:00:00Z',
    },
  }),
  describeModel(RedeemAccessTokenRequest, {
    description: 'An access link to open. It takes one view of the link.',
    fields: {
      token: 'The value of the access link, from the fragment of its URL after `#token=`.',
      password: 'The password of the link. Required if `has_password` of the link is true.',
      keep_own_session:
        'With `true`, the session cookie of a person who is signed in stays. A link that leads to a product then sets no cookie at all. The session of the link is in `session_key`. Default: `false`.',
    },
    example: { token: exampleCredentials.accessLink, password: exampleLinkPassword },
  }),
  describeModel(SendLinkEmailRequest, {
    description: 'An email with an access link. The body can be empty.',
    fields: {
      email:
        'The address to send the link to. Default: the verified address of the recipient. Anyone who gets the email can open the link of a guest.',
      subject:
        'The subject of the email: one line of at most 200 characters, without control characters. The service puts the name of the sender before it. Default: what the sender shared.',
      text: 'A message of at most 10,000 characters. The email quotes it as plain text above the link. Default: none.',
    },
    example: {
      email: exampleGuestMini.email,
      subject: 'The summer campaign for your review',
      text: 'Please send me your comments by Friday.',
    },
  }),
]
