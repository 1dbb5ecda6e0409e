import { useEffect, useState } from 'preact/hooks'
import type {
  ServiceUserDetail,
  ServiceUserDetailPartialUpdate,
} from '../../../lib/client/generated/models.ts'
import { languages } from '../../../lib/kernel/i18n/languages.ts'
import { Alert } from '../../kit/button.tsx'
import { TextField } from '../../kit/field.tsx'
import { formatList } from '../../kit/format.ts'
import { t as kitText, messagesOf } from '../../kit/messages.ts'
import { client } from '../../session-kit/client.ts'
import { BodyChoice, BodyFlag, BodyOptionalText, BodyText, frameOf } from '../kit/body-fields.tsx'
import { useCurrentUser } from '../kit/current-user.ts'
import { EditForm } from '../kit/edit-form.tsx'
import { Panel } from '../kit/panel.tsx'
import { TabPanel } from '../kit/tabs.tsx'
import { useSave } from '../kit/use-save.tsx'
import { GroupFields } from '../people/group-fields.tsx'
import { listLanguages } from '../people/language-choices.ts'
import { PermissionFields } from '../people/permission-fields.tsx'

const access = messagesOf('access')
const people = messagesOf('people')
const t = messagesOf('users')

interface UserFormProps {
  readonly user: ServiceUserDetail
  readonly onSave: (user: ServiceUserDetail) => void
}

/** Everything that an administrator edits of a user. */
export const UserForm = ({ user, onSave }: UserFormProps) => {
  const { can } = useCurrentUser()
  const [startedAnew, setStartedAnew] = useState(false)
  const form = useSave<ServiceUserDetailPartialUpdate, ServiceUserDetail>({
    stored: user,
    read: () => client.users.getUser(user.id),
    write: (changes) => client.users.patchUser(user.id, changes),
    onSave: (saved) => {
      setStartedAnew(hasStartedAnew(user, saved))
      onSave(saved)
    },
  })
  const { changes, rebase } = form
  // An action can change the user while the form is open.
  useEffect(() => rebase(user, changes), [user])
  const beyond = useBeyondLimit(user, form.value)
  const renames = changes.username !== undefined || changes.email !== undefined
  return (
    <EditForm
      label={user.username}
      form={form}
      operation="patch_user"
      failures={{
        permission_denied: people('notAllowedForUser'),
        managed_by_directory: access('keptElsewhere'),
        conflict: renames ? t('taken') : kitText('problemConflict'),
      }}
    >
      <fieldset class="stack" disabled={!can('users:manage')}>
        <TabPanel name="profile">
          <div class="halves">
            <Panel heading={t('profile')}>
              <BodyText form={form} name="username" label={t('username')} writing="code" />
              <BodyOptionalText
                form={form}
                name="full_name"
                label={t('fullName')}
                {...describeKept(user, 'full_name')}
              />
              <BodyOptionalText
                form={form}
                name="email"
                label={t('email')}
                writing="email"
                {...describeKept(user, 'email')}
              />
              <BodyChoice
                form={form}
                name="page_language"
                label={people('language')}
                options={listLanguages(languages)}
              />
              <BodyText form={form} name="default_page" label={people('startPage')} writing="address" />
              <BodyFlag form={form} name="is_external" label={people('external')} />
            </Panel>
            <Panel heading={t('signIn')}>
              <BodyFlag
                form={form}
                name="is_enabled"
                label={t('mayUseAccount')}
                hint={t('mayUseAccountHint')}
              />
              <TextField
                {...frameOf({ form, name: 'expiry', label: t('expiry'), hint: t('expiryHint') })}
                type="datetime-local"
                value={toLocalInput(form.value.expiry)}
                onChangeValue={(expiry) => form.set({ expiry: fromLocalInput(expiry) })}
              />
              <BodyFlag form={form} name="allow_changing_password" label={t('mayChangePassword')} />
              <BodyFlag form={form} name="password_change_required" label={t('mustChangePassword')} />
            </Panel>
          </div>
        </TabPanel>
        <Alert kind="warning">
          {beyond.length > 0 && t('startsAnew', { name: user.username, permissions: formatList(beyond) })}
        </Alert>
        <Alert>{startedAnew && t('startedAnew', { name: user.username })}</Alert>
        <Alert>
          {user.withheld_permissions &&
            t('withheld', { name: user.username, permissions: formatList(user.withheld_permissions) })}
        </Alert>
        <TabPanel name="permissions">
          <div class="halves">
            <GroupFields form={form} name="groups" kept={user.kept_by_directories} />
            <PermissionFields form={form} name="permissions" fromGroups={user.group_permissions} />
          </div>
        </TabPanel>
      </fieldset>
    </EditForm>
  )
}

/** Shows a field that only a directory changes as such. */
const describeKept = ({ kept_by_directories: kept = [] }: ServiceUserDetail, name: 'email' | 'full_name') => {
  const keeper = kept.find(({ fields }) => fields.includes(name))
  return keeper ? { readOnly: true, hint: access('keptBy', { name: keeper.name }) } : {}
}

/** The permissions that start the account anew when the form is saved: see `rights_limit`. */
const useBeyondLimit = (
  user: ServiceUserDetail,
  { permissions = [], groups = [] }: ServiceUserDetailPartialUpdate,
): readonly string[] => {
  const limit = user.rights_limit
  const joined = groups.filter((id) => !user.groups.includes(id))
  const [fromGroups, setFromGroups] = useState<readonly string[]>([])
  useEffect(() => {
    let isCurrent = true
    if (!limit || joined.length === 0) setFromGroups([])
    else
      void Promise.all(joined.map((id) => client.groups.getGroup(id, { include_members: false }))).then(
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

/** Converts an ISO 8601 time to the value of a `datetime-local` input, in the time zone of the browser. */
const toLocalInput = (time: string | null | undefined): string => {
  if (!time) return ''
  const date = new Date(time)
  return new Date(date.getTime() - date.getTimezoneOffset() * 60_000).toISOString().slice(0, 16)
}

/** Converts the value of a `datetime-local` input to an ISO 8601 time. */
const fromLocalInput = (value: string): string | null => (value === '' ? null : new Date(value).toISOString())
