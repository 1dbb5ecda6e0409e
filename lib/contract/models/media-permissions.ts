import * as z from 'zod/mini'
import { describeModel } from '../describe.ts'
import { exampleGuestMini, exampleIds } from '../descriptions/example-values.ts'
import { flag, id, idOrNone, jsonValue, readOnlyText, textUpTo } from './fields.ts'

/** All permissions on a media root, each with the same schema. */
export const mediaPermissions = <Each>(each: Each) => ({
  allow_read: each,
  allow_create: each,
  allow_write_fs: each,
  allow_write_db: each,
  allow_proxy_download: each,
  allow_original_download: each,
  allow_upload: each,
  allow_sharing: each,
  allow_delete_fs: each,
  allow_delete_db: each,
  show_tags: each,
  show_comments: each,
  show_locations: each,
  show_custom_fields: each,
  show_ratings: each,
  show_subclips: each,
  show_subtitles: each,
  show_ai_metadata: each,
  show_markers: each,
  show_history: each,
})

export const MediaRootPermission = z.strictObject({
  id,
  user: jsonValue,
  group: jsonValue,
  full_path: readOnlyText,
  ...mediaPermissions(flag),
  path: textUpTo(1023),
  root: idOrNone,
  is_temporary_for_token: z.nullable(id),
})
export type MediaRootPermission = z.output<typeof MediaRootPermission>

type MediaPermission = keyof ReturnType<typeof mediaPermissions>

/** What each flag allows in the product. */
export const mediaPermissionDescriptions: Readonly<Record<MediaPermission, string>> = {
  allow_read: 'Whether the recipient may view the objects.',
  allow_create: 'Whether the recipient may create objects.',
  allow_write_fs: 'Whether the recipient may change files.',
  allow_write_db: 'Whether the recipient may change what the product stores about the objects.',
  allow_proxy_download: 'Whether the recipient may download proxies, which are small copies of media.',
  allow_original_download: 'Whether the recipient may download the original files.',
  allow_upload: 'Whether the recipient may upload files.',
  allow_sharing: 'Whether the recipient may share the objects with others.',
  allow_delete_fs: 'Whether the recipient may delete files.',
  allow_delete_db: 'Whether the recipient may delete what the product stores about the objects.',
  show_tags: 'Whether the recipient sees tags.',
  show_comments: 'Whether the recipient sees comments.',
  show_locations: 'Whether the recipient sees locations.',
  show_custom_fields: 'Whether the recipient sees custom fields.',
  show_ratings: 'Whether the recipient sees ratings.',
  show_subclips: 'Whether the recipient sees subclips.',
  show_subtitles: 'Whether the recipient sees subtitles.',
  show_ai_metadata: 'Whether the recipient sees metadata that an AI generated.',
  show_markers: 'Whether the recipient sees markers.',
  show_history: 'Whether the recipient sees the history of the objects.',
}

/** A link for viewing and for downloading proxies. */
const exampleFlags: Readonly<Record<MediaPermission, boolean>> = {
  allow_read: true,
  allow_create: false,
  allow_write_fs: false,
  allow_write_db: false,
  allow_proxy_download: true,
  allow_original_download: false,
  allow_upload: false,
  allow_sharing: false,
  allow_delete_fs: false,
  allow_delete_db: false,
  show_tags: true,
  show_comments: false,
  show_locations: false,
  show_custom_fields: false,
  show_ratings: false,
  show_subclips: false,
  show_subtitles: true,
  show_ai_metadata: false,
  show_markers: false,
  show_history: false,
}

describeModel(MediaRootPermission, () => ({
  description:
    'What the recipient of an access link may do on one media root. The product enforces these permissions. This service stores them.',
  fields: {
    ...mediaPermissionDescriptions,
    id: 'The ID of the permission. It is also in `media_root_permissions` of the access link.',
    user: 'The recipient of the access link, as a `ServiceUserMini`.',
    group: 'Always null, because access links have a single recipient.',
    full_path: 'The same as `path`.',
    path: 'The deepest folder of the media root that contains all shared objects of this root. It can contain objects that are not shared. Also compare each object with the lists of the access link. Empty for the root 0.',
    root: 'The ID of the media root. 0 for the objects that the creator of the link named by their IDs alone.',
    is_temporary_for_token: 'The ID of the access link. The permission ends with it.',
  },
  example: {
    id: exampleIds.mediaRootPermission,
    user: exampleGuestMini,
    group: null,
    full_path: '/campaigns/summer',
    ...exampleFlags,
    path: '/campaigns/summer',
    root: exampleIds.mediaRoot,
    is_temporary_for_token: exampleIds.accessLink,
  },
}))
