import type {
  OIDCConnectionPartialUpdate,
  SAMLProviderPartialUpdate,
} from '../../../lib/client/generated/models.ts'
import { Alert } from '../../kit/button.tsx'
import { readLines } from '../../kit/field.tsx'
import { messagesOf } from '../../kit/messages.ts'
import { client } from '../../session-kit/client.ts'
import { useLoaded } from '../../session-kit/use-loaded.ts'
import {
  BodyChoice,
  BodyFlag,
  type BodyForm,
  BodyLines,
  BodyOptionalText,
  BodyText,
} from '../kit/body-fields.tsx'
import { problemOf } from '../kit/failure-alert.tsx'

const t = messagesOf('samlProviders')

/** What a connection of either kind has. */
export type ConnectionBody = Pick<
  SAMLProviderPartialUpdate,
  keyof SAMLProviderPartialUpdate & keyof OIDCConnectionPartialUpdate
>

interface ConnectionFieldsProps {
  readonly form: BodyForm<ConnectionBody>
}

interface ProviderFieldsProps {
  readonly form: BodyForm<SAMLProviderPartialUpdate>
}

const nameIdFormats = [
  'urn:oasis:names:tc:SAML:1.1:nameid-format:unspecified',
  'urn:oasis:names:tc:SAML:1.1:nameid-format:emailAddress',
  'urn:oasis:names:tc:SAML:2.0:nameid-format:persistent',
  'urn:oasis:names:tc:SAML:1.1:nameid-format:WindowsDomainQualifiedName',
  'urn:oasis:names:tc:SAML:1.1:nameid-format:X509SubjectName',
  'urn:oasis:names:tc:SAML:2.0:nameid-format:kerberos',
  'urn:oasis:names:tc:SAML:2.0:nameid-format:entity',
  'urn:oasis:names:tc:SAML:2.0:nameid-format:transient',
  'urn:oasis:names:tc:SAML:2.0:nameid-format:encrypted',
] as const

/** What its administrators call a connection. */
export const ConnectionName = ({
  form,
  isNew = false,
}: ConnectionFieldsProps & { readonly isNew?: boolean }) => (
  <BodyText form={form} name="name" label={t('name')} hint={t('nameHint')} maxLength={255} required={isNew} />
)

/** What the metadata of a provider contains. */
export const ConnectionFields = ({ form }: ProviderFieldsProps) => (
  <>
    <BodyText form={form} name="entity_id" label={t('entityId')} maxLength={255} writing="code" />
    <BodyText form={form} name="sso_url" label={t('ssoUrl')} maxLength={255} writing="code" />
    <BodyOptionalText form={form} name="slo_url" label={t('sloUrl')} maxLength={255} writing="code" />
    <BodyText form={form} name="certificate" label={t('certificate')} rows={6} isExact />
  </>
)

/** How a provider names its users. */
export const NameFields = ({ form }: ProviderFieldsProps) => (
  <>
    <BodyChoice
      form={form}
      name="nameid_format"
      label={t('nameIdFormat')}
      options={nameIdFormats.map((format) => ({ value: format, label: format.split(':').at(-1) ?? format }))}
    />
    <BodyOptionalText
      form={form}
      name="nameid_attribute"
      label={t('nameIdAttribute')}
      hint={t('nameIdAttributeHint')}
      writing="code"
    />
  </>
)

/** Who may sign in with a provider, and what they get. */
export const UserFields = ({ form }: ConnectionFieldsProps) => (
  <>
    <BodyFlag form={form} name="auto_create_users" label={t('autoCreate')} hint={t('autoCreateHint')} />
    {form.value.auto_create_users && <TemplateField form={form} />}
    <BodyFlag form={form} name="auto_sync_groups" label={t('syncGroups')} hint={t('syncGroupsHint')} />
    {form.value.auto_sync_groups && (
      <>
        <BodyFlag form={form} name="auto_create_groups" label={t('createGroups')} />
        <BodyLines form={form} name="allowed_groups" label={t('groups')} hint={t('groupsHint')} rows={4} />
      </>
    )}
    <BodyFlag form={form} name="disabled_in_client" label={t('hidden')} hint={t('hiddenHint')} />
  </>
)

/** Whether people of its domains may sign in otherwise. */
export const RequiredFields = ({ form }: ConnectionFieldsProps) => (
  <>
    <BodyFlag
      form={form}
      name="required_for_domains"
      label={t('requireSignIn')}
      hint={t('requireSignInHint')}
    />
    {form.failure && problemOf(form.failure, 'required_for_domains') && (
      <Alert kind="problem">{problemOf(form.failure, 'required_for_domains')}</Alert>
    )}
    {form.value.required_for_domains && (
      <BodyLines
        form={form}
        name="exempt_users"
        label={t('exemptUsers')}
        hint={t('exemptUsersHint')}
        rows={4}
        split={(text) => readLines(text).map(Number)}
      />
    )}
  </>
)

const mostTemplates = 500

interface TemplateFieldProps {
  readonly form: BodyForm<Pick<ConnectionBody, 'user_template'>>
}

/** Chooses the user template of new users. */
export const TemplateField = ({ form }: TemplateFieldProps) => {
  const { value: page } = useLoaded((options) =>
    client.userTemplates.listUserTemplates({ ordering: 'name', limit: mostTemplates }, options),
  )
  const templates = (page?.items ?? []).map(({ id, name }) => ({ value: id, label: name }))
  const { user_template: chosen = null } = form.value
  const isMissing = chosen !== null && !templates.some(({ value }) => value === chosen)
  return (
    <BodyChoice
      form={form}
      name="user_template"
      label={t('template')}
      options={[
        { value: null, label: t('noTemplate') },
        ...templates,
        // While the list loads, and if the template was deleted.
        ...(isMissing ? [{ value: chosen, label: String(chosen) }] : []),
      ]}
    />
  )
}
