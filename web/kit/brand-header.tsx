import type { PageBrand } from '../../lib/contract/page-data.ts'

interface BrandProps {
  readonly brand: PageBrand
}

/** The top of a page. */
export const BrandHeader = ({ brand }: BrandProps) => (
  <header class="brand">
    <Brand brand={brand} />
  </header>
)

/** The logo of the product, or its name without one. */
export const Brand = ({ brand: { productName, logo } }: BrandProps) =>
  logo ? (
    <img src={logo.url} width={logo.width} height={logo.height} alt={productName} />
  ) : (
    <span>{productName}</span>
  )
