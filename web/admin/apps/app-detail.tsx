import { useState } from 'preact/hooks'
import type { OIDCClient } from '../../../lib/client/generated/models.ts'
import { Button } from '../../kit/button.tsx'
import { messagesOf } from '../../kit/messages.ts'
import { client } from '../../session-kit/client.ts'
import { useLoaded } from '../../session-kit/use-loaded.ts'
import { ConfirmDialog } from '../kit/confirm-dialog.tsx'
import { CopyFacts } from '../kit/copy-facts.tsx'
import { DeletePanel } from '../kit/delete-panel.tsx'
import { EditForm } from '../kit/edit-form.tsx'
import { ShowLoaded } from '../kit/load-state.tsx'
import { Panel } from '../kit/panel.tsx'
import { leaveFor, toAddress } from '../kit/route.ts'
import { SectionPage } from '../kit/section-page.tsx'
import { showToast } from '../kit/toast.tsx'
import { useDraft } from '../kit/use-draft.ts'
import { useSave } from '../kit/use-save.tsx'
import { AppFields, getLabels } from './app-fields.tsx'
import { toAppChanges, toAppValues } from './app-values.ts'
import { SecretDialog } from './secret-dialog.tsx'

const t = messagesOf('apps')

export const AppDetail = ({ id }: { readonly id: number }) => {
  const loaded = useLoaded((options) => client.oidcClients.getOidcClient(id, options))
  return (
    <ShowLoaded loaded={loaded}>
      {(app) => (
        <SectionPage heading={app.name} parent={{ address: toAddress('apps'), label: t('heading') }}>
          <Connection app={app} />
          <AppForm app={app} onSave={loaded.setValue} />
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

/** What to enter in the app. */
const Connection = ({ app }: { readonly app: OIDCClient }) => {
  const [isAsking, setAsking] = useState(false)
  const [secret, setSecret] = useState('')
  const values = [
    { label: t('clientId'), value: app.client_id },
    { label: t('issuer'), value: location.origin },
    { label: t('discovery'), value: `${location.origin}/.well-known/openid-configuration` },
  ]
  return (
    <Panel heading={t('connection')} intro={t('connectionText')}>
      <CopyFacts facts={values} />
      {app.has_client_secret && (
        <div class="row">
          <Button look="danger" onClick={() => setAsking(true)}>
            {t('renew')}
          </Button>
        </div>
      )}
      {isAsking && (
        <ConfirmDialog
          heading={t('renew')}
          action={t('renew')}
          onConfirm={async () => {
            setSecret((await client.oidcClients.renewOidcClientSecret(app.id)).client_secret)
            return undefined
          }}
          onClose={() => setAsking(false)}
        >
          <p>{t('renewText')}</p>
        </ConfirmDialog>
      )}
      {secret && <SecretDialog secret={secret} onClose={() => setSecret('')} />}
    </Panel>
  )
}

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
      <AppFields draft={draft} failure={save.action.failure} />
    </EditForm>
  )
}
