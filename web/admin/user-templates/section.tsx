import type {
  UserTemplate,
  UserTemplatePartialUpdate,
  UserTemplateUpdate,
} from '../../../lib/client/generated/models.ts'
import { t as kitText, messagesOf } from '../../kit/messages.ts'
import { client } from '../../session-kit/client.ts'
import { useLoaded } from '../../session-kit/use-loaded.ts'
import { DeleteButton } from '../kit/confirm-dialog.tsx'
import { useCurrentUser } from '../kit/current-user.ts'
import { CreateForm, EditForm } from '../kit/edit-form.tsx'
import { ShowLoaded } from '../kit/load-state.tsx'
import { Managed } from '../kit/managed.tsx'
import { NamedList } from '../kit/named-list.tsx'
import { leaveFor, toAddress } from '../kit/route.ts'
import type { SectionProps } from '../kit/section-page.tsx'
import { SectionPage } from '../kit/section-page.tsx'
import { showToast } from '../kit/toast.tsx'
import { useCreate, useSave } from '../kit/use-save.tsx'
import { describePermissions } from '../people/permissions.ts'
import { TemplateFields } from './template-fields.tsx'

const consoleText = messagesOf('console')
const people = messagesOf('people')
const t = messagesOf('userTemplates')

export const Section = ({ path: [id] }: SectionProps) => {
  if (id === undefined) return <TemplateList />
  return id === 'new' ? <NewTemplate /> : <TemplateDetail id={Number(id)} />
}

const TemplateList = () => {
  const { can } = useCurrentUser()
  return (
    <NamedList
      section="user-templates"
      heading={consoleText('userTemplates')}
      intro={t('intro')}
      create={can('users:manage') ? t('newTemplate') : undefined}
      load={client.userTemplates.listUserTemplates}
      kindOf={() => 'user_template'}
      columns={[
        {
          name: 'name',
          header: people('name'),
          ordering: 'name',
          cell: ({ id, name }) => <a href={toAddress('user-templates', [id])}>{name}</a>,
        },
        {
          name: 'permissions',
          header: people('permissions'),
          cell: ({ permissions }) => describePermissions(permissions) || consoleText('none'),
        },
      ]}
      empty={t('empty')}
    />
  )
}

const emptyTemplate: UserTemplateUpdate = {
  name: '',
  language: null,
  default_page: '/',
  is_external: false,
  groups: [],
  permissions: [],
}

const NewTemplate = () => {
  const form = useCreate(emptyTemplate, async (body) => {
    const { name } = await client.userTemplates.createUserTemplate(body)
    showToast(people('created', { name }))
    leaveFor(toAddress('user-templates'))
  })
  return (
    <SectionPage
      heading={t('newTemplate')}
      parent={{ address: toAddress('user-templates'), label: consoleText('userTemplates') }}
    >
      <CreateForm
        label={t('newTemplate')}
        action={people('create')}
        form={form}
        cancelAddress={toAddress('user-templates')}
        operation="create_user_template"
        failures={{
          conflict: kitText('problemConflict'),
          taken: people('nameTaken'),
          permission_denied: people('notAllowedForUser'),
        }}
      >
        <TemplateFields form={form} />
      </CreateForm>
    </SectionPage>
  )
}

const TemplateDetail = ({ id }: { readonly id: number }) => {
  const loaded = useLoaded((options) => client.userTemplates.getUserTemplate(id, options))
  const { can } = useCurrentUser()
  return (
    <Managed kind="user_template" id={id}>
      <ShowLoaded loaded={loaded}>
        {(template) => (
          <SectionPage
            heading={template.name}
            parent={{ address: toAddress('user-templates'), label: consoleText('userTemplates') }}
            actions={
              can('users:manage') && (
                <DeleteButton
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
              )
            }
          >
            <TemplateForm template={template} onSave={loaded.setValue} />
          </SectionPage>
        )}
      </ShowLoaded>
    </Managed>
  )
}

interface TemplateFormProps {
  readonly template: UserTemplate
  readonly onSave: (template: UserTemplate) => void
}

const TemplateForm = ({ template, onSave }: TemplateFormProps) => {
  const { can } = useCurrentUser()
  const form = useSave<UserTemplatePartialUpdate, UserTemplate>({
    stored: template,
    read: () => client.userTemplates.getUserTemplate(template.id),
    write: (changes) => client.userTemplates.patchUserTemplate(template.id, changes),
    onSave,
  })
  return (
    <EditForm
      label={template.name}
      form={form}
      operation="patch_user_template"
      failures={{
        permission_denied: people('notAllowedForUser'),
        conflict: kitText('problemConflict'),
        taken: people('nameTaken'),
      }}
    >
      <fieldset class="stack" disabled={!can('users:manage')}>
        <TemplateFields form={form} />
      </fieldset>
    </EditForm>
  )
}
