import { useState } from 'preact/hooks'
import type { OIDCClient } from '../../../lib/client/generated/models.ts'
import { Button } from '../../kit/button.tsx'
import { Dialog } from '../../kit/dialog.tsx'
import { t as kitText, messagesOf } from '../../kit/messages.ts'
import { client } from '../../session-kit/client.ts'
import { CopyButton } from '../../session-kit/copy-button.tsx'
import { useLoaded } from '../../session-kit/use-loaded.ts'
import { ConfirmDialog, DeletePanel } from '../kit/confirm-dialog.tsx'
import { EditForm } from '../kit/edit-form.tsx'
import { EventsLink } from '../kit/events-link.tsx'
import { ShowLoaded } from '../kit/load-state.tsx'
import { CopyFacts, Panel } from '../kit/panel.tsx'
import { leaveFor, toAddress } from '../kit/route.ts'
import { SectionPage } from '../kit/section-page.tsx'
import { showToast } from '../kit/toast.tsx'
import { useDraft, useSave } from '../kit/use-save.tsx'
import { AppFields, getLabels, toAppChanges, toAppValues } from './app-fields.tsx'

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

interface SecretDialogProps {
  readonly secret: string
  readonly onClose: () => void
}

/** Shows a new secret once. Nothing else of the page keeps it. */
export const SecretDialog = ({ secret, onClose }: SecretDialogProps) => (
  <Dialog heading={t('secret')} onClose={onClose}>
    <p>{t('secretOnce')}</p>
    <p class="copied">
      <code>{secret}</code> <CopyButton text={secret} label={t('secret')} />
    </p>
    <div class="row">
      <Button onClick={onClose}>{kitText('close')}</Button>
    </div>
  </Dialog>
)
