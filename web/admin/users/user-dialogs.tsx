import { useState } from 'preact/hooks'
import type { ServiceUserDetail } from '../../../lib/client/generated/models.ts'
import { Button } from '../../kit/button.tsx'
import { Dialog, FormDialog, useClosing } from '../../kit/dialog.tsx'
import { Checkbox, PasswordField } from '../../kit/field.tsx'
import { t as kitText, messagesOf } from '../../kit/messages.ts'
import { client } from '../../session-kit/client.ts'
import { CopyButton } from '../../session-kit/copy-button.tsx'
import { useConfirmedAction } from '../../session-kit/use-loaded.ts'
import { ConfirmDialog } from '../kit/confirm-dialog.tsx'
import { FailureAlert } from '../kit/failure-alert.tsx'
import { showToast } from '../kit/toast.tsx'
import { type FoundUser, UserPicker } from '../people/user-picker.tsx'

const t = messagesOf('users')

interface MergeDialogProps {
  readonly user: ServiceUserDetail
  readonly onMerge: () => void
  readonly onClose: () => void
}

/** Makes one user of two. The other one is found by name, and their username is typed to confirm. */
export const MergeDialog = ({ user, onMerge, onClose }: MergeDialogProps) => {
  const [other, setOther] = useState<FoundUser | undefined>()
  const merge = async (found: FoundUser): Promise<undefined> => {
    const shown = {
      display_name: user.display_name,
      other_display_name: found.display_name,
      other_username: found.username,
    }
    while (!(await client.users.mergeUser(user.id, { user: found.id, shown })).is_complete);
    showToast(t('merged', { name: found.display_name }))
    onMerge()
    return undefined
  }
  const heading = t('mergeHeading', { name: user.display_name })
  return other ? (
    <ConfirmDialog
      heading={heading}
      action={t('merge')}
      typed={other.username}
      onConfirm={() => merge(other)}
      onClose={onClose}
    >
      <p>
        {t('mergeText', { name: user.display_name, other: other.display_name, username: other.username })}
      </p>
      <p>{t('mergeLimits')}</p>
    </ConfirmDialog>
  ) : (
    <Dialog heading={heading} onClose={onClose}>
      <p>{t('mergeNote')}</p>
      <UserPicker action={t('mergeChoose')} without={[user.id]} onPick={setOther} />
    </Dialog>
  )
}

const consoleText = messagesOf('console')
const people = messagesOf('people')

interface SetPasswordDialogProps {
  readonly user: ServiceUserDetail
  readonly onSave: () => void
  readonly onClose: () => void
}

/** Sets the password of a user, who changes it at the next sign-in unless the administrator decides otherwise. */
export const SetPasswordDialog = ({ user, onSave, onClose }: SetPasswordDialogProps) => {
  const [password, setPassword] = useState('')
  const [mustChange, setMustChange] = useState(true)
  const [isMissing, setMissing] = useState(false)
  const close = useClosing(onClose)
  const suggest = useConfirmedAction(async () => {
    setPassword((await client.passwords.generatePassword()).password)
    return undefined
  })
  const save = useConfirmedAction(async () => {
    await client.passwords.setUserPassword(user.id, { password })
    if (mustChange !== user.password_change_required)
      await client.users.patchUser(user.id, { password_change_required: mustChange })
    showToast(t('passwordSet'))
    onSave()
    close()
    return undefined
  })
  const submit = (): void => {
    setMissing(password === '')
    if (password !== '') void save.run()
  }
  return (
    <FormDialog
      heading={consoleText('labeled', { label: t('setPassword'), name: user.username })}
      action={t('setPassword')}
      isRunning={save.isRunning}
      onSubmit={submit}
      onClose={onClose}
    >
      <p>{t('setPasswordText', { name: user.display_name })}</p>
      <PasswordField
        label={t('newPassword')}
        problem={isMissing && kitText('required')}
        autocomplete="new-password"
        value={password}
        onChangeValue={setPassword}
      />
      <div class="row">
        <Button look="secondary" isRunning={suggest.isRunning} onClick={() => void suggest.run()}>
          {t('suggest')}
        </Button>
        {password && <CopyButton text={password} label={t('newPassword')} />}
      </div>
      <Checkbox label={t('mustChangePassword')} isChecked={mustChange} onChange={setMustChange} />
      <FailureAlert
        failure={save.failure ?? suggest.failure}
        failures={{ permission_denied: people('notAllowedForUser') }}
      />
    </FormDialog>
  )
}
