import { useEffect, useState } from 'preact/hooks'
import { Button } from '../kit/button.tsx'
import { Dialog } from '../kit/dialog.tsx'
import { ConfirmIdentity } from './confirm-identity.tsx'
import { t } from './messages.ts'
import { connectPrompts, type Prompt } from './prompts.ts'
import { openSignIn } from './sign-in-again.ts'

/** Shows dialogs about the session: one to confirm the identity, and one after the session has ended. */
export const SessionDialogs = () => {
  const [prompt, setPrompt] = useState<Prompt | undefined>()
  useEffect(() => connectPrompts(setPrompt), [])
  if (!prompt) return null
  if (prompt.kind === 'identity') return <ConfirmIdentity onFinish={prompt.finish} />
  return (
    <Dialog heading={t('signedOutHeading')} onClose={() => setPrompt(undefined)}>
      <p>{t('signedOutText')}</p>
      <div class="row">
        <Button onClick={openSignIn}>{t('signIn')}</Button>
      </div>
    </Dialog>
  )
}
