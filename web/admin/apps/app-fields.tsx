import type { OIDCClient, OIDCClientPartialUpdate } from '../../../lib/client/generated/models.ts'
import type { ApiFailure } from '../../kit/call-api.ts'
import { Checkbox, readLines, TextAreaField, TextField } from '../../kit/field.tsx'
import { messagesOf } from '../../kit/messages.ts'
import { problemOf } from '../kit/failure-alert.tsx'
import { Panel } from '../kit/panel.tsx'
import type { Draft } from '../kit/use-save.tsx'
import { GroupFields } from '../people/group-fields.tsx'
import { ApiPanel, type AppApis } from './app-apis.tsx'
import { DurationField } from './duration-field.tsx'
import { type AppKeys, KeyPanel } from './key-panel.tsx'

const t = messagesOf('apps')

const scopes = [
  'openid',
  'profile',
  'email',
  'groups',
  'permissions',
  'attributes',
  'offline_access',
] as const

const scopeTexts = {
  openid: 'scopeOpenid',
  profile: 'scopeProfile',
  email: 'scopeEmail',
  groups: 'scopeGroups',
  permissions: 'scopePermissions',
  attributes: 'scopeAttributes',
  offline_access: 'scopeOfflineAccess',
} as const

/** The names of the fields. */
export const getLabels = (): Readonly<Record<keyof AppValues, string>> => ({
  name: t('name'),
  redirect_uris: t('redirects'),
  post_logout_redirect_uris: t('afterSignOut'),
  backchannel_logout_uri: t('backchannel'),
  scopes: t('scopes'),
  apis: t('apis'),
  permissions: t('permissions'),
  machine_permissions: t('machinePermissions'),
  machine_groups: t('machineGroups'),
  public_keys: t('keys'),
  device_authorization: t('forDevices'),
  requires_pkce: t('requiresPkce'),
  requires_par: t('requiresPar'),
  requires_dpop: t('requiresDpop'),
  subject_source: t('subjectSource'),
  access_token_lifetime: t('accessLifetime'),
  id_token_lifetime: t('idLifetime'),
  refresh_token_lifetime: t('refreshLifetime'),
})

const proofHints = { requires_par: 'requiresParHint', requires_dpop: 'requiresDpopHint' } as const

interface AppFieldsProps {
  readonly draft: Pick<Draft<AppValues>, 'value' | 'set'>
  readonly failure: ApiFailure | undefined
  /** Whether the app has no secret. */
  readonly isPublic: boolean
}

export const AppFields = ({ draft: { value, set }, failure, isPublic }: AppFieldsProps) => {
  const labels = getLabels()
  const lists = ['redirect_uris', 'post_logout_redirect_uris', 'permissions'] as const
  const proofs = ['requires_par', 'requires_dpop'] as const
  const lifetimes = ['access_token_lifetime', 'id_token_lifetime', 'refresh_token_lifetime'] as const
  return (
    <>
      <Panel heading={t('settings')}>
        <TextField
          label={labels.name}
          problem={problemOf(failure, 'name')}
          autocomplete="off"
          maxLength={255}
          value={value.name}
          onChangeValue={(name) => set({ name })}
        />
        {lists.map((name) => (
          <TextAreaField
            key={name}
            label={labels[name]}
            hint={t('onePerLine')}
            problem={problemOf(failure, name)}
            rows={3}
            value={value[name]}
            onChangeValue={(text) => set({ [name]: text })}
          />
        ))}
        <Checkbox
          label={labels.device_authorization}
          hint={t('forDevicesHint')}
          isChecked={value.device_authorization}
          onChange={(isChecked) => set({ device_authorization: isChecked })}
        />
        {!isPublic && (
          <Checkbox
            label={labels.requires_pkce}
            hint={t('requiresPkceHint')}
            isChecked={value.requires_pkce}
            onChange={(isChecked) => set({ requires_pkce: isChecked })}
          />
        )}
        {proofs.map((name) => (
          <Checkbox
            key={name}
            label={labels[name]}
            hint={t(proofHints[name])}
            isChecked={value[name]}
            onChange={(isChecked) => set({ [name]: isChecked })}
          />
        ))}
        {!isPublic && (
          <MachineField
            value={value.machine_permissions}
            problem={problemOf(failure, 'machine_permissions')}
            onChange={(text) =>
              set({ machine_permissions: text, ...(text === null ? { machine_groups: [] } : {}) })
            }
          />
        )}
        <TextField
          label={labels.subject_source}
          hint={t('subjectSourceHint')}
          problem={problemOf(failure, 'subject_source')}
          autocomplete="off"
          maxLength={40}
          value={value.subject_source}
          onChangeValue={(source) => set({ subject_source: source })}
        />
        <TextField
          label={labels.backchannel_logout_uri}
          problem={problemOf(failure, 'backchannel_logout_uri')}
          type="url"
          inputMode="url"
          autocomplete="off"
          value={value.backchannel_logout_uri}
          onChangeValue={(url) => set({ backchannel_logout_uri: url })}
        />
      </Panel>
      {value.machine_permissions !== null && (
        <GroupFields
          heading={labels.machine_groups}
          value={value.machine_groups}
          onChange={(groups) => set({ machine_groups: groups })}
        />
      )}
      <ScopePanel value={value.scopes} onChange={(chosen) => set({ scopes: chosen })} />
      <ApiPanel value={value.apis} failure={failure} onChange={(apis) => set({ apis })} />
      {!isPublic && (
        <KeyPanel
          value={value.public_keys}
          failure={failure}
          onChange={(keys) => set({ public_keys: keys })}
        />
      )}
      <Panel heading={t('lifetimes')}>
        {lifetimes.map((name) => (
          <DurationField
            key={name}
            label={labels[name]}
            problem={problemOf(failure, name)}
            value={value[name]}
            onChangeValue={(seconds) => set({ [name]: seconds })}
          />
        ))}
      </Panel>
    </>
  )
}

