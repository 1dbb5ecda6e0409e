import type { SAMLProvider } from '../../../lib/client/generated/models.ts'
import { TextField } from '../../kit/field.tsx'
import { messagesOf } from '../../kit/messages.ts'
import { client } from '../../session-kit/client.ts'
import { useLoaded } from '../../session-kit/use-loaded.ts'
import { DeletePanel } from '../kit/delete-panel.tsx'
import { EditForm } from '../kit/edit-form.tsx'
import { ShowLoaded } from '../kit/load-state.tsx'
import { Panel } from '../kit/panel.tsx'
import { problemOf } from '../kit/problem-of.tsx'
import { leaveFor, toAddress } from '../kit/route.ts'
import { SectionPage } from '../kit/section-page.tsx'
import { showToast } from '../kit/toast.tsx'
import { useDraft } from '../kit/use-draft.ts'
import { useSave } from '../kit/use-save.tsx'
import { CertificatePanel } from './certificate-panel.tsx'
import { ConnectionFields, NameFields } from './connection-fields.tsx'
import { OwnMetadata, TestSignIn } from './own-metadata.tsx'
import { toProviderChanges, toProviderValues } from './provider-values.ts'
import { UserFields } from './user-fields.tsx'

const t = messagesOf('samlProviders')

export const ProviderDetail = ({ id }: { readonly id: number }) => {
  const loaded = useLoaded((options) => client.samlProviders.getSamlProvider(id, options))
  return (
    <ShowLoaded loaded={loaded}>
      {(provider) => (
        <SectionPage
          heading={provider.name}
          parent={{ address: toAddress('saml-providers'), label: t('heading') }}
        >
          <OwnMetadata provider={provider} />
          <TestSignIn provider={provider} />
          <CertificatePanel provider={provider} onChange={loaded.reload} />
          <ProviderForm key={provider.certificate} provider={provider} onSave={loaded.setValue} />
          <DeletePanel
            label={t('remove')}
            name={provider.name}
            text={t('removeText')}
            onDelete={async () => {
              await client.samlProviders.deleteSamlProvider(id)
              showToast(t('removed', { name: provider.name }))
              leaveFor(toAddress('saml-providers'))
            }}
          />
        </SectionPage>
      )}
    </ShowLoaded>
  )
}

interface ProviderFormProps {
  readonly provider: SAMLProvider
  readonly onSave: (provider: SAMLProvider) => void
}

const ProviderForm = ({ provider, onSave }: ProviderFormProps) => {
  const draft = useDraft(toProviderValues(provider))
  const { value, set } = draft
  const save = useSave({
    draft,
    read: async () => toProviderValues(await client.samlProviders.getSamlProvider(provider.id)),
    write: async (changes) => {
      const body = toProviderChanges(changes)
      const saved = await client.samlProviders.patchSamlProvider(provider.id, body)
      onSave(saved)
      return toProviderValues(saved)
    },
  })
  const { failure } = save.action
  return (
    <EditForm
      label={t('settings')}
      draft={draft}
      save={save}
      labels={{
        name: t('name'),
        entity_id: t('entityId'),
        sso_url: t('ssoUrl'),
        slo_url: t('sloUrl'),
        certificate: t('certificate'),
        metadata_url_source: t('metadataAddress'),
        nameid_format: t('nameIdFormat'),
        nameid_attribute: t('nameIdAttribute'),
        auto_create_users: t('autoCreate'),
        user_template: t('template'),
        trusted_email_domains: t('domains'),
        auto_sync_groups: t('syncGroups'),
        auto_create_groups: t('createGroups'),
        allowed_groups: t('groups'),
        disabled_in_client: t('hidden'),
      }}
      failures={draft.changes.entity_id === undefined ? {} : { conflict: t('entityTaken') }}
    >
      <Panel heading={t('settings')}>
        <TextField
          label={t('name')}
          hint={t('nameHint')}
          problem={problemOf(failure, 'name')}
          autocomplete="off"
          maxLength={255}
          value={value.name}
          onChangeValue={(name) => set({ name })}
        />
        <ConnectionFields draft={draft} failure={failure} />
        <NameFields draft={draft} failure={failure} />
      </Panel>
      <Panel heading={t('users')}>
        <UserFields draft={draft} failure={failure} />
      </Panel>
    </EditForm>
  )
}
