import { useRef, useState } from 'preact/hooks'
import type { ServiceUserDetail, SignInWay } from '../../../lib/client/generated/models.ts'
import type { GetUserSignInWaysQuery } from '../../../lib/client/generated/operations.ts'
import { Alert } from '../../kit/button.tsx'
import { SelectField } from '../../kit/field.tsx'
import { messagesOf } from '../../kit/messages.ts'
import { client } from '../../session-kit/client.ts'
import { type Loaded, useLoaded } from '../../session-kit/use-loaded.ts'
import { ConfirmDialog } from '../kit/confirm-dialog.tsx'
import { showToast } from '../kit/toast.tsx'

const t = messagesOf('users')

interface RemoveWayDialogProps {
  readonly user: ServiceUserDetail
  /** What is removed, to learn what it leaves. */
  readonly without: GetUserSignInWaysQuery
  readonly heading: string
  readonly action: string
  readonly text: string
  readonly failures?: Readonly<Record<string, string>>
  readonly remove: () => Promise<void>
  /** After the removal, and after what was sent. */
  readonly onDone: () => void
  readonly onClose: () => void
}

/**
 * Asks before an administrator takes a way to sign in from somebody. It says before if nothing is left that works, and sends what leads
 * the person in again.
 */
export const RemoveWayDialog = (props: RemoveWayDialogProps) => {
  const { user, without, heading, action, text, failures, remove, onDone, onClose } = props
  const ways = useLoaded((options) => client.users.getUserSignInWays(user.id, without, options))
  const choices = listWaysBack(ways)
  const [chosen, setChosen] = useState<string>()
  const send = chosen ?? choices[0]?.value ?? 'nothing'
  // A repetition after a failed email must not remove again.
  const isRemoved = useRef(false)
  return (
    <ConfirmDialog
      heading={heading}
      action={action}
      {...(failures ? { failures } : {})}
      onConfirm={async () => {
        if (!isRemoved.current) await remove()
        isRemoved.current = true
        if (ways.value?.is_locked_out) await sendWayBack(user.id, send)
        onDone()
        return undefined
      }}
      onClose={onClose}
    >
      <p>{text}</p>
      {ways.value?.is_locked_out && (
        <>
          <Alert kind="problem">{t('lastWayText', { name: user.display_name })}</Alert>
          {ways.value.ways.length > 0 && (
            <p>{t('lastWayLeft', { ways: ways.value.ways.map(nameWay).join(', ') })}</p>
          )}
          {choices.length === 0 ? (
            <p>{t('noWayBack', { name: user.display_name })}</p>
          ) : (
            <SelectField
              label={t('wayBack', { name: user.display_name })}
              value={send}
              options={[...choices, { value: 'nothing', label: t('sendNothing') }]}
              onChangeValue={setChosen}
            />
          )}
        </>
      )}
    </ConfirmDialog>
  )
}

type Ways = Awaited<ReturnType<typeof client.users.getUserSignInWays>>

const listWaysBack = ({ value }: Loaded<Ways>) => [
  ...(value?.can_be_invited ? [{ value: 'invitation', label: t('invite') }] : []),
  ...(value?.can_reset_password ? [{ value: 'reset', label: t('sendReset') }] : []),
]

const sendWayBack = async (id: number, way: string): Promise<void> => {
  if (way === 'invitation') {
    await client.users.inviteUser(id)
    showToast(t('inviteSent'))
  }
  if (way === 'reset') {
    await client.users.sendPasswordReset(id)
    showToast(t('resetSent'))
  }
}

const nameWay = ({ kind, provider }: SignInWay): string => {
  if (provider) return provider.name
  if (kind === 'password') return t('wayPassword')
  return t(kind === 'passkey' ? 'wayPasskey' : 'wayCode')
}
