import '../kit/kit.css'
import './layout.css'
import './content.css'
import './lists.css'
import './values.css'
import './overview.css'
import './branding.css'
import type { ComponentType } from 'preact'
import { useEffect, useMemo, useState } from 'preact/hooks'
import type { AccountProfile } from '../../lib/kernel/contract/page-data.ts'
import { Alert, Button } from '../kit/button.tsx'
import { loadComponent } from '../kit/load-chunk.tsx'
import { messagesOf } from '../kit/messages.ts'
import { ImpersonationBanner } from '../kit/page-frame.tsx'
import { startPage } from '../kit/start-page.tsx'
import { pageData } from '../kit/start-path.ts'
import { client } from '../session-kit/client.ts'
import { SessionDialogs } from '../session-kit/session-dialogs.tsx'
import { useLoaded } from '../session-kit/use-loaded.ts'
import { CurrentUserContext, OverviewContext, toCurrentUser, useCurrentUser } from './kit/current-user.ts'
import { Loading, NotAllowed, PageNotFound } from './kit/load-state.tsx'
import { isGuarded, type Route, startAt, toAddress, useRoute } from './kit/route.ts'
import type { SectionProps } from './kit/section-page.tsx'
import { Toasts } from './kit/toast.tsx'
import { Navigation } from './navigation.tsx'
import { sections } from './sections.ts'

const t = messagesOf('console')

/** The console for administrators. */
const AdminPage = () => (
  <>
    <ImpersonationBanner />
    {pageData.account && <Console profile={pageData.account.profile} />}
    <SessionDialogs hasChanges={isGuarded} />
  </>
)

const Console = ({ profile }: { readonly profile: AccountProfile }) => {
  const route = useRoute()
  const user = useMemo(() => toCurrentUser(profile), [profile])
  const mayOversee = user.can('system:admin-access')
  const overview = useLoaded(async (options) => (mayOversee ? client.audit.getOverview(options) : undefined))
  const first = sections.find(({ permission }) => user.can(permission))
  useEffect(() => {
    if (!route.section && first) startAt(toAddress(first.name))
  }, [route.section, first])
  return (
    <CurrentUserContext.Provider value={user}>
      <OverviewContext.Provider value={overview}>
        <div class="console">
          <Navigation current={route.section} />
          <main id="content" tabIndex={-1}>
            {route.section ? <SectionView route={route} /> : !first && <NotAllowed />}
            <Toasts />
          </main>
        </div>
      </OverviewContext.Provider>
    </CurrentUserContext.Provider>
  )
}

/** Loads the chunk of a section and shows it. */
const SectionView = ({ route }: { readonly route: Route }) => {
  const { can } = useCurrentUser()
  const found = sections.find(({ name }) => name === route.section)
  const [{ name, loaded: Loaded, hasFailed }, setState] = useState<{
    name?: string
    loaded?: ComponentType<SectionProps>
    hasFailed?: boolean
  }>({})
  const isAllowed = found !== undefined && can(found.permission)
  useEffect(() => {
    if (!isAllowed) return
    let isCurrent = true
    const show = (state: { loaded?: ComponentType<SectionProps>; hasFailed?: boolean }): void => {
      if (isCurrent) setState({ name: found.name, ...state })
    }
    loadComponent(found.load).then(
      (section) => show({ loaded: section }),
      () => show({ hasFailed: true }),
    )
    return () => {
      isCurrent = false
    }
  }, [found, isAllowed])
  if (!found) return <PageNotFound key={location.hash} />
  if (!isAllowed) return <NotAllowed key={found.name} />
  if (name !== found.name) return <Loading />
  if (hasFailed) return <LoadingFailed />
  // Each address is a new place: its heading receives the focus, and nothing of the former one stays.
  return Loaded ? <Loaded key={[found.name, ...route.path].join('/')} path={route.path} /> : null
}

const LoadingFailed = () => (
  <div class="stack">
    <Alert kind="problem">{t('newVersion')}</Alert>
    <Button look="secondary" onClick={() => location.reload()}>
      {t('reloadPage')}
    </Button>
  </div>
)

await startPage(AdminPage)
