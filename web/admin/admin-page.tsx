import { useEffect, useMemo } from 'preact/hooks'
import type { ServiceUserProfile } from '../../lib/client/generated/models.ts'
import { ImpersonationBanner } from '../kit/impersonation-banner.tsx'
import { client } from '../session-kit/client.ts'
import { SessionDialogs } from '../session-kit/session-dialogs.tsx'
import { useLoaded } from '../session-kit/use-loaded.ts'
import { CurrentUserContext, toCurrentUser } from './kit/current-user.ts'
import { NotAllowed, ShowLoaded } from './kit/load-state.tsx'
import { isGuarded, replaceAddress, toAddress, useRoute } from './kit/route.ts'
import { Toasts } from './kit/toast.tsx'
import { useKeptFocus } from './kit/use-kept-focus.ts'
import { Navigation } from './navigation.tsx'
import { SectionView } from './section-view.tsx'
import { sections } from './sections.ts'

/** The console for administrators. */
export const AdminPage = () => {
  useKeptFocus()
  const profile = useLoaded((options) => client.users.getCurrentUser({}, options))
  return (
    <>
      <ImpersonationBanner />
      <ShowLoaded loaded={profile}>{(value) => <Console profile={value} />}</ShowLoaded>
      <SessionDialogs hasChanges={isGuarded} />
    </>
  )
}

const Console = ({ profile }: { readonly profile: ServiceUserProfile }) => {
  const route = useRoute()
  const user = useMemo(() => toCurrentUser(profile), [profile])
  const first = sections.find(({ permission }) => user.can(permission))
  useEffect(() => {
    if (!route.section && first) replaceAddress(toAddress(first.name))
  }, [route.section, first])
  return (
    <CurrentUserContext.Provider value={user}>
      <div class="console">
        <Navigation current={route.section} />
        <main id="content" tabIndex={-1}>
          {route.section ? <SectionView route={route} /> : !first && <NotAllowed />}
          <Toasts />
        </main>
      </div>
    </CurrentUserContext.Provider>
  )
}
