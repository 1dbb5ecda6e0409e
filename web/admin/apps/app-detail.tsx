import type { OIDCClient } from '../../../lib/client/generated/models.ts'
import { messagesOf } from '../../kit/messages.ts'
import { client } from '../../session-kit/client.ts'
import { useLoaded } from '../../session-kit/use-loaded.ts'
import { DeletePanel } from '../kit/confirm-dialog.tsx'
import { EditForm } from '../kit/edit-form.tsx'
import { EventsLink } from '../kit/events-link.tsx'
import { ShowLoaded } from '../kit/load-state.tsx'
import { CopyFacts, Panel } from '../kit/panel.tsx'
import { leaveFor, toAddress } from '../kit/route.ts'
import { SectionPage } from '../kit/section-page.tsx'
import { showToast } from '../kit/toast.tsx'
import { useDraft, useSave } from '../kit/use-save.tsx'
import { AppCode } from './app-code.tsx'
import { AppFields, getLabels, toAppChanges, toAppValues } from './app-fields.tsx'
import { AppSecrets } from './app-secrets.tsx'

const consoleText = messagesOf('console')
const t = messagesOf('apps')

export const AppDetail = ({ id }: { readonly id: number }) => {
  const loaded = useLoaded((options) => client.oidcClients.getOidcClient(id, options))
  return (
    <ShowLoaded loaded={loaded}>
      {(app) => (
        <SectionPage
          heading={app.name}
          parent={{ address: toAddress('apps'), label: consoleText('apps') }}
          actions={<EventsLink of={{ object: `app:${id}`, name: app.name }} />}
        >
          <Connection app={app} />
          {app.type === 'confidential' && <AppSecrets app={app} onChange={loaded.reload} />}
          {isDescribed(app) ? (
            <Panel heading={t('described')}>
              <p>{t('describedText')}</p>
            </Panel>
          ) : (
            <AppForm app={app} onSave={loaded.setValue} />
          )}
          <DeletePanel
            label={t('remove')}
            name={app.name}
            text={t('removeText')}
            onDelete={async () => {
              await client.oidcClients.deleteOidcClient(id)
              showToast(t('removed', { name: app.name }))
              leaveFor(toAddress('apps'))
            }}
          />
        </SectionPage>
      )}
    </ShowLoaded>
  )
}

/** Whether no administrator registered the app. The address of its document is its identifier. */
const isDescribed = ({ client_id }: OIDCClient): boolean => client_id.startsWith('http')

/** What to enter in the app. */
const Connection = ({ app }: { readonly app: OIDCClient }) => (
  <Panel heading={t('connection')} intro={t('connectionText')}>
    <CopyFacts
      facts={[
        { label: t('clientId'), value: app.client_id },
        { label: t('issuer'), value: location.origin },
        { label: t('discovery'), value: `${location.origin}/.well-known/openid-configuration` },
      ]}
    />
    <AppCode app={app} />
  </Panel>
)

interface AppFormProps {
  readonly app: OIDCClient
  readonly onSave: (app: OIDCClient) => void
}

const AppForm = ({ app, onSave }: AppFormProps) => {
  const draft = useDraft(toAppValues(app))
  const save = useSave({
    draft,
    read: async () => toAppValues(await client.oidcClients.getOidcClient(app.id)),
    write: async (changes) => {
      const saved = await client.oidcClients.patchOidcClient(app.id, toAppChanges(changes))
      onSave(saved)
      return toAppValues(saved)
    },
  })
  return (
    <EditForm label={t('settings')} draft={draft} save={save} labels={getLabels()}>
      <AppFields draft={draft} failure={save.action.failure} isPublic={app.type === 'public'} />
    </EditForm>
  )
}
