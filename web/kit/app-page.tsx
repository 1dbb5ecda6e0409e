import type { ComponentChildren } from 'preact'
import { useRef } from 'preact/hooks'
import { Brand } from './brand-header.tsx'
import { ImpersonationBanner } from './impersonation-banner.tsx'
import { t } from './messages.ts'
import { pageData } from './page-data.ts'
import { PageFooter } from './page-footer.tsx'
import { useStep } from './use-step.ts'

export interface AppLink {
  /** The part of the page, as `useRoute` returns it. */
  readonly route: string
  readonly label: string
}

interface AppPageProps {
  readonly heading: string
  /** Changes with each part of the page. The heading then receives the focus, so that screen readers announce the part. */
  readonly step: string
  readonly navigationLabel: string
  readonly links: readonly AppLink[]
  /** The link of the part that is shown. */
  readonly currentRoute: string
  /** Shown next to the brand, such as the button that signs out. */
  readonly actions?: ComponentChildren
  readonly children: ComponentChildren
}

/** A page with several parts: the brand, a navigation, and the part that the address names. */
export const AppPage = (props: AppPageProps) => {
  const { heading, step, navigationLabel, links, currentRoute, actions, children } = props
  const headingElement = useRef<HTMLHeadingElement>(null)
  useStep(heading, step, () => {
    headingElement.current?.focus()
    scrollTo({ top: 0 })
  })
  return (
    <>
      <button type="button" class="button skip" onClick={() => headingElement.current?.focus()}>
        {t('skipToContent')}
      </button>
      <ImpersonationBanner />
      <div class="app-page">
        <header class="app-header">
          <div class="brand">
            <Brand brand={pageData.brand} />
          </div>
          <div class="row">{actions}</div>
        </header>
        {links.length > 0 && (
          <nav class="app-navigation" aria-label={navigationLabel}>
            <ul>
              {links.map(({ route, label }) => (
                <li key={route}>
                  <a href={`#${route}`} aria-current={route === currentRoute ? 'page' : undefined}>
                    {label}
                  </a>
                </li>
              ))}
            </ul>
          </nav>
        )}
        <main class="app-content">
          <h1 ref={headingElement} tabIndex={-1}>
            {heading}
          </h1>
          {children}
        </main>
        <PageFooter brand={pageData.brand} />
      </div>
    </>
  )
}
