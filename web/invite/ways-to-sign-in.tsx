import { useState } from 'preact/hooks'
import { Alert } from '../kit/alert.tsx'
import { Button } from '../kit/button.tsx'
import { describeFailure } from '../kit/describe-failure.ts'
import { t as kit, messagesOf } from '../kit/messages.ts'
import { createPasskey, describePasskeyError, supportsPasskeys } from '../kit/passkeys.ts'
import { useAction } from '../kit/use-action.ts'
import { acceptWithPasskey, startPasskey, startProvider } from './invitation-api.ts'
import { keepToken } from './kept-token.ts'
import { type AcceptProps, settle } from './settle.ts'

const t = messagesOf('invite')

/** The ways to accept the invitation without a password: a passkey, and accounts of the user's company. */
export const WaysToSignIn = ({ token, invitation, onAccepted, onEnded }: AcceptProps) => {
  const { allows_password: allowsPassword, allows_passkey: allowsPasskey, providers } = invitation
  const hasPasskeyButton = allowsPasskey && supportsPasskeys()
  const [refusal, setRefusal] = useState<string | undefined>()
  const passkey = useAction(async () => {
    setRefusal(undefined)
    const options = await startPasskey(token)
    if (!options.isOk) return settle(options, () => undefined, onEnded)
    const credential = await createPasskey(options.body).catch((error: unknown) => {
      setRefusal(describePasskeyError(error))
    })
    if (credential === undefined) return undefined
    return settle(await acceptWithPasskey(token, credential), onAccepted, onEnded)
  })
  const provider = useAction(async (id: number) => {
    const leave = ({ url }: { readonly url: string }) => {
      keepToken(token)
      location.assign(url)
    }
    return settle(await startProvider(token, id), leave, onEnded)
  })
  if (!hasPasskeyButton && providers.length === 0)
    return allowsPassword ? null : <Alert kind="problem">{t('noWay')}</Alert>
  const failure = passkey.failure ?? provider.failure
  const look = allowsPassword ? 'secondary' : 'primary'
  return (
    <fieldset class="stack">
      <legend class="note">{t(allowsPassword ? 'otherWays' : 'ways')}</legend>
      {hasPasskeyButton && (
        <Button look={look} isRunning={passkey.isRunning} onClick={passkey.run}>
          {t('createPasskey')}
        </Button>
      )}
      {providers.map(({ id, name }) => (
        <Button key={id} look={look} isRunning={provider.isRunning} onClick={() => provider.run(id)}>
          {t('continueWith', { provider: name })}
        </Button>
      ))}
      <Alert kind="problem">
        {failure ? describeFailure(failure, { invalid_request: kit('passkeyNotUsed') }) : refusal}
      </Alert>
    </fieldset>
  )
}
