import { useEffect, useMemo, useState } from 'preact/hooks'
import type { ServiceUserProfile } from '../../../lib/client/generated/models.ts'
import { Button } from '../kit/button.tsx'
import { Dialog } from '../kit/dialog.tsx'
import { t as kitText } from '../kit/messages.ts'
import { client } from './kit/client.ts'
import { CurrentUserContext, toCurrentUser } from './kit/current-user.ts'
import { NotAllowed, ShowLoaded } from './kit/load-state.tsx'
import { t } from './kit/messages.ts'
import { replaceAddress, toAddress, useRoute } from './kit/route.ts'
import { getSignInAddress, onSessionEnd } from './kit/session-end.ts'
import { Toasts } from './kit/toast.tsx'
import { useLoaded } from './kit/use-loaded.ts'
import { Navigation } from './navigation.tsx'
import { SectionView } from './section-view.tsx'
import { sections } from './sections.ts'

/** The console for administrators. */
export const AdminPage = () => {
  const profile = useLoaded((options) => client.users.getCurrentUser({}, options))
  return (
    <>
      <ShowLoaded loaded={profile}>{(value) => <Console profile={value} />}</ShowLoaded>
      <SessionEndDialog />
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

/** Keeps a form with changes on display when the session has ended. */
const SessionEndDialog = () => {
  const [isOpen, setOpen] = useState(false)
  useEffect(() => onSessionEnd(() => setOpen(true)), [])
  if (!isOpen) return null
  const close = (): void => setOpen(false)
  return (
    <Dialog heading={t('signedOutHeading')} onClose={close}>
      <p>{t('signedOutText')}</p>
      <div class="row">
        <a class="button primary" href={getSignInAddress()} target="_blank" rel="noopener" onClick={close}>
          {t('signInInNewTab')}
        </a>
        <Button look="secondary" onClick={close}>
          {kitText('close')}
        </Button>
      </div>
    </Dialog>
  )
}
