import { Alert, Button } from '../../kit/button.tsx'
import { messagesOf } from '../../kit/messages.ts'
import { usePermissionChoices } from '../people/permissions.ts'

const t = messagesOf('users')

interface PermissionNoticeProps {
  readonly permission: string
  readonly onClose: () => void
}

/** Whose permission the list shows. */
export const PermissionNotice = ({ permission, onClose }: PermissionNoticeProps) => {
  const title = usePermissionChoices().find(({ name }) => name === permission)?.label ?? permission
  return (
    <Alert>
      {t('holdersOf', { permission: title })}{' '}
      {permission !== 'system:admin-access' && t('administratorsHoldAll')}{' '}
      <Button look="quiet" onClick={onClose}>
        {t('showAll')}
      </Button>
    </Alert>
  )
}
