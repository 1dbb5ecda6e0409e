import type { UserTemplatePartialUpdate } from '../../../lib/client/generated/models.ts'
import { consoleLanguages } from '../../../lib/kernel/i18n/languages.ts'
import { messagesOf } from '../../kit/messages.ts'
import { BodyChoice, BodyFlag, type BodyForm, BodyText } from '../kit/body-fields.tsx'
import { Panel } from '../kit/panel.tsx'
import { GroupFields } from '../people/group-fields.tsx'
import { listLanguages } from '../people/language-choices.ts'
import { PermissionFields } from '../people/permission-fields.tsx'

const people = messagesOf('people')
const t = messagesOf('userTemplates')

/** What new users with a template get. */
export const TemplateFields = ({ form }: { readonly form: BodyForm<UserTemplatePartialUpdate> }) => (
  <>
    <Panel heading={t('template')}>
      <BodyText form={form} name="name" label={people('name')} required />
      <BodyChoice
        form={form}
        name="language"
        label={people('language')}
        options={listLanguages(consoleLanguages)}
      />
      <BodyText form={form} name="default_page" label={people('startPage')} writing="address" />
      <BodyFlag form={form} name="is_external" label={people('external')} />
    </Panel>
    <GroupFields form={form} name="groups" />
    <PermissionFields form={form} name="permissions" />
  </>
)
