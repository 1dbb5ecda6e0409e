import type { ApiFailure } from '../../kit/call-api.ts'
import { PasswordField, SelectField, TextField } from '../../kit/field.tsx'
import { t as kitText, messagesOf } from '../../kit/messages.ts'
import { problemOf } from '../kit/failure-alert.tsx'
import type { Draft } from '../kit/use-save.tsx'
import type { ConnectionValues } from './connection-values.ts'

const t = messagesOf('oidcConnections')

interface ConnectionFieldsProps {
  readonly draft: Pick<Draft<ConnectionValues>, 'value' | 'set'>
  readonly failure: ApiFailure | undefined
  /** The fields that must not be empty. Undefined until the person submits the form. */
  readonly missing?: readonly string[]
  readonly isNew?: boolean
}

const methods = ['client_secret_basic', 'client_secret_post', 'private_key_jwt'] as const

/** What the identity provider and this service know about each other. */
export const ConnectionFields = ({ draft, failure, missing = [], isNew = false }: ConnectionFieldsProps) => {
  const { value, set } = draft
  const problem = (name: keyof ConnectionValues) =>
    missing.includes(name) ? kitText('required') : problemOf(failure, name)
  const texts = [
    { name: 'issuer', label: t('issuer'), hint: t('issuerHint') },
    { name: 'client_id', label: t('clientId') },
  ] as const
  const more = [
    { name: 'hosted_domain', label: t('hostedDomain'), hint: t('hostedDomainHint') },
    { name: 'scopes', label: t('scopes'), hint: t('scopesHint') },
  ] as const
  const renderText = ({
    name,
    label,
    hint,
  }: {
    name: keyof ConnectionValues
    label: string
    hint?: string
  }) => (
    <TextField
      key={name}
      label={label}
      hint={hint}
      problem={problem(name)}
      autocomplete="off"
      autocapitalize="none"
      spellcheck={false}
      maxLength={1023}
      value={String(value[name])}
      onChangeValue={(text) => set({ [name]: text })}
    />
  )
  return (
    <>
      {texts.map(renderText)}
      {value.token_endpoint_auth_method === 'private_key_jwt' ? (
        <p class="note">{t('ownKey')}</p>
      ) : (
        <PasswordField
          label={t('clientSecret')}
          hint={isNew ? undefined : t('clientSecretHint')}
          problem={problem('client_secret')}
          autocomplete="off"
          maxLength={1023}
          value={value.client_secret}
          onChangeValue={(secret) => set({ client_secret: secret })}
        />
      )}
      <SelectField
        label={t('authMethod')}
        value={value.token_endpoint_auth_method}
        options={methods.map((method) => ({ value: method, label: method }))}
        onChangeValue={(text) =>
          set({
            token_endpoint_auth_method:
              methods.find((method) => method === text) ?? value.token_endpoint_auth_method,
          })
        }
      />
      {more.map(renderText)}
    </>
  )
}
