import { Button } from '../../kit/button.tsx'
import { Dialog } from '../../kit/dialog.tsx'
import { t as kitText, messagesOf } from '../../kit/messages.ts'
import { CopyButton } from '../../session-kit/copy-button.tsx'

const t = messagesOf('apps')

interface SecretDialogProps {
  readonly secret: string
  readonly onClose: () => void
}

/** Shows a new secret once. Nothing else of the page keeps it. */
export const SecretDialog = ({ secret, onClose }: SecretDialogProps) => (
  <Dialog heading={t('secret')} onClose={onClose}>
    <p>{t('secretOnce')}</p>
    <p class="copied">
      <code>{secret}</code> <CopyButton text={secret} label={t('secret')} />
    </p>
    <div class="row">
      <Button onClick={onClose}>{kitText('close')}</Button>
    </div>
  </Dialog>
)
