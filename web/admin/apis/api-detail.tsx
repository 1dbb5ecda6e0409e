import type { ProtectedAPI } from '../../../lib/client/generated/models.ts'
import { TextField } from '../../kit/field.tsx'
import { messagesOf } from '../../kit/messages.ts'
import { client } from '../../session-kit/client.ts'
import { useLoaded } from '../../session-kit/use-loaded.ts'
import { DeletePanel } from '../kit/confirm-dialog.tsx'
import { EditForm } from '../kit/edit-form.tsx'
import { EventsLink } from '../kit/events-link.tsx'
import { problemOf } from '../kit/failure-alert.tsx'
import { ShowLoaded } from '../kit/load-state.tsx'
import { CopyFacts, Panel } from '../kit/panel.tsx'
import { leaveFor, toAddress } from '../kit/route.ts'
import { SectionPage } from '../kit/section-page.tsx'
import { showToast } from '../kit/toast.tsx'
import { useDraft, useSave } from '../kit/use-save.tsx'
import { ApiFields, getLabels, toApiValues } from './api-fields.tsx'

const consoleText = messagesOf('console')
const t = messagesOf('protectedApis')

export const ApiDetail = ({ id }: { readonly id: number }) => {
  const loaded = useLoaded((options) => client.oidcClients.getProtectedApi(id, options))
  return (
    <ShowLoaded loaded={loaded}>
      {(api) => (
        <SectionPage
          heading={api.name}
          parent={{ address: toAddress('apis'), label: consoleText('apis') }}
          actions={<EventsLink of={{ object: `api:${id}`, name: api.name }} />}
        >
          <Panel heading={t('connection')} intro={t('connectionText')}>
            <CopyFacts
              facts={[
                { label: t('audience'), value: api.audience },
                { label: t('issuer'), value: location.origin },
                { label: t('keys'), value: `${location.origin}/.well-known/jwks.json` },
              ]}
            />
          </Panel>
          <ApiForm api={api} onSave={loaded.setValue} />
          <DeletePanel
            label={t('remove')}
            name={api.name}
            text={t('removeText')}
            onDelete={async () => {
              await client.oidcClients.deleteProtectedApi(id)
              showToast(t('removed', { name: api.name }))
              leaveFor(toAddress('apis'))
            }}
          />
        </SectionPage>
      )}
    </ShowLoaded>
  )
}

interface ApiFormProps {
  readonly api: ProtectedAPI
  readonly onSave: (api: ProtectedAPI) => void
}

const ApiForm = ({ api, onSave }: ApiFormProps) => {
  const draft = useDraft(toApiValues(api))
  const save = useSave({
    draft,
    read: async () => toApiValues(await client.oidcClients.getProtectedApi(api.id)),
    write: async (changes) => {
      const saved = await client.oidcClients.patchProtectedApi(api.id, changes)
      onSave(saved)
      return toApiValues(saved)
    },
  })
  const { failure } = save.action
  return (
    <EditForm label={t('settings')} draft={draft} save={save} labels={getLabels()}>
      <Panel heading={t('settings')}>
        <TextField
          label={t('name')}
          problem={problemOf(failure, 'name')}
          autocomplete="off"
          maxLength={255}
          value={draft.value.name}
          onChangeValue={(name) => draft.set({ name })}
        />
      </Panel>
      <ApiFields draft={draft} failure={failure} />
    </EditForm>
  )
}
