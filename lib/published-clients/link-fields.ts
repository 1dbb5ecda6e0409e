import * as z from 'zod/mini'
import { exampleGuestMini, exampleIds } from '../accounts/example-values.models.ts'
import { describeModel } from '../kernel/contract/describe.ts'
import { flag, id, idOrNone, ids, jsonValue, readOnlyText, textUpTo } from '../kernel/contract/fields.ts'
import { forPublishedClients } from './describe-fields.ts'
import { showLinkClientFields } from './stored-fields.ts'

/** What an access link can allow its recipient in the product, each with the same schema. */
export const linkPermissions = <Each>(each: Each) => ({
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
  ...linkPermissions(flag),
  path: textUpTo(1023),
  root: idOrNone,
  is_temporary_for_token: z.nullable(id),
})
export type MediaRootPermission = z.output<typeof MediaRootPermission>

type LinkPermission = keyof ReturnType<typeof linkPermissions>

/** What each flag allows in the product. */
export const linkPermissionDescriptions =
  docs &&
  forPublishedClients<LinkPermission>({
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
  })

/** For viewing and for downloading proxies. */
export const exampleLinkPermissions = docs && {
  allow_read: true,
  allow_proxy_download: true,
  show_tags: true,
  show_subtitles: true,
}
/** For viewing and for uploading files. */
export const exampleUploadPermissions = docs && { allow_read: true, allow_upload: true }

const exampleFlags = docs && { ...linkPermissions(false), ...exampleLinkPermissions }

if (docs)
  describeModel(MediaRootPermission, () => ({
    description:
      'What the recipient of an access link may do on one media root. The product enforces these permissions. This service stores them.',
    fields: {
      ...linkPermissionDescriptions,
      id: 'The ID of the permission. It is also in `media_root_permissions` of the access link.',
      user: 'The recipient of the access link, as a `ServiceUserMini`.',
      group: 'Always null, because access links have a single recipient.',
      full_path: 'The same as `path`.',
      path: 'The deepest folder of the media root that contains all shared objects of this root. It can contain objects that are not shared. Also compare each object with the lists of the access link. Empty for the root 0.',
      root: 'The ID of the media root. 0 for the objects that the creator of the link named by their IDs alone.',
      is_temporary_for_token: 'The ID of the access link. The permission ends with it.',
    },
    example: {
      id: exampleIds.linkPermission,
      user: exampleGuestMini,
      group: null,
      full_path: '/campaigns/summer',
      ...exampleFlags,
      path: '/campaigns/summer',
      root: 2,
      is_temporary_for_token: exampleIds.accessLink,
    },
  }))

/** Fields of an access link. */
export const linkFields = { media_root_permissions: z.readonly(ids) }

export const linkFieldDescriptions =
  docs &&
  forPublishedClients({
    media_root_permissions:
      'The IDs of the media permissions of the link, one for each media root. Empty if the link has expired or its creator may no longer create links.',
  })

export const exampleLinkFields = docs && showLinkClientFields([exampleIds.linkPermission])
