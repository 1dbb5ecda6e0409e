import { useEffect, useState } from 'preact/hooks'
import { Button } from '../kit/button.tsx'
import { Dialog } from '../kit/dialog.tsx'
import { messagesOf } from '../kit/messages.ts'
import { connectPrompts, getSignInAddress, openSignIn, type Prompt } from './client.ts'
import { ConfirmIdentity } from './confirm-identity.tsx'

const t = messagesOf('session')

interface SessionDialogsProps {
  /**
   * Whether the page has changes that are not saved. The person then signs in in another tab, and goes on here. Without
   * changes, the page leads to the sign-in page at once. Pages that do not know it ask first.
   */
  readonly hasChanges?: () => boolean
}

/** Shows dialogs about the session: one to confirm the identity, and one after the session has ended. */
export const SessionDialogs = ({ hasChanges }: SessionDialogsProps) => {
  const [prompt, setPrompt] = useState<Prompt | undefined>()
  useEffect(
    () =>
      connectPrompts((next) => {
        if (next?.kind === 'signed_out' && hasChanges?.() === false) openSignIn()
        else setPrompt(next)
      }),
    [],
  )
  if (!prompt) return null
  if (prompt.kind === 'identity') return <ConfirmIdentity onFinish={prompt.finish} />
  const close = (): void => setPrompt(undefined)
  const keepsPage = hasChanges?.() === true
  return (
    <Dialog heading={t('signedOutHeading')} onClose={close}>
      <p>{t(keepsPage ? 'signedOutKeptText' : 'signedOutText')}</p>
      <div class="row">
        {keepsPage ? (
          <a class="button primary" href={getSignInAddress()} target="_blank" rel="noopener" onClick={close}>
            {t('signInInNewTab')}
          </a>
        ) : (
          <Button onClick={openSignIn}>{t('signIn')}</Button>
        )}
      </div>
    </Dialog>
  )
}
