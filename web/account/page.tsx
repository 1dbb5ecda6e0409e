import '../kit/kit.css'
import '../kit/app-page.css'
import './page.css'
import type { ComponentChildren, ComponentType } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import { type AccountProfile, consolePermissions } from '../../lib/kernel/contract/page-data.ts'
import { Alert, Button, useAction } from '../kit/button.tsx'
import { callApi } from '../kit/call-api.ts'
import { describeFailure } from '../kit/describe-failure.ts'
import { formatDate } from '../kit/format.ts'
import { loadChunk } from '../kit/load-chunk.tsx'
import { t as kitText, messagesOf } from '../kit/messages.ts'
import { Brand, CardPage, ImpersonationBanner, PageFooter, useStep } from '../kit/page-frame.tsx'
import { startPage } from '../kit/start-page.tsx'
import { pageData } from '../kit/start-path.ts'
import { SessionDialogs } from '../session-kit/session-dialogs.tsx'
import { AccountContext, type AccountState } from './account-state.ts'
import { ProfileSection } from './profile-section.tsx'

const t = messagesOf('account')

/** The account of the user who is signed in, in sections. */
const AccountPage = () => {
  const route = useRoute()
  const [profile, setProfile] = useState(pageData.account?.profile)
  const [message, setMessage] = useState('')
  // What was done in one section means nothing in the next one.
  useEffect(() => setMessage(''), [route])
  if (!profile) return null
  const sections = listSections(profile)
  const section = sections.find((found) => found.route === route) ?? sections[0]
  if (!section) return null
  const state: AccountState = { profile, setProfile, announce: setMessage }
  const { Content } = section
  return (
    <AccountContext.Provider value={state}>
      <AppPage
        heading={section.label}
        step={section.route}
        navigationLabel={t('heading')}
        links={sections}
        currentRoute={section.route}
        actions={<SignOut profile={profile} />}
      >
        <SetupNotice profile={profile} />
        <Alert kind="success">{message}</Alert>
        <Content key={section.route} />
      </AppPage>
      <SessionDialogs />
    </AccountContext.Provider>
  )
}

/** What guests of an access link see: they have no account to manage. */
const GuestPage = () => (
  <CardPage heading={t('guestHeading')} step="guest">
    <p>{t('guestText', { name: pageData.user?.displayName ?? '' })}</p>
    <SignOut />
  </CardPage>
)

interface SetupNoticeProps {
  readonly profile: AccountProfile
}

/** Asks people for a second factor: before they can do anything else, or until a day in the future. */
const SetupNotice = ({ profile }: SetupNoticeProps) => {
  const { totp_enabled: hasTotp, second_factor_required_from: requiredFrom } = profile
  if (hasTotp) return null
  if (pageData.user?.session === 'setup') return <p class="alert information">{t('setupRequired')}</p>
  if (!requiredFrom) return null
  return <p class="alert information">{t('setupRequiredFrom', { date: formatDate(requiredFrom) })}</p>
}

interface SignOutProps {
  readonly profile?: AccountProfile
}

/** Who is signed in, the way to the administration, and the button that signs out. */
const SignOut = ({ profile }: SignOutProps) => {
  const signOut = useAction(async () => {
    const response = await callApi('POST', '/api/2/auth/logout')
    if (!response.isOk) return response
    location.assign(pageData.signInUrl)
    return undefined
  })
  const mayAdminister = profile?.effective_permissions.some((name) => consolePermissions.includes(name))
  return (
    <>
      {profile && <bdi class="user-name">{profile.display_name}</bdi>}
      {mayAdminister && <a href="/admin">{t('administration')}</a>}
      <Alert kind="problem">{signOut.failure && describeFailure(signOut.failure)}</Alert>
      <Button look="secondary" isRunning={signOut.isRunning} onClick={signOut.run}>
        {t('signOut')}
      </Button>
    </>
  )
}

interface Section extends AppLink {
  readonly Content: ComponentType
}

const PasswordSection = loadChunk(
  async () => (await import('./security/password-section.tsx')).PasswordSection,
)
const TwoStepSection = loadChunk(async () => (await import('./security/two-step-section.tsx')).TwoStepSection)
const PasskeySection = loadChunk(async () => (await import('./security/passkey-section.tsx')).PasskeySection)
const SessionSection = loadChunk(async () => (await import('./access/session-section.tsx')).SessionSection)
const TokenSection = loadChunk(async () => (await import('./access/token-section.tsx')).TokenSection)
const AppSection = loadChunk(async () => (await import('./access/app-section.tsx')).AppSection)
const ConnectionSection = loadChunk(
  async () => (await import('./access/connection-section.tsx')).ConnectionSection,
)

/** Lists the sections that the user can use. The first one is shown if the address names none. */
const listSections = (profile: AccountProfile): readonly Section[] => {
  const { user, account } = pageData
  const twoStep = { route: '/two-step', label: t('twoStep'), Content: TwoStepSection }
  const passkeys = { route: '/passkeys', label: t('passkeys'), Content: PasskeySection }
  if (user?.session === 'setup' && !profile.totp_enabled)
    return account?.canHavePasskeys ? [twoStep, passkeys] : [twoStep]
  // No one may change the credentials of another person.
  const isOwn = !user?.impersonatedBy
  return [
    { route: '/profile', label: t('profile'), Content: ProfileSection },
    ...(isOwn ? [{ route: '/password', label: t('password'), Content: PasswordSection }, twoStep] : []),
    ...(isOwn && account?.canHavePasskeys ? [passkeys] : []),
    { route: '/sessions', label: t('sessions'), Content: SessionSection },
    { route: '/api-tokens', label: t('apiTokens'), Content: TokenSection },
    ...(isOwn
      ? [
          { route: '/apps', label: t('apps'), Content: AppSection },
          { route: '/connections', label: t('connections'), Content: ConnectionSection },
        ]
      : []),
  ]
}

interface AppLink {
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
const AppPage = (props: AppPageProps) => {
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
const useRoute = (): string => {
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

await startPage(pageData.account ? AccountPage : GuestPage)
