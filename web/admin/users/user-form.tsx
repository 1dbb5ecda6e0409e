import { useEffect, useState } from 'preact/hooks'
import type {
  ServiceUserDetail,
  ServiceUserDetailPartialUpdate,
} from '../../../lib/client/generated/models.ts'
import { isLanguage, languages } from '../../../lib/kernel/i18n/languages.ts'
import { Alert } from '../../kit/button.tsx'
import { Checkbox, TextField } from '../../kit/field.tsx'
import { formatList } from '../../kit/format.ts'
import { messagesOf } from '../../kit/messages.ts'
import { client } from '../../session-kit/client.ts'
import { useCurrentUser } from '../kit/current-user.ts'
import { EditForm } from '../kit/edit-form.tsx'
import { problemOf } from '../kit/failure-alert.tsx'
import { Panel } from '../kit/panel.tsx'
import { useDraft, useSave } from '../kit/use-save.tsx'
import { GroupFields } from '../people/group-fields.tsx'
import { LanguageField } from '../people/language-field.tsx'
import { PermissionFields } from '../people/permission-fields.tsx'

const people = messagesOf('people')
const t = messagesOf('users')

interface UserFormProps {
  readonly user: ServiceUserDetail
  readonly onSave: (user: ServiceUserDetail) => void
}

/** Everything that an administrator edits of a user. */
export const UserForm = ({ user, onSave }: UserFormProps) => {
  const { can } = useCurrentUser()
  const draft = useDraft(toUserValues(user))
  const [startedAnew, setStartedAnew] = useState(false)
  const save = useSave({
    draft,
    read: async () => toUserValues(await client.users.getUser(user.id)),
    write: async (changes) => {
      const saved = await client.users.patchUser(user.id, toUserChanges(changes))
      setStartedAnew(hasStartedAnew(user, saved))
      onSave(saved)
      return toUserValues(saved)
    },
  })
  const { value, set, changes, rebase } = draft
  // An action can change the user while the form is open.
  useEffect(() => rebase(toUserValues(user), changes), [user])
  const labels = getUserLabels()
  const { failure } = save.action
  const problem = (field: keyof typeof labels) => problemOf(failure, field)
  const beyond = useBeyondLimit(user, value)
  const renames = changes.username !== undefined || changes.email !== undefined
  return (
    <EditForm
      label={user.username}
      draft={draft}
      save={save}
      labels={labels}
      failures={{
        permission_denied: people('notAllowedForUser'),
        ...(renames ? { conflict: t('taken') } : {}),
      }}
    >
      <fieldset class="stack" disabled={!can('users:manage')}>
        <Panel heading={t('profile')}>
          <TextField
            label={labels.username}
            problem={problem('username')}
            value={value.username}
            onChangeValue={(username) => set({ username })}
            autocomplete="off"
            autocapitalize="none"
            spellcheck={false}
          />
          <TextField
            label={labels.full_name}
            problem={problem('full_name')}
            value={value.full_name}
            onChangeValue={(name) => set({ full_name: name })}
            autocomplete="off"
          />
          <TextField
            label={labels.email}
            type="email"
            problem={problem('email')}
            value={value.email}
            onChangeValue={(email) => set({ email })}
            autocomplete="off"
          />
          <LanguageField
            languages={languages}
            value={value.language}
            onChangeValue={(language) => set({ language })}
          />
          <TextField
            label={labels.default_page}
            problem={problem('default_page')}
            value={value.default_page}
            onChangeValue={(page) => set({ default_page: page })}
            autocomplete="off"
            spellcheck={false}
          />
          <Checkbox
            label={labels.is_external}
            isChecked={value.is_external}
            onChange={(isExternal) => set({ is_external: isExternal })}
          />
        </Panel>
        <Panel heading={t('signIn')}>
          <Checkbox
            label={labels.is_enabled}
            hint={t('mayUseAccountHint')}
            isChecked={value.is_enabled}
            onChange={(isEnabled) => set({ is_enabled: isEnabled })}
          />
          <TextField
            label={labels.expiry}
            hint={t('expiryHint')}
            type="datetime-local"
            problem={problem('expiry')}
            value={toLocalInput(value.expiry)}
            onChangeValue={(expiry) => set({ expiry: fromLocalInput(expiry) })}
          />
          <Checkbox
            label={labels.allow_changing_password}
            isChecked={value.allow_changing_password}
            onChange={(isAllowed) => set({ allow_changing_password: isAllowed })}
          />
          <Checkbox
            label={labels.password_change_required}
            isChecked={value.password_change_required}
            onChange={(isRequired) => set({ password_change_required: isRequired })}
          />
        </Panel>
        <Alert kind="warning">
          {beyond.length > 0 && t('startsAnew', { name: user.username, permissions: formatList(beyond) })}
        </Alert>
        <Alert>{startedAnew && t('startedAnew', { name: user.username })}</Alert>
        <Alert>
          {user.withheld_permissions &&
            t('withheld', { name: user.username, permissions: formatList(user.withheld_permissions) })}
        </Alert>
        <GroupFields value={value.groups} onChange={(groups) => set({ groups })} />
        <PermissionFields
          value={value.permissions}
          fromGroups={user.group_permissions}
          onChange={(permissions) => set({ permissions })}
        />
      </fieldset>
    </EditForm>
  )
}

