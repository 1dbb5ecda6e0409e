import type { SAMLProvider, SAMLProviderPartialUpdate } from '../../../lib/client/generated/models.ts'
import { signInProvidersMax } from '../../../lib/kernel/contract/page-data.ts'
import { messagesOf } from '../../kit/messages.ts'
import { pageData } from '../../kit/start-path.ts'
import { client } from '../../session-kit/client.ts'
import { ProviderGuide } from '../../session-kit/provider-guide.tsx'
import { useLoaded } from '../../session-kit/use-loaded.ts'
import { DeletePanel } from '../kit/confirm-dialog.tsx'
import { EditForm } from '../kit/edit-form.tsx'
import { EventsLink } from '../kit/events-link.tsx'
import { ShowLoaded } from '../kit/load-state.tsx'
import { CopyFacts, Panel } from '../kit/panel.tsx'
import { leaveFor, toAddress } from '../kit/route.ts'
import { SectionPage } from '../kit/section-page.tsx'
import { showToast } from '../kit/toast.tsx'
import { useSave } from '../kit/use-save.tsx'
import { ConnectListPanel } from '../users/connect-list.tsx'
import { CertificatePanel } from './certificate-panel.tsx'
import {
  ConnectionFields,
  ConnectionName,
  NameFields,
  RequiredFields,
  UserFields,
} from './connection-fields.tsx'
import { DomainPanel } from './domain-panel.tsx'
import { RulesPanel } from './rules-panel.tsx'
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
  const { id } = provider
  const form = useSave<SAMLProviderPartialUpdate, SAMLProvider>({
    stored: provider,
    read: () => client.samlProviders.getSamlProvider(id),
    write: (changes) => client.samlProviders.patchSamlProvider(id, changes),
    onSave,
  })
  const isLeftOut = !form.value.disabled_in_client && isCrowdedOut(id)
  return (
    <EditForm
      label={t('settings')}
      form={form}
      failures={form.changes.entity_id === undefined ? {} : { conflict: t('entityTaken') }}
    >
      <Panel heading={t('settings')}>
        <ConnectionName form={form} />
        <ConnectionFields form={form} />
        <NameFields form={form} />
      </Panel>
      <Panel heading={t('users')}>
        <UserFields form={form} />
        <RequiredFields form={form} />
        {isLeftOut && <p>{t('crowdedOut')}</p>}
      </Panel>
      <RulesPanel form={form} usual={t('usualAttributes')} />
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
