import type { ServiceUserDetailCreation } from '../../../lib/client/generated/models.ts'
import { languages } from '../../../lib/kernel/i18n/languages.ts'
import { Checkbox } from '../../kit/field.tsx'
import { messagesOf } from '../../kit/messages.ts'
import { client } from '../../session-kit/client.ts'
import { BodyChoice, BodyOptionalText, BodyText } from '../kit/body-fields.tsx'
import { CreateForm } from '../kit/edit-form.tsx'
import { Panel } from '../kit/panel.tsx'
import { leaveFor, toAddress } from '../kit/route.ts'
import { SectionPage } from '../kit/section-page.tsx'
import { showToast } from '../kit/toast.tsx'
import { useCreate } from '../kit/use-save.tsx'
import { GroupFields } from '../people/group-fields.tsx'
import { listLanguages } from '../people/language-choices.ts'
import { PermissionFields } from '../people/permission-fields.tsx'

const people = messagesOf('people')
const consoleText = messagesOf('console')
const t = messagesOf('users')

const emptyUser: ServiceUserDetailCreation = { username: '', groups: [], permissions: [], invite: true }

/** Creates a user. Everything else can be edited afterwards. */
export const NewUser = () => {
  const form = useCreate(emptyUser, async ({ invite, ...body }) => {
    const { id, username } = await client.users.createUser({ ...body, invite: invite && Boolean(body.email) })
    showToast(people('created', { name: username }))
    leaveFor(toAddress('users', [id]))
  })
  const { invite = false, email } = form.value
  return (
    <SectionPage heading={t('newUser')} parent={{ address: toAddress('users'), label: consoleText('users') }}>
      <CreateForm
        label={t('newUser')}
        action={people('create')}
        form={form}
        cancelAddress={toAddress('users')}
        operation="create_user"
        failures={{ conflict: t('taken'), permission_denied: people('notAllowedForUser') }}
      >
        <Panel heading={t('profile')}>
          <BodyText form={form} name="username" label={t('username')} writing="code" required />
          <BodyOptionalText form={form} name="full_name" label={t('fullName')} />
          <BodyOptionalText form={form} name="email" label={t('email')} writing="email" />
          <Checkbox
            label={t('invite')}
            hint={t('inviteHint')}
            isChecked={invite && Boolean(email)}
            isDisabled={!email}
            onChange={(isInvited) => form.set({ invite: isInvited })}
          />
          <BodyChoice
            form={form}
            name="page_language"
            label={people('language')}
            options={listLanguages(languages)}
          />
        </Panel>
        <GroupFields form={form} name="groups" />
        <PermissionFields form={form} name="permissions" />
      </CreateForm>
    </SectionPage>
  )
}
