import type { OIDCConnection } from '../../../lib/client/generated/models.ts'
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
import { RequiredFields, UserFields } from '../saml-providers/connection-fields.tsx'
import { DomainPanel } from '../saml-providers/domain-panel.tsx'
import { getRuleLabels, RulesPanel } from '../saml-providers/rules-panel.tsx'
import { TestPanel } from '../saml-providers/test-panel.tsx'
import { ConnectListPanel } from '../users/connect-list.tsx'
import { ConnectionFields, toConnectionChanges, toConnectionValues } from './connection-fields.tsx'

const consoleText = messagesOf('console')
const shared = messagesOf('samlProviders')
const t = messagesOf('oidcConnections')

export const ConnectionDetail = ({ id }: { readonly id: number }) => {
  const loaded = useLoaded((options) => client.oidcConnections.getOidcConnection(id, options))
  return (
    <ShowLoaded loaded={loaded}>
      {(connection) => (
        <SectionPage
          heading={connection.name}
          parent={{ address: toAddress('oidc-connections'), label: consoleText('oidcConnections') }}
          actions={<EventsLink of={{ object: `oidc-connection:${id}`, name: connection.name }} />}
        >
          <Panel heading={shared('connect')} intro={t('connectText')}>
            <CopyFacts
              facts={[
                { label: t('redirectUri'), value: connection.redirect_uri },
                { label: t('loginUrl'), value: connection.login_url },
                { label: t('backchannel'), value: connection.backchannel_logout_uri },
                ...(connection.public_jwk ? [{ label: t('publicKey'), value: connection.public_jwk }] : []),
              ]}
            />
          </Panel>
          <TestPanel loginUrl={connection.login_url} />
          <DomainPanel providerId={id} />
          <ConnectListPanel providerId={id} />
          <ConnectionForm connection={connection} onSave={loaded.setValue} />
          <DeletePanel
            label={t('remove')}
            name={connection.name}
            text={shared('removeText')}
            onDelete={async () => {
              await client.oidcConnections.deleteOidcConnection(id)
              showToast(shared('removed', { name: connection.name }))
              leaveFor(toAddress('oidc-connections'))
            }}
          />
        </SectionPage>
      )}
    </ShowLoaded>
  )
}

interface ConnectionFormProps {
  readonly connection: OIDCConnection
  readonly onSave: (connection: OIDCConnection) => void
}

const ConnectionForm = ({ connection, onSave }: ConnectionFormProps) => {
  const draft = useDraft(toConnectionValues(connection))
  const { value, set } = draft
  const save = useSave({
    draft,
    read: async () => toConnectionValues(await client.oidcConnections.getOidcConnection(connection.id)),
    write: async (changes) => {
      const body = toConnectionChanges(changes)
      const saved = await client.oidcConnections.patchOidcConnection(connection.id, body)
      onSave(saved)
      return toConnectionValues(saved)
    },
  })
  const { failure } = save.action
  return (
    <EditForm
      label={shared('settings')}
      draft={draft}
      save={save}
      labels={{
        name: shared('name'),
        issuer: t('issuer'),
        client_id: t('clientId'),
        client_secret: t('clientSecret'),
        token_endpoint_auth_method: t('authMethod'),
        scopes: t('scopes'),
        hosted_domain: t('hostedDomain'),
        auto_create_users: shared('autoCreate'),
        user_template: shared('template'),
        auto_sync_groups: shared('syncGroups'),
        auto_create_groups: shared('createGroups'),
        allowed_groups: shared('groups'),
        disabled_in_client: shared('hidden'),
        ...getRuleLabels(),
      }}
    >
      <Panel heading={shared('settings')}>
        <TextField
          label={shared('name')}
          hint={shared('nameHint')}
          problem={problemOf(failure, 'name')}
          autocomplete="off"
          maxLength={255}
          value={value.name}
          onChangeValue={(name) => set({ name })}
        />
        <ConnectionFields draft={draft} failure={failure} />
      </Panel>
      <Panel heading={shared('users')}>
        <UserFields draft={draft} failure={failure} />
        <RequiredFields draft={draft} failure={failure} />
      </Panel>
      <RulesPanel draft={draft} failure={failure} usual={t('usualClaims')} />
    </EditForm>
  )
}
