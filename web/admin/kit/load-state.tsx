import type { ComponentChildren } from 'preact'
import { Alert, Button } from '../../kit/button.tsx'
import type { ApiFailure } from '../../kit/call-api.ts'
import { describeFailure } from '../../kit/describe-failure.ts'
import { loadChunk } from '../../kit/load-chunk.tsx'
import { LoadFailure } from '../../kit/load-failure.tsx'
import { t as kitText, messagesOf } from '../../kit/messages.ts'
import type { Loaded } from '../../session-kit/use-loaded.ts'
import { replaceQuery, toAddress, useRoute } from './route.ts'
import { SectionPage } from './section-page.tsx'

const t = messagesOf('console')

/** Its texts are those of permissions, which few people need here. */
const MissingPermission = loadChunk(
  async () => (await import('../people/missing-permission.tsx')).MissingPermission,
)

/** Says calmly that the person may not see this, and which permission they lack if it is known. */
export const NotAllowed = ({ permission }: { readonly permission?: string }) => (
  <SectionPage heading={t('notAllowed')}>
    {permission !== undefined && <MissingPermission name={permission} />}
    <p>{t('notAllowedText')}</p>
  </SectionPage>
)

/** Says that the address names no page. */
export const PageNotFound = () => (
  <SectionPage heading={t('pageNotFound')}>
    <p>{t('pageNotFoundText')}</p>
  </SectionPage>
)

/** What the address names does not exist, or no longer. */
const NotFound = ({ failure }: { readonly failure: ApiFailure }) => {
  const { section } = useRoute()
  return (
    <SectionPage heading={t('notFound')} parent={{ address: toAddress(section), label: t('backToList') }}>
      <Alert kind="problem">{describeFailure(failure)}</Alert>
    </SectionPage>
  )
}

export const Loading = () => (
  <p class="loading" role="status">
    {kitText('loading')}
  </p>
)

interface ShowLoadedProps<Value> {
  readonly loaded: Loaded<Value>
  readonly children: (value: Value) => ComponentChildren
}

/** Shows a loaded value, or why there is none. */
export const ShowLoaded = <Value,>({ loaded, children }: ShowLoadedProps<Value>) => {
  const { value, failure, reload } = loaded
  if (value === undefined && failure?.status === 403) return <NotAllowed />
  if (value === undefined && failure?.status === 404) return <NotFound failure={failure} />
  if (value === undefined && failure)
    return (
      <div class="stack">
        <LoadFailure failure={failure} onRetry={reload} />
      </div>
    )
  if (value === undefined) return <Loading />
  return (
    <>
      <LoadFailure failure={failure} onRetry={reload} />
      {children(value)}
    </>
  )
}

interface EmptyListProps {
  readonly text: string
  /** Where the first one is created, for those who may. */
  readonly create?: string | false | undefined
  /** The part of the reference that explains what the list is for. */
  readonly guide: string
}

/** Says that there is nothing yet, and how to go on. */
export const EmptyList = ({ text, create, guide }: EmptyListProps) => (
  <>
    <p>{text}</p>
    {create && (
      <a class="button secondary" href={create}>
        {t('createFirst')}
      </a>
    )}
    <a href={`/docs#tag-${guide}`}>{t('readGuide')}</a>
  </>
)

/** Says that the search and the filters select nothing, and removes them. */
export const NoResults = () => (
  <>
    <p>{t('noResults')}</p>
    <Button look="secondary" onClick={() => replaceQuery({})}>
      {t('resetFilters')}
    </Button>
  </>
)
