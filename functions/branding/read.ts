import { resolveBranding } from '../../lib/accounts/common/branding.ts'
import type { branding } from '../../lib/contract/operations/branding.ts'
import type { UseCase } from '../../lib/http/use-case.ts'
import { findBrandingRecord } from '../../lib/store/branding/branding.ts'
import { toBrandingBody, toProductBody } from './branding-body.ts'
import { requireProduct } from './require-product.ts'

/** Shows the branding without a cache, so that an administrator sees a change at once. */
export const getBranding: UseCase<typeof branding.getBranding> = async ({ query }, { table, config }) => {
  const product = query.product === undefined ? undefined : requireProduct(config, query.product)
  const stored = await findBrandingRecord(table)
  return { status: 200, body: toBrandingBody(config, resolveBranding(stored, product)) }
}

export const getProductBrandings: UseCase<typeof branding.getProductBrandings> = async (
  _,
  { table, config },
) => {
  const stored = await findBrandingRecord(table)
  return { status: 200, body: config.linkProducts.map(({ name }) => toProductBody(config, stored, name)) }
}
