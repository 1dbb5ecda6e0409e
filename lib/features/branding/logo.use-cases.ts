import type { UseCase } from '../../http/use-case.ts'
import { requireFound } from '../../kernel/errors/errors.ts'
import { logoCacheMs, logosCached } from '../../kernel/limits/limits.ts'
import type { Services } from '../../services.ts'
import type { Logo, LogoKind } from './brand.models.ts'
import { editProductBranding, editServiceBranding } from './edit-scope.ts'
import type { LogoUpload } from './models.ts'
import type { branding } from './operations.ts'
import { readLogoUpload } from './read-logo.ts'
import { type BrandingSettings, findLogo, type LogoRecord } from './records.ts'

const headers = {
  // The address contains the hash of the image, so another image has another address.
  'cache-control': 'public, max-age=31536000, immutable',
  // Opened on its own, even a file that is also a valid page can run nothing.
  'content-security-policy': "default-src 'none'; sandbox; frame-ancestors 'none'",
  // Email programs and the pages of products show it as well.
  'cross-origin-resource-policy': 'cross-origin',
} as const

export const getLogo: UseCase<typeof branding.getLogo> = async ({ params: { hash } }, services) => {
  const logo = /^[0-9a-f]{64}$/.test(hash) ? await readLogo(services, hash) : undefined
  const { contentType, data } = requireFound(logo, 'logo', 'Another logo has another address.')
  return {
    status: 200,
    headers: { ...headers, 'content-type': contentType },
    body: Buffer.from(data, 'base64'),
  }
}

interface CachedLogo {
  readonly at: number
  readonly logo: LogoRecord
}

const cached = new Map<string, CachedLogo>()

/** Keeps the latest logos in memory. A read takes about 40 read units. */
const readLogo = async ({ table, now }: Services, hash: string): Promise<LogoRecord | undefined> => {
  const known = cached.get(hash)
  if (known && Math.abs(now() - known.at) < logoCacheMs) return known.logo
  // Deleted first, so that the first entry of the map is always the oldest.
  cached.delete(hash)
  const logo = await findLogo(table, hash, now())
  if (logo) cached.set(hash, { at: now(), logo })
  const [oldest = ''] = cached.keys()
  if (cached.size > logosCached) cached.delete(oldest)
  return logo
}

const withLogo =
  (logo: Logo | null, kind: LogoKind = 'logo') =>
  (settings: BrandingSettings): BrandingSettings => ({ ...settings, [kind]: logo })

const remove = (kind: LogoKind | undefined) => ({ change: withLogo(null, kind) })

/** The image and the branding that names it are written together. */
const buildUpload = (body: LogoUpload) => {
  const image = readLogoUpload(body)
  return { change: withLogo(image.logo, body.kind), images: [image] }
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
