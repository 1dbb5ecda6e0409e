import * as z from 'zod/mini'
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
