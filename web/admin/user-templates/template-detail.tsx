import type { UserTemplate } from '../../../lib/client/generated/models.ts'
import { messagesOf } from '../../kit/messages.ts'
import { client } from '../../session-kit/client.ts'
import { useLoaded } from '../../session-kit/use-loaded.ts'
import { useCurrentUser } from '../kit/current-user.ts'
import { DeletePanel } from '../kit/delete-panel.tsx'
import { EditForm } from '../kit/edit-form.tsx'
import { ShowLoaded } from '../kit/load-state.tsx'
import { leaveFor, toAddress } from '../kit/route.ts'
import { SectionPage } from '../kit/section-page.tsx'
import { showToast } from '../kit/toast.tsx'
import { useDraft } from '../kit/use-draft.ts'
import { useSave } from '../kit/use-save.tsx'
import { TemplateFields, toTemplateChanges, toTemplateValues } from './template-fields.tsx'

const people = messagesOf('people')
const t = messagesOf('userTemplates')

export const TemplateDetail = ({ id }: { readonly id: number }) => {
  const loaded = useLoaded((options) => client.userTemplates.getUserTemplate(id, options))
  const { can } = useCurrentUser()
  return (
    <ShowLoaded loaded={loaded}>
      {(template) => (
        <SectionPage
          heading={template.name}
          parent={{ address: toAddress('user-templates'), label: t('heading') }}
        >
          <TemplateForm template={template} onSave={loaded.setValue} />
          {can('users:manage') && (
            <DeletePanel
              label={t('deleteTemplate')}
              name={template.name}
              text={t('deleteTemplateText')}
              failures={{ permission_denied: people('notAllowedForUser') }}
              onDelete={async () => {
                await client.userTemplates.deleteUserTemplate(id)
                showToast(people('deleted', { name: template.name }))
                leaveFor(toAddress('user-templates'))
              }}
            />
          )}
        </SectionPage>
      )}
    </ShowLoaded>
  )
}

interface TemplateFormProps {
  readonly template: UserTemplate
  readonly onSave: (template: UserTemplate) => void
}

const TemplateForm = ({ template, onSave }: TemplateFormProps) => {
  const { can } = useCurrentUser()
  const draft = useDraft(toTemplateValues(template))
  const save = useSave({
    draft,
    read: async () => toTemplateValues(await client.userTemplates.getUserTemplate(template.id)),
    write: async (changes) => {
      const saved = await client.userTemplates.patchUserTemplate(template.id, toTemplateChanges(changes))
      onSave(saved)
      return toTemplateValues(saved)
    },
  })
  return (
    <EditForm
      label={template.name}
      draft={draft}
      save={save}
      labels={{
        name: people('name'),
        language: people('language'),
        default_page: people('startPage'),
        is_external: people('external'),
        groups: people('groups'),
        permissions: people('permissions'),
      }}
      failures={{
        permission_denied: people('notAllowedForUser'),
        ...(draft.changes.name === undefined ? {} : { conflict: people('nameTaken') }),
      }}
    >
      <fieldset class="stack" disabled={!can('users:manage')}>
        <TemplateFields draft={draft} isNameMissing={false} failure={save.action.failure} />
      </fieldset>
    </EditForm>
  )
}
