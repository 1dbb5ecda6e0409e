import type { OIDCClientPartialUpdate } from '../../../lib/client/generated/models.ts'
import { Checkbox } from '../../kit/field.tsx'
import { messagesOf } from '../../kit/messages.ts'
import {
  BodyChoice,
  BodyFlag,
  type BodyForm,
  BodyLines,
  BodyOptionalText,
  BodyText,
  FieldPanel,
} from '../kit/body-fields.tsx'
import { Panel } from '../kit/panel.tsx'
import { TabPanel } from '../kit/tabs.tsx'
import { GroupFields } from '../people/group-fields.tsx'
import { ApiPanel } from './app-apis.tsx'
import { BodyDuration } from './duration-field.tsx'
import { KeyPanel } from './key-panel.tsx'

const t = messagesOf('apps')

const scopes = [
  'openid',
  'profile',
  'email',
  'phone',
  'address',
  'groups',
  'permissions',
  'attributes',
  'organization',
  'offline_access',
] as const

const scopeTexts = {
  openid: 'scopeOpenid',
  profile: 'scopeProfile',
  email: 'scopeEmail',
  phone: 'scopePhone',
  address: 'scopeAddress',
  groups: 'scopeGroups',
  permissions: 'scopePermissions',
  attributes: 'scopeAttributes',
  organization: 'scopeOrganization',
  offline_access: 'scopeOfflineAccess',
} as const

interface AppFormProps {
  readonly form: BodyForm<OIDCClientPartialUpdate>
}

interface AppFieldsProps extends AppFormProps {
  /** Whether the app has no secret. */
  readonly isPublic: boolean
}

export const AppFields = ({ form, isPublic }: AppFieldsProps) => (
  <>
    <TabPanel name="settings">
      <Panel heading={t('settings')}>
        <BodyText form={form} name="name" label={t('name')} maxLength={255} />
        <BodyLines form={form} name="redirect_uris" label={t('redirects')} hint={t('onePerLine')} />
        <BodyLines
          form={form}
          name="post_logout_redirect_uris"
          label={t('afterSignOut')}
          hint={t('onePerLine')}
        />
        <BodyLines form={form} name="permissions" label={t('permissions')} hint={t('onePerLine')} />
        <BodyChoice
          form={form}
          name="organizations"
          label={t('organizations')}
          hint={t('organizationsHint')}
          options={[
            { value: 'optional', label: t('organizationsOptional') },
            { value: 'required', label: t('organizationsRequired') },
            { value: 'none', label: t('organizationsNone') },
          ]}
        />
        <BodyFlag
          form={form}
          name="device_authorization"
          label={t('forDevices')}
          hint={t('forDevicesHint')}
        />
        {!isPublic && (
          <BodyFlag form={form} name="requires_pkce" label={t('requiresPkce')} hint={t('requiresPkceHint')} />
        )}
        <BodyFlag form={form} name="requires_par" label={t('requiresPar')} hint={t('requiresParHint')} />
        <BodyFlag form={form} name="requires_dpop" label={t('requiresDpop')} hint={t('requiresDpopHint')} />
        {!isPublic && <MachineField form={form} />}
        <BodyOptionalText
          form={form}
          name="subject_source"
          label={t('subjectSource')}
          hint={t('subjectSourceHint')}
          maxLength={40}
        />
        <BodyOptionalText form={form} name="backchannel_logout_uri" label={t('backchannel')} writing="url" />
      </Panel>
    </TabPanel>
    <TabPanel name="access">
      {form.value.machine_permissions && (
        <GroupFields form={form} name="machine_groups" heading={t('machineGroups')} />
      )}
      <ScopePanel form={form} />
      <ApiPanel form={form} />
    </TabPanel>
    <TabPanel name="tokens">
      {!isPublic && <KeyPanel form={form} />}
      <Panel heading={t('lifetimes')}>
        <BodyDuration form={form} name="access_token_lifetime" label={t('accessLifetime')} />
        <BodyDuration form={form} name="id_token_lifetime" label={t('idLifetime')} />
        <BodyDuration form={form} name="refresh_token_lifetime" label={t('refreshLifetime')} />
        <BodyDuration form={form} name="refresh_token_idle_lifetime" label={t('refreshIdleLifetime')} />
      </Panel>
    </TabPanel>
  </>
)

/** Whether an app gets tokens for itself, and what they allow. */
const MachineField = ({ form }: AppFormProps) => {
  const isMachine = Boolean(form.value.machine_permissions)
  return (
    <>
      <Checkbox
        label={t('isMachine')}
        hint={t('isMachineHint')}
        isChecked={isMachine}
        onChange={(isChecked) =>
          form.set(
            isChecked
              ? { machine_permissions: [] }
              : { machine_permissions: null, machine_groups: [], machine_organizations: false },
          )
        }
      />
      {isMachine && (
        <>
          <BodyLines
            form={form}
            name="machine_permissions"
            label={t('machinePermissions')}
            hint={t('onePerLine')}
          />
          <BodyFlag
            form={form}
            name="machine_organizations"
            label={t('machineOrganizations')}
            hint={t('machineOrganizationsHint')}
          />
        </>
      )}
    </>
  )
}

/** What an app may read. Each app needs `openid`. */
export const ScopePanel = ({
  form,
}: {
  readonly form: BodyForm<Pick<OIDCClientPartialUpdate, 'scopes'>>
}) => {
  const { scopes: chosen = [] } = form.value
  return (
    <FieldPanel form={form} name="scopes" heading={t('scopes')}>
      {scopes.map((scope) => (
        <Checkbox
          key={scope}
          label={<code>{scope}</code>}
          hint={t(scopeTexts[scope])}
          isChecked={chosen.includes(scope)}
          isDisabled={scope === 'openid'}
          onChange={(isChecked) =>
            form.set({
              scopes: scopes.filter((name) => (name === scope ? isChecked : chosen.includes(name))),
            })
          }
        />
      ))}
    </FieldPanel>
  )
}
