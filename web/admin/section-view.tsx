import type { ComponentType } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { Alert } from '../kit/alert.tsx'
import { Button } from '../kit/button.tsx'
import { loadComponent } from '../kit/load-chunk.tsx'
import { messagesOf } from '../kit/messages.ts'
import { useCurrentUser } from './kit/current-user.ts'
import { Loading, NotAllowed } from './kit/load-state.tsx'
import type { Route } from './kit/route.ts'
import type { SectionProps } from './kit/section.ts'
import { SectionPage } from './kit/section-page.tsx'
import { sections } from './sections.ts'

const t = messagesOf('console')

/** Loads the chunk of a section and shows it. */
export const SectionView = ({ route }: { readonly route: Route }) => {
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
  if (!found)
    return (
      <SectionPage key={location.hash} heading={t('pageNotFound')}>
        <p>{t('pageNotFoundText')}</p>
      </SectionPage>
    )
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
