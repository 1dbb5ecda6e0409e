import type {
  OIDCConnectionPartialUpdate,
  SAMLProviderPartialUpdate,
} from '../../../lib/client/generated/models.ts'
import { Alert } from '../../kit/button.tsx'
import { readLines } from '../../kit/field.tsx'
import { messagesOf } from '../../kit/messages.ts'
import { client } from '../../session-kit/client.ts'
import { useLoaded } from '../../session-kit/use-loaded.ts'
import { BodyChoice, BodyFlag, type BodyForm, BodyLines, BodyText } from '../kit/body-fields.tsx'
import { problemOf } from '../kit/failure-alert.tsx'

const t = messagesOf('connections')

/** What a connection of any kind has. */
export type ConnectionBody = Pick<
  SAMLProviderPartialUpdate,
  keyof SAMLProviderPartialUpdate & keyof OIDCConnectionPartialUpdate
>

export type ConnectionForm = BodyForm<ConnectionBody>

interface ConnectionFieldsProps {
  readonly form: ConnectionForm
}

/** What its administrators call a connection. */
export const ConnectionName = ({
  form,
  isNew = false,
}: ConnectionFieldsProps & { readonly isNew?: boolean }) => (
  <BodyText form={form} name="name" label={t('name')} hint={t('nameHint')} maxLength={255} required={isNew} />
)

/** Who may sign in with a connection, and what they get. A public provider says nothing about groups. */
export const UserFields = ({
  form,
  isPublic = false,
}: ConnectionFieldsProps & { readonly isPublic?: boolean }) => (
  <>
    {!isPublic && (
      <BodyFlag form={form} name="auto_create_users" label={t('autoCreate')} hint={t('autoCreateHint')} />
    )}
    {(isPublic || form.value.auto_create_users) && <TemplateField form={form} />}
    {!isPublic && (
      <BodyFlag form={form} name="auto_sync_groups" label={t('syncGroups')} hint={t('syncGroupsHint')} />
    )}
    {!isPublic && form.value.auto_sync_groups && (
      <>
        <BodyFlag form={form} name="auto_create_groups" label={t('createGroups')} />
        <BodyLines form={form} name="allowed_groups" label={t('groups')} hint={t('groupsHint')} rows={4} />
      </>
    )}
    <BodyFlag
      form={form}
      name="disabled_in_client"
      label={t('hidden')}
      hint={isPublic ? t('hiddenPublicHint') : t('hiddenHint')}
    />
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
  </>
)

/** Who signs in otherwise, although the connection is required. No configuration document has them. */
export const ExemptUsers = ({ form }: ConnectionFieldsProps) =>
  form.value.required_for_domains ? (
    <BodyLines
      form={form}
      name="exempt_users"
      label={t('exemptUsers')}
      hint={t('exemptUsersHint')}
      rows={4}
      split={(text) => readLines(text).map(Number)}
    />
  ) : null

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
