import { useLayoutEffect, useState } from 'preact/hooks'
import type { PageBrand } from '../../lib/contract/page-data.ts'
import { callApi } from '../kit/call-api.ts'
import { pageData } from '../kit/page-data.ts'

/** The brand of a product with the stylesheet of its colors. */
export interface ProductBrand {
  readonly brand: PageBrand
  readonly style: string
}

/** The part of `Branding` of the API that pages show. */
interface BrandingBody {
  readonly product_name: string
  readonly logo: PageBrand['logo']
  readonly accent_color: string
  readonly background_color: string | null
  readonly support_url: string | null
  readonly privacy_url: string | null
  readonly terms_url: string | null
}

/**
 * Returns the brand of the product of a link, or of the service if it has none. Undefined if the page has it already, or
 * the service does not answer. Later visits of the page name the product in the address, so the server knows it.
 */
export const fetchProductBrand = async (product: string | null): Promise<ProductBrand | undefined> => {
  if (product === pageData.product) return undefined
  const url = new URL(location.href)
  url.searchParams.set('product', product ?? '')
  history.replaceState(history.state, '', url)
  const query = product === null ? '' : `?${new URLSearchParams({ product })}`
  const [{ buildBrandStyle }, response] = await Promise.all([
    import('../../lib/branding/brand-style.ts'),
    callApi<BrandingBody>('GET', `/api/2/branding${query}`),
  ])
  if (!response.isOk) return undefined
  const { body } = response
  return {
    brand: {
      productName: body.product_name,
      // The policy of the page allows images of its own origin only.
      logo: body.logo && { ...body.logo, url: new URL(body.logo.url).pathname },
      supportUrl: body.support_url,
      privacyUrl: body.privacy_url,
      termsUrl: body.terms_url,
    },
    style: buildBrandStyle({ accentColor: body.accent_color, backgroundColor: body.background_color }),
  }
}

/** The brand to show, which is that of the page at first. The colors change together with the rest. */
export const useProductBrand = () => {
  const [shown, setShown] = useState<ProductBrand | undefined>()
  useLayoutEffect(() => {
    if (!shown) return
    // The policy of the page allows no further style element.
    const sheet = new CSSStyleSheet()
    sheet.replaceSync(shown.style)
    document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet]
    return () => {
      document.adoptedStyleSheets = document.adoptedStyleSheets.filter((one) => one !== sheet)
    }
  }, [shown])
  return [shown?.brand ?? pageData.brand, setShown] as const
}
