import type { Logo } from '../../lib/branding/branding.ts'
import type { branding } from '../../lib/contract/operations/branding.ts'
import type { UseCase } from '../../lib/http/use-case.ts'
import type { BrandingSettings } from '../../lib/store/records/branding-record.ts'
import { buildLogoStep } from '../../lib/store/records/logo-record.ts'
import { editProductBranding, editServiceBranding } from './edit-scope.ts'
import { readLogoUpload } from './read-logo-upload.ts'

const withLogo =
  (logo: Logo | null) =>
  (settings: BrandingSettings): BrandingSettings => ({ ...settings, logo })

const remove = { change: withLogo(null) }

/** The image and the branding that names it are written together. */
const buildUpload = (body: Parameters<typeof readLogoUpload>[0]) => {
  const { logo, record } = readLogoUpload(body)
  return { change: withLogo(logo), extraSteps: [buildLogoStep(logo.hash, record)] }
}

export const uploadLogo: UseCase<typeof branding.uploadLogo> = async ({ body, context }, services) =>
  editServiceBranding(services, context, buildUpload(body))

export const deleteLogo: UseCase<typeof branding.deleteLogo> = async ({ context }, services) => {
  await editServiceBranding(services, context, remove)
  return { status: 204 }
}

export const uploadProductLogo: UseCase<typeof branding.uploadProductLogo> = async (request, services) =>
  editProductBranding(services, request, buildUpload(request.body))

export const deleteProductLogo: UseCase<typeof branding.deleteProductLogo> = async (request, services) => {
  await editProductBranding(services, request, remove)
  return { status: 204 }
}
