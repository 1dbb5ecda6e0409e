import { useState } from 'preact/hooks'
import { languages } from '../../../lib/kernel/i18n/languages.ts'
import { Checkbox, TextField } from '../../kit/field.tsx'
import { t as kitText, messagesOf } from '../../kit/messages.ts'
import { client } from '../../session-kit/client.ts'
import { useConfirmedAction } from '../../session-kit/use-loaded.ts'
import { CreateForm } from '../kit/edit-form.tsx'
import { problemOf } from '../kit/failure-alert.tsx'
import { Panel } from '../kit/panel.tsx'
import { leaveFor, toAddress } from '../kit/route.ts'
import { SectionPage } from '../kit/section-page.tsx'
import { showToast } from '../kit/toast.tsx'
import { useDraft } from '../kit/use-save.tsx'
import { GroupFields } from '../people/group-fields.tsx'
import { LanguageField } from '../people/language-field.tsx'
import { PermissionFields } from '../people/permission-fields.tsx'
import { toUserChanges, type UserValues } from './user-form.tsx'

const people = messagesOf('people')
const consoleText = messagesOf('console')
const t = messagesOf('users')

type NewUserValues = Pick<
  UserValues,
  'username' | 'full_name' | 'email' | 'language' | 'groups' | 'permissions'
> & { readonly invite: boolean }

const emptyUser: NewUserValues = {
  username: '',
  full_name: '',
  email: '',
  language: '',
  groups: [],
  permissions: [],
  invite: true,
}

/** Creates a user. Everything else can be edited afterwards. */
export const NewUser = () => {
  const draft = useDraft(emptyUser)
  const { value, set } = draft
  const hasEmail = value.email.trim() !== ''
  const [isMissing, setMissing] = useState(false)
  const create = useConfirmedAction(async () => {
    const { invite, ...fields } = value
    const { id, username } = await client.users.createUser({
      ...toUserChanges(fields),
      username: value.username.trim(),
      groups: value.groups,
      permissions: value.permissions,
      ...(invite && hasEmail ? { invite: true } : {}),
    })
    showToast(people('created', { name: username }))
    leaveFor(toAddress('users', [id]))
    return undefined
  })
  const { failure } = create
  return (
    <SectionPage heading={t('newUser')} parent={{ address: toAddress('users'), label: consoleText('users') }}>
      <CreateForm
        label={t('newUser')}
        action={people('create')}
        isChanged={draft.isChanged}
        create={create}
        cancelAddress={toAddress('users')}
        failures={{ conflict: t('taken'), permission_denied: people('notAllowedForUser') }}
        onSubmit={() => {
          const hasName = value.username.trim() !== ''
          setMissing(!hasName)
          if (hasName) void create.run()
        }}
      >
        <Panel heading={t('profile')}>
          <TextField
            label={t('username')}
            problem={isMissing ? kitText('required') : problemOf(failure, 'username')}
            value={value.username}
            onChangeValue={(username) => set({ username })}
            autocomplete="off"
            autocapitalize="none"
            spellcheck={false}
            required
          />
          <TextField
            label={t('fullName')}
            problem={problemOf(failure, 'full_name')}
            value={value.full_name}
            onChangeValue={(name) => set({ full_name: name })}
            autocomplete="off"
          />
          <TextField
            label={t('email')}
            type="email"
            problem={problemOf(failure, 'email')}
            value={value.email}
            onChangeValue={(email) => set({ email })}
            autocomplete="off"
          />
          <Checkbox
            label={t('invite')}
            hint={t('inviteHint')}
            isChecked={value.invite && hasEmail}
            isDisabled={!hasEmail}
            onChange={(invite) => set({ invite })}
          />
          <LanguageField
            languages={languages}
            value={value.language}
            onChangeValue={(language) => set({ language })}
          />
        </Panel>
        <GroupFields value={value.groups} onChange={(groups) => set({ groups })} />
        <PermissionFields value={value.permissions} onChange={(permissions) => set({ permissions })} />
      </CreateForm>
    </SectionPage>
  )
}
