import { useState } from 'preact/hooks'
import { Alert } from '../../kit/alert.tsx'
import { describeFailure } from '../../kit/describe-failure.ts'
import { Checkbox } from '../../kit/field.tsx'
import { messagesOf } from '../../kit/messages.ts'
import { client } from '../../session-kit/client.ts'
import { useConfirmedAction } from '../../session-kit/use-confirmed-action.ts'
import { useLoaded } from '../../session-kit/use-loaded.ts'
import { useAccount } from '../account-state.ts'

const t = messagesOf('security')

/** Whether a sign-in with the password also requires a passkey. The choice is saved at once. */
export const PasskeyRequirement = () => {
  const { announce } = useAccount()
  const { value: settings, setValue: setSettings } = useLoaded(() => client.passkeys.getPasskeySettings())
  const save = useConfirmedAction(async (isRequired: boolean) => {
    announce('')
    const saved = await client.passkeys.updatePasskeySettings({ required_with_password: isRequired })
    setSettings(saved)
    announce(isRequired ? t('passkeyRequired') : t('passkeyOptional'))
    return undefined
  })
  // A refused choice shows the stored one again.
  const [wanted, setWanted] = useState<boolean | undefined>()
  const choose = async (isRequired: boolean) => {
    setWanted(isRequired)
    await save.run(isRequired)
    setWanted(undefined)
  }
  if (!settings) return null
  const { failure } = save
  return (
    <div class="panel">
      <Checkbox
        label={t('requirePasskey')}
        hint={t('requirePasskeyHint')}
        isChecked={wanted ?? settings.required_with_password}
        onChange={choose}
      />
      <Alert kind="problem">
        {failure && describeFailure(failure, { spare_factor_required: t('addSpareFirst') })}
      </Alert>
    </div>
  )
}
