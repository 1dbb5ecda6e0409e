import { useState } from 'preact/hooks'
import { Button } from '../../kit/button.tsx'
import { messagesOf } from '../../kit/messages.ts'
import { client } from '../../session-kit/client.ts'
import { useAccount } from '../account-state.ts'
import { leaveSetup } from './leave-setup.ts'
import { ManageTwoStep } from './manage-two-step.tsx'
import { RecoveryCodes } from './recovery-codes.tsx'
import { SetUpTwoStep } from './set-up-two-step.tsx'

const t = messagesOf('security')

/** The codes of an authenticator app: set up, managed, and turned off. */
export const TwoStepSection = () => {
  const { profile, setProfile, announce } = useAccount()
  const [isSettingUp, setSettingUp] = useState(false)
  const [codes, setCodes] = useState<readonly string[]>([])
  const showCodes = async (recoveryCodes: readonly string[], message: string) => {
    setCodes(recoveryCodes)
    setSettingUp(false)
    announce(message)
  }
  const finish = async () => {
    if (leaveSetup()) return
    announce('')
    setCodes([])
    setProfile(await client.users.getCurrentUser())
  }
  if (codes.length > 0) return <RecoveryCodes codes={codes} onStored={finish} />
  if (profile.totp_enabled)
    return <ManageTwoStep onNewCodes={(newCodes) => showCodes(newCodes, t('codesRenewed'))} />
  if (isSettingUp)
    return (
      <SetUpTwoStep
        onTurnedOn={(newCodes) => showCodes(newCodes, t('turnedOn'))}
        onCancel={() => setSettingUp(false)}
      />
    )
  return (
    <section class="panel" aria-label={t('setUp')}>
      <p>{t('twoStepText')}</p>
      <p>{t('twoStepOff')}</p>
      <div class="row">
        <Button onClick={() => setSettingUp(true)}>{t('setUp')}</Button>
      </div>
    </section>
  )
}
