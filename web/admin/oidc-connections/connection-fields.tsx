import type { OIDCConnection, OIDCConnectionPartialUpdate } from '../../../lib/client/generated/models.ts'
import type { ApiFailure } from '../../kit/call-api.ts'
import { PasswordField, SelectField, TextField } from '../../kit/field.tsx'
import { t as kitText, messagesOf } from '../../kit/messages.ts'
import { problemOf } from '../kit/failure-alert.tsx'
import type { Draft } from '../kit/use-save.tsx'
import { emptyRules, splitRules, toRulesValues, type UserValues } from '../saml-providers/provider-values.ts'

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

/** A connection as its form has it: empty texts stand for null, and lists are one text. */
export interface ConnectionValues extends UserValues {
  readonly name: string
  readonly issuer: string
  readonly client_id: string
  /** Empty keeps the stored secret. */
  readonly client_secret: string
  readonly token_endpoint_auth_method: OIDCConnection['token_endpoint_auth_method']
  /** Separated by spaces. */
  readonly scopes: string
  readonly hosted_domain: string
}

export const emptyConnection: ConnectionValues = {
  ...emptyRules,
  name: '',
  issuer: '',
  client_id: '',
  client_secret: '',
  token_endpoint_auth_method: 'client_secret_basic',
  scopes: 'openid email profile',
  hosted_domain: '',
}

export const toConnectionValues = (connection: OIDCConnection): ConnectionValues => ({
  name: connection.name,
  issuer: connection.issuer,
  client_id: connection.client_id,
  client_secret: '',
  token_endpoint_auth_method: connection.token_endpoint_auth_method,
  scopes: connection.scopes.join(' '),
  hosted_domain: connection.hosted_domain ?? '',
  ...toRulesValues(connection),
})

/** The request body of these changes. */
export const toConnectionChanges = (changes: Partial<ConnectionValues>): OIDCConnectionPartialUpdate => {
  const { rules, others } = splitRules(changes)
  const { scopes, hosted_domain: hostedDomain, client_secret: secret, ...same } = others
  return {
    ...rules,
    ...same,
    ...(secret ? { client_secret: secret } : {}),
    ...(scopes === undefined ? {} : { scopes: scopes.split(/\s+/).filter(Boolean) }),
    ...(hostedDomain === undefined ? {} : { hosted_domain: hostedDomain.trim() || null }),
  }
}

/** What the form fills in for a known identity provider. What a person replaces is in capitals. */
export const presets = {
  entra: { issuer: 'https://login.microsoftonline.com/TENANT-ID/v2.0' },
  google: { issuer: 'https://accounts.google.com' },
  okta: { issuer: 'https://COMPANY.okta.com' },
  other: { issuer: '' },
} as const

export type Preset = keyof typeof presets
