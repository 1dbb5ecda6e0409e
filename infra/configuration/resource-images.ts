import { readFileSync, statSync } from 'node:fs'
import { readLogoUpload } from '../../lib/features/branding/read-logo.ts'
import { findContentType, unknownType } from '../../lib/features/configuration/image-types.ts'
import { AppError } from '../../lib/kernel/errors/errors.ts'
import { logoKinds } from '../../lib/kernel/limits/limits.ts'

/**
 * The most bytes of the images of one construct. They are part of the template, and CloudFormation sends the properties before and after
 * a change in one event.
 */
const mostBytes = 20 * 1024

/**
 * Replaces the files of images by their content. Relative paths begin in the folder where the app runs, like those of assets.
 *
 * @throws Error that lists the images that cannot be used
 */
export const readResourceImages = (entry: object): object => {
  const problems: string[] = []
  let total = 0
  const images = Object.entries(entry).flatMap(([name, value]) => {
    const file =
      logoKinds.some((kind) => kind === name) && (value as { readonly file?: unknown } | null)?.file
    if (typeof file !== 'string') return []
    const image = readImage(file)
    if (typeof image === 'string') {
      problems.push(`${name} ${image}.`)
      return []
    }
    total += image.bytes
    return [[name, { content_type: image.content_type, data: image.data }]]
  })
  if (total > mostBytes)
    problems.push(
      `The images have ${Math.ceil(total / 1024)} KiB together, and a template takes ${mostBytes / 1024} KiB. Use smaller images, or a configuration file.`,
    )
  if (problems.length > 0) throw new Error(problems.join('\n'))
  return { ...entry, ...Object.fromEntries(images) }
}

/** Reads an image, or says what is wrong with it. */
const readImage = (
  file: string,
): { readonly content_type: string; readonly data: string; readonly bytes: number } | string => {
  const contentType = findContentType(file)
  if (contentType === undefined) return unknownType
  // Reading a pipe would wait for a writer.
  const found = statSync(file, { throwIfNoEntry: false })
  if (!found) return `names ${file}, which does not exist`
  if (!found.isFile()) return `names ${file}, which is not a file`
  const bytes = readFileSync(file)
  const upload = { content_type: contentType, data: bytes.toString('base64') }
  try {
    readLogoUpload(upload)
    return { ...upload, bytes: bytes.length }
  } catch (error) {
    const [problem] = error instanceof AppError ? (error.details.errors ?? []) : []
    if (!problem) throw error
    return `names ${file}, whose ${problem.field === 'data' ? 'content' : 'type'} ${problem.message}`
  }
}
