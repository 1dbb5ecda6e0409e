import { useEffect, useState } from 'preact/hooks'
import { Alert } from '../kit/alert.tsx'
import { AppPage } from '../kit/app-page.tsx'
import { keepFocus } from '../kit/focus-heading.ts'
import { messagesOf } from '../kit/messages.ts'
import { pageData } from '../kit/page-data.ts'
import { useRoute } from '../kit/use-route.ts'
import { SessionDialogs } from '../session-kit/session-dialogs.tsx'
import { AccountContext, type AccountState } from './account-state.ts'
import { listSections } from './sections.ts'
import { SetupNotice } from './setup-notice.tsx'
import { SignOut } from './sign-out.tsx'

const t = messagesOf('account')

/** The account of the user who is signed in, in sections. */
export const AccountPage = () => {
  const route = useRoute()
  const [profile, setProfile] = useState(pageData.account?.profile)
  const [message, setMessage] = useState('')
  // What was done in one section means nothing in the next one.
  useEffect(() => setMessage(''), [route])
  if (!profile) return null
  const sections = listSections(profile)
  const section = sections.find((found) => found.route === route) ?? sections[0]
  if (!section) return null
  const announce = (text: string) => {
    setMessage(text)
    keepFocus()
  }
  const state: AccountState = { profile, setProfile, announce }
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
