import { constants } from 'node:fs'
import { open, realpath } from 'node:fs/promises'
import { dirname, isAbsolute, relative, resolve, sep } from 'node:path'
import { findContentType, unknownType } from '../../lib/features/configuration/image-types.ts'
import type { FieldError } from '../../lib/kernel/errors/errors.ts'
import { logoBytes, logoKinds } from '../../lib/kernel/limits/limits.ts'
import { readOwn } from '../../lib/kernel/util/object-fields.ts'
import { codeOf } from '../command-failure.ts'

/** A document whose images were read, as far as they could be. */
export interface ReadImages {
  readonly input: unknown
  /** The files of all images that the document names, to watch them. */
  readonly files: readonly string[]
  readonly errors: readonly FieldError[]
}

/** Replaces the files of images by their content: those of the branding, and those of products. `folder` is that of the document. */
export const readImages = async (input: unknown, folder: string): Promise<ReadImages> => {
  const files: string[] = []
  const errors: FieldError[] = []
  const readIn = async (branding: unknown, path: string): Promise<unknown> => {
    if (!isRecord(branding)) return branding
    const images = await Promise.all(
      logoKinds.map(async (kind): Promise<readonly (readonly [string, object])[]> => {
        const image = readOwn(branding, kind)
        const file = isRecord(image) ? readOwn(image, 'file') : undefined
        // The form of anything else is for the document to check.
        if (typeof file !== 'string' || file === '' || Object.keys(image as object).length > 1) return []
        files.push(resolve(folder, file))
        const read = await readImage(file, folder)
        if (typeof read !== 'string') return [[kind, read]]
        errors.push({ field: `${path}.${kind}.file`, message: read })
        return []
      }),
    )
    return { ...branding, ...Object.fromEntries(images.flat()) }
  }
  if (!isRecord(input)) return { input, files, errors }
  const { products } = input
  const branding = await readIn(input['branding'], 'branding')
  const ofProducts = isRecord(products)
    ? await Promise.all(
        Object.entries(products).map(
          async ([name, entry]) => [name, await readIn(entry, `products.${name}`)] as const,
        ),
      )
    : []
  return {
    input: {
      ...input,
      ...(branding !== undefined && { branding }),
      ...(isRecord(products) && { products: Object.fromEntries(ofProducts) }),
    },
    files,
    errors,
  }
}

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Reads an image. Returns what is wrong with it otherwise. A document from others must not send any file of this machine. */
const readImage = async (
  file: string,
  folder: string,
): Promise<{ readonly content_type: string; readonly data: string } | string> => {
  const contentType = findContentType(file)
  if (contentType === undefined) return unknownType
  if (isAbsolute(file) || file.includes('\0') || !isInside(folder, resolve(folder, file))) return outside
  try {
    const path = await realpath(resolve(folder, file))
    if (!isInside(await realpath(folder), path)) return outside
    const opened = await open(path, openFlags)
    try {
      const found = await opened.stat()
      if (!found.isFile()) return 'is not a file'
      if (found.size > logoBytes) return `has more than ${logoBytes / 1024} KiB`
      return { content_type: contentType, data: (await opened.readFile()).toString('base64') }
    } finally {
      await opened.close()
    }
  } catch (error) {
    return codeOf(error) === 'ENOENT' ? 'does not exist' : `cannot be read (${codeOf(error)})`
  }
}

/** Opening a pipe does not wait for a writer. Nor does it follow a link that replaced the file since. */
const openFlags = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0)

const outside = 'must be in the folder of the document'

const isInside = (folder: string, path: string): boolean => {
  const way = relative(folder, path)
  return way !== '' && way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way)
}

export const folderOf = (document: string): string => dirname(resolve(document))
