import type { branding } from '../../lib/contract/operations/branding.ts'
import type { UseCase } from '../../lib/http/use-case.ts'
import { type BrandingSettings, unsetBranding } from '../../lib/store/records/branding-record.ts'
import { editProductBranding, editServiceBranding } from './edit-scope.ts'
import { readBrandingSettings } from './read-branding-settings.ts'

type Given = Partial<BrandingSettings>

/** Replaces everything but the logo, which has operations of its own. */
const replaceBy = (given: Given) => ({
  change: ({ logo }: BrandingSettings) => ({ ...unsetBranding, logo, ...given }),
})
const mergeWith = (given: Given) => ({
  change: (settings: BrandingSettings) => ({ ...settings, ...given }),
})
/** Removes everything, also the logo. */
const reset = { change: () => unsetBranding, isReset: true }

export const updateBranding: UseCase<typeof branding.updateBranding> = async ({ body, context }, services) =>
  editServiceBranding(services, context, replaceBy(readBrandingSettings(body)))

export const patchBranding: UseCase<typeof branding.patchBranding> = async ({ body, context }, services) =>
  editServiceBranding(services, context, mergeWith(readBrandingSettings(body)))

/** Returns to the defaults. Products keep what was set for them. */
export const resetBranding: UseCase<typeof branding.resetBranding> = async ({ context }, services) => {
  await editServiceBranding(services, context, reset)
  return { status: 204 }
}

export const updateProductBranding: UseCase<typeof branding.updateProductBranding> = async (
  request,
  services,
) => editProductBranding(services, request, replaceBy(readBrandingSettings(request.body)))

export const patchProductBranding: UseCase<typeof branding.patchProductBranding> = async (
  request,
  services,
) => editProductBranding(services, request, mergeWith(readBrandingSettings(request.body)))

/** Removes what was set for a product, which then inherits all of it. */
export const resetProductBranding: UseCase<typeof branding.resetProductBranding> = async (
  request,
  services,
) => {
  await editProductBranding(services, request, reset)
  return { status: 204 }
}
