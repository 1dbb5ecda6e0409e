import { useState } from 'preact/hooks'
import type {
  APIPermissionInput,
  APIScopeInput,
  ProtectedAPIPartialUpdate,
} from '../../../lib/client/generated/models.ts'
import { type Language, languageNames, languages } from '../../../lib/kernel/i18n/languages.ts'
import { Button } from '../../kit/button.tsx'
import { Checkbox, SelectField, TextField } from '../../kit/field.tsx'
import { messagesOf } from '../../kit/messages.ts'
import { pageData } from '../../kit/start-path.ts'
import { BodyFlag, type BodyForm, BodyText, choose, FieldPanel, rowInBody } from '../kit/body-fields.tsx'
import { problemOf } from '../kit/failure-alert.tsx'

const t = messagesOf('protectedApis')

type ApiBody = Pick<ProtectedAPIPartialUpdate, 'name' | 'permissions' | 'scopes' | 'unregistered_clients'>

interface ApiFieldsProps {
  readonly form: BodyForm<ApiBody>
}

/** The permissions and scopes of an API, with their texts in one language at a time. */
export const ApiFields = ({ form }: ApiFieldsProps) => {
  const [language, setLanguage] = useState<Language>(
    () => languages.find((name) => name === pageData.language) ?? 'en',
  )
  const { permissions = [], scopes = [] } = form.value
  return (
    <>
      <FieldPanel form={form} name="permissions" heading={t('permissions')} intro={t('permissionsHint')}>
        <SelectField
          label={t('textsLanguage')}
          hint={t('textsLanguageHint')}
          value={language}
          options={languages.map((name) => ({ value: name, label: languageNames[name] }))}
          onChangeValue={(name) => setLanguage(languages.find((known) => known === name) ?? 'en')}
        />
        {permissions.map((_, at) => (
          <Entry
            key={at}
            labels={{ name: t('permissionName'), text: t('permissionText') }}
            form={rowInBody(form, 'permissions', at)}
            language={language}
            onRemove={() => form.set(removePermission(form.value, at))}
          />
        ))}
        <AddButton
          label={t('addPermission')}
          onClick={() => form.set({ permissions: [...permissions, { name: '', texts: { en: '' } }] })}
        />
      </FieldPanel>
      <FieldPanel form={form} name="scopes" heading={t('scopes')} intro={t('scopesHint')}>
        {scopes.map((_, at) => {
          const scope = rowInBody(form, 'scopes', at)
          return (
            <Entry
              key={at}
              labels={{ name: t('scopeName'), text: t('scopeText') }}
              form={scope}
              language={language}
              onRemove={scope.remove}
            >
              <ScopePermissions form={scope} permissions={permissions} />
            </Entry>
          )
        })}
        <AddButton
          label={t('addScope')}
          onClick={() => form.set({ scopes: [...scopes, { name: '', texts: { en: '' }, permissions: [] }] })}
        />
        <BodyFlag
          form={form}
          name="unregistered_clients"
          label={t('unregisteredClients')}
          hint={t('unregisteredClientsHint')}
        />
      </FieldPanel>
    </>
  )
}

/** Scopes cannot carry a permission that the API no longer knows. */
const removePermission = ({ permissions = [], scopes = [] }: ApiBody, at: number): ApiBody => {
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
  readonly labels: { readonly name: string; readonly text: string }
  readonly form: BodyForm<APIPermissionInput>
  readonly language: Language
  readonly onRemove: () => void
  readonly children?: preact.ComponentChildren
}

/** A permission or a scope: its name, and what it allows. */
const Entry = ({ labels, form, language, onRemove, children }: EntryProps) => {
  const { name } = form.value
  const { [language]: text = '', ...others } = form.value.texts
  return (
    <fieldset class="stack entry" aria-label={`${labels.name}: ${name}`}>
      <div class="columns">
        <BodyText form={form} name="name" label={labels.name} maxLength={130} writing="code" />
        <TextField
          label={labels.text}
          problem={problemOf(form.failure, `${form.path}texts`)}
          autocomplete="off"
          maxLength={120}
          value={text}
          onChangeValue={(changed) =>
            form.set({
              // English is always there, so that the service can say that it is missing.
              texts: { en: '', ...others, ...(changed || language === 'en' ? { [language]: changed } : {}) },
            })
          }
        />
      </div>
      {children}
      <div class="row">
        <Button look="secondary" onClick={onRemove}>
          {t('removeEntry', { name: name || labels.name })}
        </Button>
      </div>
    </fieldset>
  )
}

interface ScopePermissionsProps {
  readonly form: BodyForm<APIScopeInput>
  readonly permissions: readonly APIPermissionInput[]
}

const ScopePermissions = ({ form, permissions }: ScopePermissionsProps) => (
  <fieldset class="stack" aria-label={t('scopePermissions')}>
    <p class="note">{t('scopePermissions')}</p>
    {permissions
      .filter(({ name }) => name !== '')
      .map(({ name }) => (
        <Checkbox
          key={name}
          label={<code>{name}</code>}
          isChecked={form.value.permissions.includes(name)}
          onChange={(isChecked) => choose(form, 'permissions', name, isChecked)}
        />
      ))}
  </fieldset>
)
