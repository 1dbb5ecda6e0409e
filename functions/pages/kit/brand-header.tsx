import { pageData } from './page-data.ts'

/** The top of a page. */
export const BrandHeader = () => (
  <header class="brand">
    <Brand />
  </header>
)

/** The logo of the product, or its name without one. */
export const Brand = () => {
  const { productName, logo } = pageData.brand
  return logo ? (
    <img src={logo.url} width={logo.width} height={logo.height} alt={productName} />
  ) : (
    <span>{productName}</span>
  )
}
