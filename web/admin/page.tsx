import '../kit/kit.css'
import './layout.css'
import './content.css'
import './lists.css'
import './values.css'
import './overview.css'
import './branding.css'
import { useEffect, useMemo } from 'preact/hooks'
import type { AccountProfile } from '../../lib/kernel/contract/page-data.ts'
import { Chunk } from '../kit/load-chunk.tsx'
import { messagesOf } from '../kit/messages.ts'
import { ImpersonationBanner } from '../kit/page-frame.tsx'
import { startPage } from '../kit/start-page.tsx'
import { pageData } from '../kit/start-path.ts'
import { AnnounceContext } from '../session-kit/announce.ts'
import { client } from '../session-kit/client.ts'
import { SessionDialogs } from '../session-kit/session-dialogs.tsx'
import { useLoaded } from '../session-kit/use-loaded.ts'
import {
  allows,
  CurrentUserContext,
  OverviewContext,
  toCurrentUser,
  useCurrentUser,
} from './kit/current-user.ts'
import { NotAllowed, PageNotFound } from './kit/load-state.tsx'
import { isGuarded, type Route, startAt, toAddress, useRoute } from './kit/route.ts'
import { showToast, Toasts } from './kit/toast.tsx'
import { Navigation } from './navigation.tsx'
import { sections } from './sections.ts'

const t = messagesOf('console')

/** The console for administrators. */
const AdminPage = () => (
  <>
    <ImpersonationBanner />
    {pageData.account && (
      <AnnounceContext.Provider value={announce}>
        <Console profile={pageData.account.profile} />
      </AnnounceContext.Provider>
    )}
    <SessionDialogs hasChanges={isGuarded} />
  </>
)

/** Toasts disappear on their own. */
const announce = (text: string): void => {
  if (text) showToast(text)
}

const nameSections = (permissions: readonly string[]): readonly string[] =>
  sections.filter(({ permission }) => allows(permissions, permission)).map(({ label }) => t(label))

const Console = ({ profile }: { readonly profile: AccountProfile }) => {
  const route = useRoute()
  const user = useMemo(() => toCurrentUser(profile, nameSections), [profile])
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

/** The section that the address names. */
const SectionView = ({ route }: { readonly route: Route }) => {
  const { can } = useCurrentUser()
  const found = sections.find(({ name }) => name === route.section)
  if (!found) return <PageNotFound key={location.hash} />
  if (!can(found.permission)) return <NotAllowed key={found.name} permission={found.permission} />
  // Each address is a new place: its heading receives the focus, and nothing of the former one stays.
  return (
    <Chunk
      key={[found.name, ...route.path].join('/')}
      heading={t(found.label)}
      load={found.load}
      props={{ path: route.path }}
    />
  )
}

await startPage(AdminPage)
