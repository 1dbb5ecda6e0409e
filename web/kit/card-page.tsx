import type { ComponentChildren } from 'preact'
import { useRef } from 'preact/hooks'
import type { PageBrand } from '../../lib/contract/page-data.ts'
import { isPreview, pageData } from './page-data.ts'
import { BrandHeader, ImpersonationBanner, PageFooter, useStep } from './page-frame.tsx'

interface CardPageProps {
  readonly heading: string
  /** Changes with each step of the page. The heading then receives the focus, so that screen readers announce the step. */
  readonly step: string
  /** That of the page, unless what the page shows has another one. */
  readonly brand?: PageBrand
  readonly children: ComponentChildren
}

/** A page with one card in its middle: the brand, a heading, and one task. */
export const CardPage = ({ heading, step, brand = pageData.brand, children }: CardPageProps) => {
  const headingElement = useRef<HTMLHeadingElement>(null)
  useStep(
    heading,
    step,
    () => {
      if (isPreview) return
      // A step that begins with a field focuses it instead.
      const main = headingElement.current?.closest('main')
      const field = main?.querySelector<HTMLElement>('[autofocus]')
      const target = field ?? headingElement.current
      target?.focus()
    },
    brand,
  )
  return (
    <>
      <ImpersonationBanner />
      <div class="card-page">
        <BrandHeader brand={brand} />
        <main class="card">
          <h1 ref={headingElement} tabIndex={-1}>
            {heading}
          </h1>
          {children}
        </main>
        <PageFooter brand={brand} />
      </div>
    </>
  )
}
