import type { OIDCConnectionPartialUpdate } from '../../../../lib/client/generated/models.ts'
import {
  authMethods,
  nameProvider,
  providerSetups,
} from '../../../../lib/features/connections/public-providers.models.ts'
import { messagesOf } from '../../../kit/messages.ts'
import {
  BodyChoice,
  type BodyForm,
  BodyOptionalText,
  BodySecret,
  BodyText,
  BodyWords,
} from '../../kit/body-fields.tsx'
import { Facts } from '../../kit/panel.tsx'
import { labelProvider } from './public-presets.ts'

const t = messagesOf('oidcConnections')

interface OidcFieldsProps {
  readonly form: BodyForm<OIDCConnectionPartialUpdate>
  readonly isNew?: boolean
}

const code = { maxLength: 1023, writing: 'code' } as const

/** What the identity provider and this service know about each other. */
export const OidcFields = ({ form, isNew = false }: OidcFieldsProps) => {
  const setup = providerSetups[nameProvider(form.value)]
  return (
    <>
      {!isNew && form.value.public_provider && (
        <Facts facts={[{ label: t('provider'), value: labelProvider(form.value.public_provider) }]} />
      )}
      <BodyText
        {...code}
        form={form}
        name="issuer"
        label={t('issuer')}
        hint={t('issuerHint')}
        required={isNew}
      />
      <BodyText {...code} form={form} name="client_id" label={t('clientId')} required={isNew} />
      {setup.fields.map(({ name, label, hint, maxLength, required }) => (
        <BodyOptionalText
          {...code}
          key={name}
          form={form}
          name={name}
          label={t(label)}
          hint={hint && t(hint)}
          maxLength={maxLength}
          required={required}
        />
      ))}
      {form.value.token_endpoint_auth_method === 'private_key_jwt' ? (
        <p class="note">{t('ownKey')}</p>
      ) : (
        <BodySecret
          form={form}
          name="client_secret"
          label={t(setup.secret.label)}
          hint={isNew ? setup.secret.hint && t(setup.secret.hint) : t('clientSecretHint')}
          required={isNew}
        />
      )}
      <BodyChoice
        form={form}
        name="token_endpoint_auth_method"
        label={t('authMethod')}
        options={authMethods.map((method) => ({ value: method, label: method }))}
      />
      {form.value.public_provider ? (
        <BodyChoice
          form={form}
          name="first_sign_in"
          label={t('firstSignIn')}
          hint={t('firstSignInHint')}
          options={[
            { value: 'ask', label: t('firstAsk') },
            { value: 'create', label: t('firstCreate') },
            { value: 'refuse', label: t('firstRefuse') },
            { value: 'invited', label: t('firstInvited') },
          ]}
        />
      ) : (
        <BodyOptionalText
          {...code}
          form={form}
          name="hosted_domain"
          label={t('hostedDomain')}
          hint={t('hostedDomainHint')}
        />
      )}
      <BodyWords {...code} form={form} name="scopes" label={t('scopes')} hint={t('scopesHint')} />
    </>
  )
}
