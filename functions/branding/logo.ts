import { createHash } from 'node:crypto'
import type { Logo } from '../../lib/branding/branding.ts'
import type { LogoKind, LogoUpload } from '../../lib/contract/models/branding.ts'
import type { branding } from '../../lib/contract/operations/branding.ts'
import { type AppError, invalidRequest } from '../../lib/errors/errors.ts'
import type { UseCase } from '../../lib/http/use-case.ts'
import { logoBytes, logoPixels } from '../../lib/limits/limits.ts'
import { type BrandingSettings, buildLogoStep, type LogoRecord } from '../../lib/store/branding/branding.ts'
import { editProductBranding, editServiceBranding } from './edit-scope.ts'
import { type Image, readImage } from './read-image.ts'

const fields = { logo: 'logo', dark_logo: 'darkLogo', icon: 'icon' } as const satisfies Record<
  LogoKind,
  keyof BrandingSettings
>

const withLogo =
  (logo: Logo | null, kind: LogoKind = 'logo') =>
  (settings: BrandingSettings): BrandingSettings => ({ ...settings, [fields[kind]]: logo })

const remove = (kind: LogoKind | undefined) => ({ change: withLogo(null, kind) })

/** The image and the branding that names it are written together. */
const buildUpload = (body: Parameters<typeof readLogoUpload>[0]) => {
  const { logo, record } = readLogoUpload(body)
  return { change: withLogo(logo, body.kind), extraSteps: [buildLogoStep(logo.hash, record)] }
}

export const uploadLogo: UseCase<typeof branding.uploadLogo> = async ({ body, context }, services) =>
  editServiceBranding(services, context, buildUpload(body))

export const deleteLogo: UseCase<typeof branding.deleteLogo> = async ({ query, context }, services) => {
  await editServiceBranding(services, context, remove(query.kind))
  return { status: 204 }
}

export const uploadProductLogo: UseCase<typeof branding.uploadProductLogo> = async (request, services) =>
  editProductBranding(services, request, buildUpload(request.body))

export const deleteProductLogo: UseCase<typeof branding.deleteProductLogo> = async (request, services) => {
  await editProductBranding(services, request, remove(request.query.kind))
  return { status: 204 }
}

/**
 * Reads an uploaded logo. Its own bytes decide about its type, and the stated type must be the same.
 *
 * @throws AppError `invalid_request` if it is not an image of an accepted type and size
 */
const readLogoUpload = ({
  content_type,
  data,
}: LogoUpload): { readonly logo: Logo; readonly record: LogoRecord } => {
  const bytes = Buffer.from(data, 'base64')
  // `Buffer` skips what is not base64.
  if (bytes.toString('base64') !== data)
    throw refuse('data', 'must be base64 (RFC 4648 section 4), with padding')
  if (bytes.length > logoBytes) throw refuse('data', `must be base64 of at most ${logoBytes / 1024} KiB`)
  const statedType = content_type.split(';')[0]?.trim().toLowerCase()
  if (statedType?.startsWith('image/svg') || isSvg(bytes))
    throw refuse(
      'content_type',
      'must not be SVG, which email programs do not show and which can contain scripts. Upload a PNG, JPEG, WebP or GIF image',
    )
  const image = readImage(bytes)
  if (!image) throw refuse('data', 'must be a PNG, JPEG, WebP or GIF image')
  if (image.contentType !== statedType)
    throw refuse('content_type', `does not match the data, which is ${image.contentType}`)
  requireSize(image)
  const hash = createHash('sha256').update(bytes).digest('hex')
  return { logo: { hash, ...image }, record: { ...image, data } }
}

const isSvg = (bytes: Buffer): boolean => /^[\s\ufeff]*<[\s\S]*svg\b/i.test(bytes.toString('utf8', 0, 1000))

const requireSize = ({ width, height }: Image): void => {
  const { min, max } = logoPixels
  if (Math.min(width, height) < min || Math.max(width, height) > max)
    throw refuse(
      'data',
      `has ${width} × ${height} pixels. Both numbers must be from ${min} to ${max.toLocaleString('en-US')}`,
    )
}

const refuse = (field: keyof LogoUpload, message: string): AppError => invalidRequest([{ field, message }])
