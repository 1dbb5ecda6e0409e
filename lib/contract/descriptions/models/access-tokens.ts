import { activitiesShown, activityRetentionMs } from '../../../limits/limits.ts'
import { day } from '../../../util/durations.ts'
import {
  OneTimeAccessToken,
  OneTimeAccessTokenActivity,
  RestrictedOneTimeAccessToken,
} from '../../models/access-tokens.ts'
import { OneTimeAccessTokenSharedObject } from '../../models/shared-object.ts'
import { describeModel } from '../describe.ts'
import {
  exampleAddress,
  exampleBundle,
  exampleCredentials,
  exampleGuestMini,
  exampleIds,
  exampleTimes,
  exampleUrl,
  exampleUserMini,
} from '../example-values.ts'

const id = 'The ID of the access link. It is not secret and opens nothing.'
const has_password = 'Whether opening the link requires a password. The password itself is never returned.'
const url = 'The page that the link opens, without the value of the link.'
const full_url =
  'The complete link, which you send to the recipient. Its fragment contains the value, so browsers send it to no server. Secret: anyone with the link can use it.'

const exampleActivity = {
  id: 1_602_914_075,
  date: exampleTimes.lastSeen,
  ip: exampleAddress,
  token: exampleIds.accessLink,
}

const exampleShared = { id: exampleBundle.id, name: exampleBundle.name }

const examplePage = {
  id: exampleIds.accessLink,
  has_password: false,
  user: exampleGuestMini,
  url: `${exampleUrl}/link`,
  full_url: `${exampleUrl}/link#token=${exampleCredentials.accessLink}`,
}

export const accessTokensTexts = [
  describeModel(OneTimeAccessTokenActivity, {
    description: `One use of an access link. Uses are kept for ${activityRetentionMs / day} days.`,
    fields: {
      id: 'A random ID of the use, unique within its access link.',
      date: 'When the link was used: ISO 8601, UTC.',
      ip: 'The IP address that the link was used from.',
      token: 'The ID of the access link.',
    },
    example: exampleActivity,
  }),
  describeModel(OneTimeAccessTokenSharedObject, {
    description: 'A bundle or directory that an access link opens.',
    fields: {
      id: 'The ID of the bundle or directory in the media library of the product.',
      name: 'The name that the creator of the link sent, or one such as `Bundle 12`. It does not change with the object.',
    },
    example: exampleShared,
  }),
  describeModel(OneTimeAccessToken, {
    description:
      'An access link, which opens objects of the product for one recipient. Docs call it an access link, and the interface calls it a one-time access token. It stays readable after it has expired or is used up.',
    fields: {
      id,
      activity: `The uses of the link, newest first, at most ${activitiesShown}. Empty in sessions of access links.`,
      user: 'The recipient: a user, or a guest who exists for links only. Callers without `users:view` see only what the creator of the link sent.',
      media_root_permissions:
        'The IDs of the media permissions of the link, one for each media root. Empty if the link has expired or its creator may no longer create links.',
      shared_bundles: 'The bundles that the link opens, at most 25.',
      shared_directories: 'The directories that the link opens, at most 25.',
      full_url,
      has_password,
      url,
      token:
        'The value of the link, with the prefix `lka_`. Secret: anyone with it can open the link. Unlike other credentials, it can be read again.',
      created_at: 'When the link was created: ISO 8601, UTC.',
      view_limit_enabled: 'Whether the number of views is limited.',
      view_limit_left:
        'How many views are left. 0 means used up if `view_limit_enabled` is true, and has no meaning otherwise. Only redeeming the link takes a view.',
      expires: 'When the link ends, with all sessions that it opened: ISO 8601, UTC. Null for never.',
      require_login:
        'Whether only the recipient can open the link, with their own session. Always true for recipients who are no guests.',
      created_by:
        'The user who created the link. Missing if this user was deleted. The link works only while they are active and have `media:access`.',
      is_easy_sharing_for_bundle:
        'The ID of the bundle if the creator asked for easy sharing of it, or null. An equal request then returns this link again.',
      is_easy_sharing_for_directory:
        'The ID of the directory if the creator asked for easy sharing of it, or null. An equal request then returns this link again.',
    },
    example: {
      ...examplePage,
      activity: [exampleActivity],
      media_root_permissions: [exampleIds.mediaRootPermission],
      shared_bundles: [exampleShared],
      shared_directories: [],
      token: exampleCredentials.accessLink,
      created_at: exampleTimes.linkCreated,
      view_limit_enabled: true,
      view_limit_left: 2,
      expires: exampleTimes.end,
      require_login: false,
      created_by: exampleUserMini,
      is_easy_sharing_for_bundle: null,
      is_easy_sharing_for_directory: null,
    },
  }),
  describeModel(RestrictedOneTimeAccessToken, {
    description:
      'What everyone who has the value of an access link can see of it. Reading it takes no view. Use it to build the page that opens the link.',
    fields: {
      id,
      has_password,
      user: 'The recipient, as the creator of the link named them: by an address or as a placeholder such as `User 7`.',
      url,
      full_url,
      shared_by: 'The name of the user who created the link, as they chose it.',
      product: 'The name of the product that the built-in page leads to, or null if there is none.',
      shared_items:
        'The names of the shared objects. Empty if the link requires a password or a sign-in, because they are shown only to its recipient.',
    },
    example: {
      ...examplePage,
      shared_by: exampleUserMini.display_name,
      product: 'Shop',
      shared_items: [exampleShared.name],
    },
  }),
]
