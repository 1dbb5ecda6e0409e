import type { SAMLProvider } from '../../../lib/client/generated/models.ts'
import { signInProvidersMax } from '../../../lib/kernel/contract/page-data.ts'
import { TextField } from '../../kit/field.tsx'
import { messagesOf } from '../../kit/messages.ts'
import { pageData } from '../../kit/start-path.ts'
import { client } from '../../session-kit/client.ts'
import { ProviderGuide } from '../../session-kit/provider-guide.tsx'
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
import { ConnectListPanel } from '../users/connect-list.tsx'
import { CertificatePanel } from './certificate-panel.tsx'
import { ConnectionFields, NameFields, RequiredFields, UserFields } from './connection-fields.tsx'
import { DomainPanel } from './domain-panel.tsx'
import { toProviderChanges, toProviderValues } from './provider-values.ts'
import { getRuleLabels, RulesPanel } from './rules-panel.tsx'
import { SetupPanel } from './setup-panel.tsx'
import { TestPanel } from './test-panel.tsx'

/** Whether the sign-in page leaves out a visible provider, because it shows as many with a lower ID as it can. */
const isCrowdedOut = (id: number): boolean => {
  const shown = pageData.providers.map((provider) => provider.id)
  return shown.length >= signInProvidersMax && shown.every((other) => other < id)
}

const consoleText = messagesOf('console')
const t = messagesOf('samlProviders')

export const ProviderDetail = ({ id }: { readonly id: number }) => {
  const loaded = useLoaded((options) => client.samlProviders.getSamlProvider(id, options))
  return (
    <ShowLoaded loaded={loaded}>
      {(provider) => (
        <SectionPage
          heading={provider.name}
          parent={{ address: toAddress('saml-providers'), label: consoleText('samlProviders') }}
          actions={<EventsLink of={{ object: `saml-provider:${id}`, name: provider.name }} />}
        >
          <SetupPanel provider={provider} />
          <OwnMetadata provider={provider} />
          <TestPanel loginUrl={provider.login_url} />
          <DomainPanel providerId={id} />
          <ConnectListPanel providerId={id} />
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
  const isLeftOut = !value.disabled_in_client && isCrowdedOut(provider.id)
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
        auto_sync_groups: t('syncGroups'),
        auto_create_groups: t('createGroups'),
        allowed_groups: t('groups'),
        disabled_in_client: t('hidden'),
        ...getRuleLabels(),
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
        <RequiredFields draft={draft} failure={failure} />
        {isLeftOut && <p>{t('crowdedOut')}</p>}
      </Panel>
      <RulesPanel draft={draft} failure={failure} usual={t('usualAttributes')} />
    </EditForm>
  )
}

/** What the provider has to know about this service. */
const OwnMetadata = ({ provider }: { readonly provider: SAMLProvider }) => {
  const values = [
    { label: t('ourMetadata'), value: provider.metadata_url },
    { label: t('replyUrl'), value: provider.assertion_url },
    ...(provider.logout_url ? [{ label: t('signOutUrl'), value: `${provider.logout_url}/return` }] : []),
  ]
  return (
    <Panel heading={t('connect')} intro={t('connectText')}>
      <CopyFacts facts={values} />
      <ProviderGuide
        values={{
          metadata: provider.metadata_url,
          entityId: provider.metadata_url,
          assertionUrl: provider.assertion_url,
          ...(provider.logout_url ? { logoutUrl: `${provider.logout_url}/return` } : {}),
        }}
      />
      <div class="row">
        <a
          class="button secondary"
          href={new URL(provider.metadata_url).pathname}
          download={`metadata-${provider.id}.xml`}
        >
          {t('download')}
        </a>
      </div>
    </Panel>
  )
}
