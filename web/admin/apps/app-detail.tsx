import type { OIDCClient, OIDCClientPartialUpdate } from '../../../lib/client/generated/models.ts'
import { loadChunk } from '../../kit/load-chunk.tsx'
import { t as kitText, messagesOf } from '../../kit/messages.ts'
import { client } from '../../session-kit/client.ts'
import { useLoaded } from '../../session-kit/use-loaded.ts'
import { UsedNetworks } from '../credentials/used-networks.tsx'
import { DeleteButton } from '../kit/confirm-dialog.tsx'
import { useCurrentUser } from '../kit/current-user.ts'
import { EditForm } from '../kit/edit-form.tsx'
import { EventsLink } from '../kit/events-link.tsx'
import { History } from '../kit/history.tsx'
import { ShowLoaded } from '../kit/load-state.tsx'
import { Managed } from '../kit/managed.tsx'
import { CopyFacts, Panel } from '../kit/panel.tsx'
import { leaveFor, toAddress } from '../kit/route.ts'
import { SectionPage } from '../kit/section-page.tsx'
import { TabPanel, Tabs } from '../kit/tabs.tsx'
import { showToast } from '../kit/toast.tsx'
import { useSave } from '../kit/use-save.tsx'
import { AppFields } from './app-fields.tsx'
import { AppSecrets } from './app-secrets.tsx'

const consoleText = messagesOf('console')
const t = messagesOf('apps')

const AppPeople = loadChunk(async () => (await import('./app-people.tsx')).AppPeople)

/** It has the code for all libraries. */
const AppCode = loadChunk(async () => (await import('./app-code.tsx')).AppCode)

export const AppDetail = ({ id }: { readonly id: number }) => {
  const { can } = useCurrentUser()
  const loaded = useLoaded((options) => client.oidcClients.getOidcClient(id, options))
  const seesPeople = can('system:admin-access') && can('users:manage')
  return (
    <Managed kind="client" id={id}>
      <ShowLoaded loaded={loaded}>
        {(app) => (
          <SectionPage
            heading={app.name}
            parent={{ address: toAddress('apps'), label: consoleText('apps') }}
            actions={
              <>
                <EventsLink of={{ object: `app:${id}`, name: app.name }} />
                <DeleteButton
                  label={t('remove')}
                  name={app.name}
                  text={t('removeText')}
                  onDelete={async () => {
                    await client.oidcClients.deleteOidcClient(id)
                    showToast(t('removed', { name: app.name }))
                    leaveFor(toAddress('apps'))
                  }}
                />
              </>
            }
          >
            <Tabs
              label={app.name}
              tabs={[
                { name: 'connect', label: t('tabConnect') },
                { name: 'settings', label: t('settings') },
                ...(seesPeople && app.redirect_uris.length > 0
                  ? [{ name: 'people', label: t('people') }]
                  : []),
                ...(isDescribed(app)
                  ? []
                  : [
                      { name: 'access', label: t('tabAccess') },
                      { name: 'tokens', label: t('tabTokens') },
                    ]),
              ]}
            >
              <TabPanel name="connect">
                <Connection app={app} />
                {app.type === 'confidential' && <AppSecrets app={app} onChange={loaded.reload} />}
                {app.type === 'confidential' && <UsedNetworks networks={app.used_networks} />}
              </TabPanel>
              {seesPeople && app.redirect_uris.length > 0 && (
                <TabPanel name="people">
                  <AppPeople app={app} />
                </TabPanel>
              )}
              {isDescribed(app) ? (
                <TabPanel name="settings">
                  <Panel heading={t('described')}>
                    <p>{t('describedText')}</p>
                  </Panel>
                </TabPanel>
              ) : (
                <AppForm app={app} onSave={loaded.setValue} />
              )}
            </Tabs>
            <History of={{ object: `app:${id}`, name: app.name }} />
          </SectionPage>
        )}
      </ShowLoaded>
    </Managed>
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
    {app.redirect_uris.length > 0 && (
      <div class="row">
        <a class="button secondary" href={toAddress('apps', [app.id, 'try'])}>
          {t('try')}
        </a>
      </div>
    )}
  </Panel>
)

interface AppFormProps {
  readonly app: OIDCClient
  readonly onSave: (app: OIDCClient) => void
}

const AppForm = ({ app, onSave }: AppFormProps) => {
  const form = useSave<OIDCClientPartialUpdate, OIDCClient>({
    stored: app,
    read: () => client.oidcClients.getOidcClient(app.id),
    write: (changes) => client.oidcClients.patchOidcClient(app.id, changes),
    onSave,
  })
  return (
    <EditForm
      label={t('settings')}
      form={form}
      operation="patch_oidc_client"
      failures={{ conflict: kitText('problemConflict') }}
    >
      <AppFields form={form} isPublic={app.type === 'public'} />
    </EditForm>
  )
}
