import type { ApiFailure } from '../../kit/call-api.ts'
import { Checkbox, TextAreaField, TextField } from '../../kit/field.tsx'
import { messagesOf } from '../../kit/messages.ts'
import { Panel } from '../kit/panel.tsx'
import { problemOf } from '../kit/problem-of.tsx'
import type { Draft } from '../kit/use-draft.ts'
import type { AppValues } from './app-values.ts'

const t = messagesOf('apps')

const scopes = ['openid', 'profile', 'email', 'groups', 'permissions', 'offline_access'] as const

const scopeTexts = {
  openid: 'scopeOpenid',
  profile: 'scopeProfile',
  email: 'scopeEmail',
  groups: 'scopeGroups',
  permissions: 'scopePermissions',
  offline_access: 'scopeOfflineAccess',
} as const

/** The names of the fields. */
export const getLabels = (): Readonly<Record<keyof AppValues, string>> => ({
  name: t('name'),
  redirect_uris: t('redirects'),
  post_logout_redirect_uris: t('afterSignOut'),
  backchannel_logout_uri: t('backchannel'),
  scopes: t('scopes'),
  audiences: t('audiences'),
  permissions: t('permissions'),
  access_token_lifetime: t('accessLifetime'),
  id_token_lifetime: t('idLifetime'),
  refresh_token_lifetime: t('refreshLifetime'),
})

interface AppFieldsProps {
  readonly draft: Pick<Draft<AppValues>, 'value' | 'set'>
  readonly failure: ApiFailure | undefined
}

export const AppFields = ({ draft: { value, set }, failure }: AppFieldsProps) => {
  const labels = getLabels()
  const lists = ['redirect_uris', 'post_logout_redirect_uris', 'audiences', 'permissions'] as const
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
      <Panel heading={labels.scopes}>
        {scopes.map((scope) => (
          <Checkbox
            key={scope}
            label={<code>{scope}</code>}
            hint={t(scopeTexts[scope])}
            isChecked={value.scopes.includes(scope)}
            onChange={(isChecked) =>
              set({
                scopes: scopes.filter((name) => (name === scope ? isChecked : value.scopes.includes(name))),
              })
            }
          />
        ))}
      </Panel>
      <Panel heading={t('lifetimes')}>
        {lifetimes.map((name) => (
          <TextField
            key={name}
            label={labels[name]}
            problem={problemOf(failure, name)}
            inputMode="numeric"
            autocomplete="off"
            value={value[name]}
            onChangeValue={(text) => set({ [name]: text })}
          />
        ))}
      </Panel>
    </>
  )
}
