import '../kit/kit.css'
import './page.css'
import type { ComponentType } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import type { AccountSection } from '../../lib/features/pages/addresses.models.ts'
import type { AccountProfile } from '../../lib/kernel/contract/page-data.ts'
import { Alert } from '../kit/button.tsx'
import { formatDate } from '../kit/format.ts'
import { loadChunk } from '../kit/load-chunk.tsx'
import { messagesOf } from '../kit/messages.ts'
import { CardPage } from '../kit/page-frame.tsx'
import { startPage } from '../kit/start-page.tsx'
import { pageData } from '../kit/start-path.ts'
import { AnnounceContext } from '../session-kit/announce.ts'
import { type AppLink, AppPage, SignOut, useHashRoute } from '../session-kit/app-page.tsx'
import { SessionDialogs } from '../session-kit/session-dialogs.tsx'
import { AccountContext, type AccountState, isPasskeySetup, isSetupSession } from './account-state.ts'
import { ProfileSection } from './profile-section.tsx'

const t = messagesOf('account')

/** The account of the user who is signed in, in sections. */
const AccountPage = () => {
  const route = useHashRoute()
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
      <AnnounceContext.Provider value={setMessage}>
        <AppPage
          heading={section.label}
          step={section.route}
          navigationLabel={t('heading')}
          links={sections}
          currentRoute={section.route}
          actions={<SignOut name={profile.display_name} permissions={profile.effective_permissions} />}
        >
          <SetupNotice profile={profile} />
          <Alert kind="success">{message}</Alert>
          <Content key={section.route} />
        </AppPage>
        <SessionDialogs />
      </AnnounceContext.Provider>
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

/** What people see whom the connection of an organization signed in. It proves nothing about the rest of their account. */
const OrganizationPage = () => (
  <CardPage heading={t('organizationHeading')} step="organization">
    <p>{t('organizationText', { name: pageData.user?.displayName ?? '' })}</p>
    <a class="button primary" href={pageData.signInUrl}>
      {t('organizationSignIn')}
    </a>
    <a href="/organization">{t('organizationManage')}</a>
    <SignOut />
  </CardPage>
)

interface SetupNoticeProps {
  readonly profile: AccountProfile
}

/** Asks people for a second factor: before they can do anything else, or until a day in the future. */
const SetupNotice = ({ profile }: SetupNoticeProps) => {
  const { totp_enabled: hasTotp, second_factor_required_from: requiredFrom } = profile
  if (isPasskeySetup()) return <p class="alert information">{t('passkeySetupRequired')}</p>
  if (hasTotp) return null
  if (pageData.user?.session === 'setup') return <p class="alert information">{t('setupRequired')}</p>
  if (!requiredFrom) return null
  return <p class="alert information">{t('setupRequiredFrom', { date: formatDate(requiredFrom) })}</p>
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
const OrganizationSection = loadChunk(
  async () => (await import('./access/organization-section.tsx')).OrganizationSection,
)
const ConnectionSection = loadChunk(
  async () => (await import('./access/connection-section.tsx')).ConnectionSection,
)

/** Emails and password managers link to sections by these names. */
const toSection = (name: AccountSection, label: string, Content: ComponentType): Section => ({
  route: `/${name}`,
  label,
  Content,
})

/** Lists the sections that the user can use. The first one is shown if the address names none. */
const listSections = (profile: AccountProfile): readonly Section[] => {
  const { user, account } = pageData
  const twoStep = toSection('two-step', t('twoStep'), TwoStepSection)
  const passkeys = toSection('passkeys', t('passkeys'), PasskeySection)
  if (isPasskeySetup()) return [passkeys]
  if (isSetupSession(profile)) return account?.canHavePasskeys ? [twoStep, passkeys] : [twoStep]
  // No one may change the credentials of another person.
  const isOwn = !user?.impersonatedBy
  return [
    toSection('profile', t('profile'), ProfileSection),
    ...(isOwn ? [toSection('password', t('password'), PasswordSection), twoStep] : []),
    ...(isOwn && account?.canHavePasskeys ? [passkeys] : []),
    toSection('sessions', t('sessions'), SessionSection),
    toSection('api-tokens', t('apiTokens'), TokenSection),
    ...(isOwn
      ? [
          toSection('apps', t('apps'), AppSection),
          toSection('connections', t('connections'), ConnectionSection),
          toSection('organizations', t('organizations'), OrganizationSection),
        ]
      : []),
  ]
}

const LimitedPage = pageData.user?.session === 'organizations' ? OrganizationPage : GuestPage
await startPage(pageData.account ? AccountPage : LimitedPage)
