import './app-page.css'
import type { ComponentChildren } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import { consolePermissions } from '../../lib/kernel/contract/page-data.ts'
import { Alert, Button, useAction } from '../kit/button.tsx'
import { callApi } from '../kit/call-api.ts'
import { describeFailure } from '../kit/describe-failure.ts'
import { t as kitText, messagesOf } from '../kit/messages.ts'
import { Brand, ImpersonationBanner, PageFooter, useStep } from '../kit/page-frame.tsx'
import { pageData } from '../kit/start-path.ts'

const t = messagesOf('account')

export interface AppLink {
  /** The part of the page, as `useHashRoute` returns it. */
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
        {kitText('skipToContent')}
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
export const useHashRoute = (): string => {
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

interface SignOutProps {
  /** What the person may do. Those who administer the service get the way to the console. */
  readonly permissions?: readonly string[]
  /** Who is signed in, if the page does not say it elsewhere. */
  readonly name?: string
}

/** Who is signed in, the way to the administration, and the button that signs out. */
export const SignOut = ({ permissions = [], name }: SignOutProps) => {
  const signOut = useAction(async () => {
    const response = await callApi('POST', '/api/2/auth/logout')
    if (!response.isOk) return response
    location.assign(pageData.signInUrl)
    return undefined
  })
  const mayAdminister = permissions.some((one) => consolePermissions.includes(one))
  return (
    <>
      {name !== undefined && <bdi class="user-name">{name}</bdi>}
      {mayAdminister && <a href="/admin">{t('administration')}</a>}
      <Alert kind="problem">{signOut.failure && describeFailure(signOut.failure)}</Alert>
      <Button look="secondary" isRunning={signOut.isRunning} onClick={signOut.run}>
        {t('signOut')}
      </Button>
    </>
  )
}
