import { useState } from 'preact/hooks'
import type { APIPermission, APIScope, ProtectedAPI } from '../../../lib/client/generated/models.ts'
import { type ConsoleLanguage, consoleLanguages, languageNames } from '../../../lib/kernel/i18n/languages.ts'
import { Button } from '../../kit/button.tsx'
import type { ApiFailure } from '../../kit/call-api.ts'
import { Checkbox, SelectField, TextField } from '../../kit/field.tsx'
import { messagesOf } from '../../kit/messages.ts'
import { pageData } from '../../kit/start-path.ts'
import { problemOf } from '../kit/failure-alert.tsx'
import { Panel } from '../kit/panel.tsx'
import type { Draft } from '../kit/use-save.tsx'

const t = messagesOf('protectedApis')

/** What an administrator can change. */
export type ApiValues = Pick<ProtectedAPI, 'name' | 'permissions' | 'scopes' | 'unregistered_clients'>

export const toApiValues = (api: ProtectedAPI): ApiValues => {
  const { name, permissions, scopes, unregistered_clients } = api
  return { name, permissions, scopes, unregistered_clients }
}

/** The names of the fields. */
export const getLabels = (): Readonly<Record<keyof ApiValues, string>> => ({
  name: t('name'),
  permissions: t('permissions'),
  scopes: t('scopes'),
  unregistered_clients: t('unregisteredClients'),
})

interface ApiFieldsProps {
  readonly draft: Pick<Draft<ApiValues>, 'value' | 'set'>
  readonly failure: ApiFailure | undefined
}

/** The permissions and scopes of an API, with their texts in one language at a time. */
export const ApiFields = ({ draft: { value, set }, failure }: ApiFieldsProps) => {
  const [language, setLanguage] = useState<ConsoleLanguage>(
    () => consoleLanguages.find((name) => name === pageData.language) ?? 'en',
  )
  const { permissions, scopes } = value
  return (
    <>
      <Panel heading={t('permissions')} intro={t('permissionsHint')}>
        <SelectField
          label={t('textsLanguage')}
          hint={t('textsLanguageHint')}
          value={language}
          options={consoleLanguages.map((name) => ({ value: name, label: languageNames[name] }))}
          onChangeValue={(name) => setLanguage(consoleLanguages.find((known) => known === name) ?? 'en')}
        />
        {permissions.map((permission, at) => (
          <Entry
            key={at}
            field={`permissions.${at}`}
            labels={{ name: t('permissionName'), text: t('permissionText') }}
            value={permission}
            language={language}
            failure={failure}
            onChange={(changed) => set({ permissions: replaceAt(permissions, at, changed) })}
            onRemove={() => set(removePermission(value, at))}
          />
        ))}
        <AddButton
          label={t('addPermission')}
          onClick={() => set({ permissions: [...permissions, { name: '', texts: { en: '' } }] })}
        />
      </Panel>
      <Panel heading={t('scopes')} intro={t('scopesHint')}>
        {scopes.map((scope, at) => (
          <Entry
            key={at}
            field={`scopes.${at}`}
            labels={{ name: t('scopeName'), text: t('scopeText') }}
            value={scope}
            language={language}
            failure={failure}
            onChange={(changed) => set({ scopes: replaceAt(scopes, at, { ...scope, ...changed }) })}
            onRemove={() => set({ scopes: scopes.filter((_, index) => index !== at) })}
          >
            <ScopePermissions
              scope={scope}
              permissions={permissions}
              onChange={(carried) =>
                set({ scopes: replaceAt(scopes, at, { ...scope, permissions: carried }) })
              }
            />
          </Entry>
        ))}
        <AddButton
          label={t('addScope')}
          onClick={() => set({ scopes: [...scopes, { name: '', texts: { en: '' }, permissions: [] }] })}
        />
        <Checkbox
          label={t('unregisteredClients')}
          hint={t('unregisteredClientsHint')}
          isChecked={value.unregistered_clients}
          onChange={(unregistered_clients) => set({ unregistered_clients })}
        />
      </Panel>
    </>
  )
}

const replaceAt = <Row,>(rows: readonly Row[], at: number, row: Row): Row[] =>
  rows.map((known, index) => (index === at ? row : known))

/** Scopes cannot carry a permission that the API no longer knows. */
const removePermission = ({ permissions, scopes }: ApiValues, at: number): Partial<ApiValues> => {
  const removed = permissions[at]?.name
  return {
    permissions: permissions.filter((_, index) => index !== at),
    scopes: scopes.map((scope) => ({
      ...scope,
      permissions: scope.permissions.filter((name) => name !== removed),
    })),
  }
}

const AddButton = ({ label, onClick }: { readonly label: string; readonly onClick: () => void }) => (
  <div class="row">
    <Button look="secondary" onClick={onClick}>
      {label}
    </Button>
  </div>
)

interface EntryProps {
  /** The name of the entry in problems. */
  readonly field: string
  readonly labels: { readonly name: string; readonly text: string }
  readonly value: APIPermission
  readonly language: ConsoleLanguage
  readonly failure: ApiFailure | undefined
  readonly onChange: (value: APIPermission) => void
  readonly onRemove: () => void
  readonly children?: preact.ComponentChildren
}

/** A permission or a scope: its name, and what it allows. */
const Entry = (props: EntryProps) => {
  const { field, labels, value, language, failure, onChange, onRemove, children } = props
  const { [language]: text = '', ...others } = value.texts
  return (
    <fieldset class="stack entry" aria-label={`${labels.name}: ${value.name}`}>
      <div class="columns">
        <TextField
          label={labels.name}
          problem={problemOf(failure, `${field}.name`)}
          autocomplete="off"
          autocapitalize="none"
          spellcheck={false}
          maxLength={130}
          value={value.name}
          onChangeValue={(name) => onChange({ name, texts: value.texts })}
        />
        <TextField
          label={labels.text}
          problem={problemOf(failure, `${field}.texts`)}
          autocomplete="off"
          maxLength={120}
          value={text}
          onChangeValue={(changed) =>
            onChange({
              name: value.name,
              // English is always there, so that the service can say that it is missing.
              texts: { en: '', ...others, ...(changed || language === 'en' ? { [language]: changed } : {}) },
            })
          }
        />
      </div>
      {children}
      <div class="row">
        <Button look="secondary" onClick={onRemove}>
          {t('removeEntry', { name: value.name || labels.name })}
        </Button>
      </div>
    </fieldset>
  )
}

interface ScopePermissionsProps {
  readonly scope: APIScope
  readonly permissions: readonly APIPermission[]
  readonly onChange: (permissions: string[]) => void
}

const ScopePermissions = ({ scope, permissions, onChange }: ScopePermissionsProps) => (
  <fieldset class="stack" aria-label={t('scopePermissions')}>
    <p class="note">{t('scopePermissions')}</p>
    {permissions
      .filter(({ name }) => name !== '')
      .map(({ name }) => (
        <Checkbox
          key={name}
          label={<code>{name}</code>}
          isChecked={scope.permissions.includes(name)}
          onChange={(isChecked) =>
            onChange(
              isChecked
                ? [...scope.permissions, name].sort()
                : scope.permissions.filter((known) => known !== name),
            )
          }
        />
      ))}
  </fieldset>
)
