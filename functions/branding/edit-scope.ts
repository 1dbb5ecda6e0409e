import { resolveBranding } from '../../lib/accounts/common/branding.ts'
import type { RequestContext } from '../../lib/accounts/common/request-context.ts'
import type { Branding, ProductBranding } from '../../lib/contract/models/branding.ts'
import type { Services } from '../../lib/services.ts'
import { toBrandingBody, toProductBody } from './branding-body.ts'
import { type BrandingEdit, editBranding } from './edit-branding.ts'
import { requireProduct } from './require-product.ts'

type Edit = Omit<BrandingEdit, 'context' | 'product'>

/** Changes the branding of the service, and answers with it. */
export const editServiceBranding = async (
  services: Services,
  context: RequestContext,
  edit: Edit,
): Promise<{ readonly status: 200; readonly body: Branding }> => {
  const fields = await editBranding(services, { ...edit, context, product: undefined })
  return { status: 200, body: toBrandingBody(services.config, resolveBranding(fields)) }
}

/**
 * Changes the branding of the product in the path, and answers with it.
 *
 * @throws AppError `not_found` if access links do not lead to it
 */
export const editProductBranding = async (
  services: Services,
  { params, context }: { readonly params: { readonly name: string }; readonly context: RequestContext },
  edit: Edit,
): Promise<{ readonly status: 200; readonly body: ProductBranding }> => {
  const product = requireProduct(services.config, params.name)
  const fields = await editBranding(services, { ...edit, context, product })
  return { status: 200, body: toProductBody(services.config, fields, product) }
}