interface MachineFieldProps {
  /** One permission per line. Null if the app gets no tokens for itself. */
  readonly value: string | null
  readonly problem: ReturnType<typeof problemOf>
  readonly onChange: (value: string | null) => void
}

/** Whether an app gets tokens for itself, and what they allow. */
const MachineField = ({ value, problem, onChange }: MachineFieldProps) => (
  <>
    <Checkbox
      label={t('isMachine')}
      hint={t('isMachineHint')}
      isChecked={value !== null}
      onChange={(isChecked) => onChange(isChecked ? '' : null)}
    />
    {value !== null && (
      <TextAreaField
        label={t('machinePermissions')}
        hint={t('onePerLine')}
        problem={problem}
        rows={3}
        value={value}
        onChangeValue={onChange}
      />
    )}
  </>
)

interface ScopePanelProps {
  readonly value: OIDCClient['scopes']
  readonly onChange: (scopes: OIDCClient['scopes']) => void
}

/** What an app may read. Each app needs `openid`. */
export const ScopePanel = ({ value, onChange }: ScopePanelProps) => (
  <Panel heading={t('scopes')}>
    {scopes.map((scope) => (
      <Checkbox
        key={scope}
        label={<code>{scope}</code>}
        hint={t(scopeTexts[scope])}
        isChecked={value.includes(scope)}
        isDisabled={scope === 'openid'}
        onChange={(isChecked) =>
          onChange(scopes.filter((name) => (name === scope ? isChecked : value.includes(name))))
        }
      />
    ))}
  </Panel>
)

/** An app as its form has it: lists have one entry per line, and lifetimes are texts with seconds. */
interface AppValues {
  readonly name: string
  readonly redirect_uris: string
  readonly post_logout_redirect_uris: string
  readonly backchannel_logout_uri: string
  readonly scopes: OIDCClient['scopes']
  readonly apis: AppApis
  readonly public_keys: AppKeys
  readonly permissions: string
  readonly machine_permissions: string | null
  /** IDs of groups. */
  readonly machine_groups: readonly number[]
  readonly device_authorization: boolean
  readonly requires_pkce: boolean
  readonly requires_par: boolean
  readonly requires_dpop: boolean
  readonly subject_source: string
  readonly access_token_lifetime: string
  readonly id_token_lifetime: string
  readonly refresh_token_lifetime: string
}

export const toAppValues = (app: OIDCClient): AppValues => ({
  name: app.name,
  redirect_uris: app.redirect_uris.join('\n'),
  post_logout_redirect_uris: app.post_logout_redirect_uris.join('\n'),
  backchannel_logout_uri: app.backchannel_logout_uri ?? '',
  scopes: app.scopes,
  apis: app.apis,
  public_keys: app.public_keys,
  permissions: app.permissions.join('\n'),
  machine_permissions: app.machine_permissions?.join('\n') ?? null,
  machine_groups: app.machine_groups,
  device_authorization: app.device_authorization,
  requires_pkce: app.requires_pkce,
  requires_par: app.requires_par,
  requires_dpop: app.requires_dpop,
  subject_source: app.subject_source ?? '',
  access_token_lifetime: String(app.access_token_lifetime),
  id_token_lifetime: String(app.id_token_lifetime),
  refresh_token_lifetime: String(app.refresh_token_lifetime),
})

/** The request body of these changes. */
export const toAppChanges = (changes: Partial<AppValues>): OIDCClientPartialUpdate => {
  const {
    name,
    scopes,
    redirect_uris: redirects,
    post_logout_redirect_uris: afterSignOut,
    backchannel_logout_uri: backchannel,
    apis,
    public_keys: keys,
    permissions,
    machine_permissions: machine,
    machine_groups: machineGroups,
    device_authorization: devices,
    requires_pkce: requiresPkce,
    requires_par: requiresPar,
    requires_dpop: requiresDpop,
    subject_source: source,
    access_token_lifetime: access,
    id_token_lifetime: identity,
    refresh_token_lifetime: refresh,
  } = changes
  return {
    ...(name === undefined ? {} : { name: name.trim() }),
    ...(scopes === undefined ? {} : { scopes }),
    ...(redirects === undefined ? {} : { redirect_uris: readLines(redirects) }),
    ...(afterSignOut === undefined ? {} : { post_logout_redirect_uris: readLines(afterSignOut) }),
    ...(backchannel === undefined ? {} : { backchannel_logout_uri: backchannel.trim() || null }),
    ...(apis === undefined ? {} : { apis }),
    ...(keys === undefined ? {} : { public_keys: keys }),
    ...(permissions === undefined ? {} : { permissions: readLines(permissions) }),
    ...(machine === undefined ? {} : { machine_permissions: machine === null ? null : readLines(machine) }),
    ...(machineGroups === undefined ? {} : { machine_groups: [...machineGroups] }),
    ...(devices === undefined ? {} : { device_authorization: devices }),
    ...(requiresPkce === undefined ? {} : { requires_pkce: requiresPkce }),
    ...(requiresPar === undefined ? {} : { requires_par: requiresPar }),
    ...(requiresDpop === undefined ? {} : { requires_dpop: requiresDpop }),
    ...(source === undefined ? {} : { subject_source: source.trim() || null }),
    ...(access === undefined ? {} : { access_token_lifetime: Number(access) }),
    ...(identity === undefined ? {} : { id_token_lifetime: Number(identity) }),
    ...(refresh === undefined ? {} : { refresh_token_lifetime: Number(refresh) }),
  }
}
