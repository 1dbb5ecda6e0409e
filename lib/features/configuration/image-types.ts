import { extname } from 'node:path'
import { readOwn } from '../../kernel/util/object-fields.ts'

/** The types of images by the ends of the names of their files. */
const contentTypes: Readonly<Record<string, string>> = {
  '.png': 'image/png',
  '.jpg': 'image/jpeg',
  '.jpeg': 'image/jpeg',
  '.webp': 'image/webp',
  '.gif': 'image/gif',
  // Refused with a reason, like an upload.
  '.svg': 'image/svg+xml',
}

export const findContentType = (file: string): string | undefined =>
  readOwn(contentTypes, extname(file).toLowerCase())

/** What is wrong with a file whose name says no type. */
export const unknownType = 'must end with .png, .jpg, .jpeg, .webp or .gif'

/** The end of the name of a file of this type. */
export const findExtension = (contentType: string): string =>
  Object.entries(contentTypes).find(([, type]) => type === contentType)?.[0] ?? ''
