import type { Config } from '../../settings/config.ts'
import { buildProductUrl, type LinkProduct } from '../../settings/link-products.ts'
import type { AccessTokenRecord } from '../../store/links/access-token-record.ts'
import { defaultLinkPage } from './links.ts'

/**
 * Returns the product that the built-in page leads to after it opened the link. Undefined if there is none, and for a
 * link with another page. The creator of a link chooses a product by its name, in the page `/link?product=name`.
 * Otherwise it is the first one.
 */
export const findLinkProduct = (
  { publicUrl, linkProducts }: Pick<Config, 'publicUrl' | 'linkProducts'>,
  { id, url }: Pick<AccessTokenRecord, 'id' | 'url'>,
): LinkProduct | undefined => {
  const page = new URL(url ?? defaultLinkPage, publicUrl)
  if (page.origin !== publicUrl || page.pathname !== defaultLinkPage) return undefined
  const name = page.searchParams.get('product')
  const product = linkProducts.find((one) => name === null || one.name === name)
  return product && { ...product, url: buildProductUrl(product, id) }
}
