import { useState } from 'preact/hooks'
import type { Passkey } from '../../../../lib/client/generated/models.ts'
import { Alert } from '../../kit/alert.tsx'
import { Button } from '../../kit/button.tsx'
import { client } from '../../kit/client.ts'
import { describeFailure } from '../../kit/describe-failure.ts'
import { Dialog } from '../../kit/dialog.tsx'
import { TextField } from '../../kit/field.tsx'
import { Form } from '../../kit/form.tsx'
import { t as kitText } from '../../kit/messages.ts'
import { ConfirmDialog } from '../../session-kit/confirm-dialog.tsx'
import { useConfirmedAction } from '../../session-kit/use-confirmed-action.ts'
import { useAccount } from '../account-state.ts'
import { t } from './messages.ts'

export const longestPasskeyName = 100

interface PasskeyDialogProps {
  readonly passkey: Passkey
  readonly onClose: () => void
  readonly onChange: () => Promise<void>
}

export const RenamePasskey = ({ passkey, onClose, onChange }: PasskeyDialogProps) => {
  const { announce } = useAccount()
  const [name, setName] = useState(passkey.name)
  const [problem, setProblem] = useState('')
  const rename = useConfirmedAction(async () => {
    announce('')
    setProblem(name.trim() ? '' : kitText('required'))
    if (!name.trim()) return undefined
    await client.passkeys.patchPasskey(passkey.id, { name: name.trim() })
    onClose()
    await onChange()
    announce(t('passkeyRenamed'))
    return undefined
  })
  return (
    <Dialog heading={t('renameHeading')} onClose={onClose}>
      <Form onSubmit={rename.run}>
        <TextField
          label={t('name')}
          name="passkey-name"
          autocomplete="off"
          maxLength={longestPasskeyName}
          problem={problem}
          value={name}
          onChangeValue={setName}
          autoFocus
        />
        <Alert kind="problem">{rename.failure && describeFailure(rename.failure)}</Alert>
        <div class="row">
          <Button type="submit" isRunning={rename.isRunning}>
            {kitText('save')}
          </Button>
          <Button look="secondary" onClick={onClose}>
            {kitText('cancel')}
          </Button>
        </div>
      </Form>
    </Dialog>
  )
}

export const RemovePasskey = ({ passkey, onClose, onChange }: PasskeyDialogProps) => {
  const { announce } = useAccount()
  const remove = useConfirmedAction(async () => {
    announce('')
    await client.passkeys.deletePasskey(passkey.id)
    onClose()
    await onChange()
    announce(t('passkeyRemoved'))
    return undefined
  })
  return (
    <ConfirmDialog
      heading={t('removePasskeyHeading', { name: passkey.name })}
      confirmLabel={t('remove')}
      action={remove}
      messages={{ spare_factor_required: t('addSpareFirst') }}
      onClose={onClose}
    >
      <p>{t('removePasskeyText')}</p>
    </ConfirmDialog>
  )
}
