import type { ComponentChildren } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import { t } from './messages.ts'
import { Brand, ImpersonationBanner, PageFooter, useStep } from './page-frame.tsx'
import { pageData } from './start-path.ts'

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

/** The part of a page that its address names after `#`: `/users/12`. Without one it is `/`. */
const readRoute = (): string => location.hash.slice(1) || '/'

/** Follows the address of the page. */
export const useRoute = (): string => {
  const [route, setRoute] = useState(readRoute)
  useEffect(() => {
    const follow = () => setRoute(readRoute())
    addEventListener('hashchange', follow)
    // The person may have moved on since the first rendering.
    follow()
    return () => removeEventListener('hashchange', follow)
  }, [])
  return route
}
