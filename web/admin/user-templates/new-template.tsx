import { useState } from 'preact/hooks'
import { messagesOf } from '../../kit/messages.ts'
import { client } from '../../session-kit/client.ts'
import { useConfirmedAction } from '../../session-kit/use-confirmed-action.ts'
import { CreateForm } from '../kit/create-form.tsx'
import { leaveFor, toAddress } from '../kit/route.ts'
import { SectionPage } from '../kit/section-page.tsx'
import { showToast } from '../kit/toast.tsx'
import { useDraft } from '../kit/use-draft.ts'
import { TemplateFields, type TemplateValues, toTemplateChanges } from './template-fields.tsx'

const people = messagesOf('people')
const t = messagesOf('userTemplates')

const emptyTemplate: TemplateValues = {
  name: '',
  language: '',
  default_page: '/',
  is_external: false,
  groups: [],
  permissions: [],
}

export const NewTemplate = () => {
  const draft = useDraft(emptyTemplate)
  const [isMissing, setMissing] = useState(false)
  const name = draft.value.name.trim()
  const create = useConfirmedAction(async () => {
    await client.userTemplates.createUserTemplate({ ...toTemplateChanges(draft.value), name })
    showToast(people('created', { name }))
    leaveFor(toAddress('user-templates'))
    return undefined
  })
  return (
    <SectionPage
      heading={t('newTemplate')}
      parent={{ address: toAddress('user-templates'), label: t('heading') }}
    >
      <CreateForm
        label={t('newTemplate')}
        action={people('create')}
        isChanged={draft.isChanged}
        create={create}
        cancelAddress={toAddress('user-templates')}
        failures={{ conflict: people('nameTaken'), permission_denied: people('notAllowedForUser') }}
        onSubmit={() => {
          setMissing(!name)
          if (name) void create.run()
        }}
      >
        <TemplateFields draft={draft} isNameMissing={isMissing} failure={create.failure} />
      </CreateForm>
    </SectionPage>
  )
}