/** The permissions that start the account anew when the form is saved: see `rights_limit`. */
const useBeyondLimit = (user: ServiceUserDetail, { permissions, groups }: UserValues): readonly string[] => {
  const limit = user.rights_limit
  const joined = groups.filter((id) => !user.groups.includes(id))
  const [fromGroups, setFromGroups] = useState<readonly string[]>([])
  useEffect(() => {
    let isCurrent = true
    if (!limit || joined.length === 0) setFromGroups([])
    else
      void Promise.all(joined.map((id) => client.groups.getGroup(id))).then(
        (found) => isCurrent && setFromGroups(found.flatMap((group) => group.permissions)),
        // The saved user says what happened.
        () => undefined,
      )
    return () => {
      isCurrent = false
    }
  }, [limit, joined.join()])
  if (!limit) return []
  const isIncluded = (permission: string): boolean =>
    (limit.permissions.includes(permission) || limit.permissions.includes('system:admin-access')) &&
    !(limit.excludes_privileged && ['system:admin-access', 'users:manage'].includes(permission))
  const given = permissions.filter((permission) => !user.permissions.includes(permission))
  return [...new Set([...given, ...fromGroups])].filter((permission) => !isIncluded(permission))
}

/** Whether a change ended what others had set for the user. */
const hasStartedAnew = (before: ServiceUserDetail, saved: ServiceUserDetail): boolean =>
  (before.rights_limit !== undefined && saved.rights_limit === undefined) ||
  (before.has_password && !saved.has_password) ||
  (before.email_verified === true && saved.email_verified === false && before.email === saved.email)

/** What an administrator edits of a user. Empty texts stand for no value. */
export interface UserValues {
  readonly username: string
  readonly full_name: string
  readonly email: string
  readonly language: string
  readonly default_page: string
  readonly is_external: boolean
  readonly is_enabled: boolean
  readonly expiry: string | null
  readonly allow_changing_password: boolean
  readonly password_change_required: boolean
  readonly groups: readonly number[]
  readonly permissions: readonly string[]
}

const toUserValues = (user: ServiceUserDetail): UserValues => ({
  username: user.username,
  full_name: user.full_name ?? '',
  email: user.email ?? '',
  language: user.page_language ?? '',
  default_page: user.default_page,
  is_external: user.is_external,
  is_enabled: user.is_enabled,
  expiry: user.expiry,
  allow_changing_password: user.allow_changing_password,
  password_change_required: user.password_change_required,
  groups: [...user.groups].sort((a, b) => a - b),
  permissions: [...user.permissions].sort(),
})

/** The request body of these changes. */
export const toUserChanges = (changes: Partial<UserValues>): ServiceUserDetailPartialUpdate => {
  const { full_name: fullName, email, language, ...rest } = changes
  return {
    ...rest,
    ...(fullName === undefined ? {} : { full_name: fullName.trim() || null }),
    ...(email === undefined ? {} : { email: email.trim() || null }),
    ...(language === undefined ? {} : { page_language: isLanguage(language) ? language : null }),
  }
}

const getUserLabels = (): Readonly<Record<keyof UserValues, string>> => ({
  username: t('username'),
  full_name: t('fullName'),
  email: t('email'),
  language: people('language'),
  default_page: people('startPage'),
  is_external: people('external'),
  is_enabled: t('mayUseAccount'),
  expiry: t('expiry'),
  allow_changing_password: t('mayChangePassword'),
  password_change_required: t('mustChangePassword'),
  groups: people('groups'),
  permissions: people('permissions'),
})

/** Converts an ISO 8601 time to the value of a `datetime-local` input, in the time zone of the browser. */
const toLocalInput = (time: string | null): string => {
  if (time === null) return ''
  const date = new Date(time)
  return new Date(date.getTime() - date.getTimezoneOffset() * 60_000).toISOString().slice(0, 16)
}

/** Converts the value of a `datetime-local` input to an ISO 8601 time. */
const fromLocalInput = (value: string): string | null => (value === '' ? null : new Date(value).toISOString())
