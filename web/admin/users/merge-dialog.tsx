import { useState } from 'preact/hooks'
import type { ServiceUserDetail } from '../../../lib/client/generated/models.ts'
import { Dialog } from '../../kit/dialog.tsx'
import { messagesOf } from '../../kit/messages.ts'
import { client } from '../../session-kit/client.ts'
import { ConfirmDialog } from '../kit/confirm-dialog.tsx'
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
    while (!(await client.users.mergeUser(user.id, { user: found.id })).is_complete);
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
      failures={{ rights_limited: t('mergeLimited') }}
      onConfirm={() => merge(other)}
      onClose={onClose}
    >
      <p>
        {t('mergeText', { name: user.display_name, other: other.display_name, username: other.username })}
      </p>
    </ConfirmDialog>
  ) : (
    <Dialog heading={heading} onClose={onClose}>
      <p>{t('mergeNote')}</p>
      <UserPicker action={t('mergeChoose')} without={[user.id]} onPick={setOther} />
    </Dialog>
  )
}
