import { pageData } from './page-data.ts'

/** The logo of the product, or its name without one. */
export const BrandHeader = () => {
  const { productName, logo } = pageData.brand
  return (
    <header class="brand">
      {logo ? (
        <img src={logo.url} width={logo.width} height={logo.height} alt={productName} />
      ) : (
        <span>{productName}</span>
      )}
    </header>
  )
}
