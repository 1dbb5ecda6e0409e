import { useEffect, useRef, useState } from 'preact/hooks'
import { Button } from '../../kit/button.tsx'
import { messagesOf } from '../../kit/messages.ts'
import { pageData } from '../../kit/start-path.ts'
import { client } from '../../session-kit/client.ts'
import { CopyButton, saveFile } from '../../session-kit/copy-button.tsx'
import { useAccount } from '../account-state.ts'
import { leaveSetup } from './leave-setup.ts'
import { ManageTwoStep } from './manage-two-step.tsx'
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

interface RecoveryCodesProps {
  readonly codes: readonly string[]
  readonly onStored: () => void
}

/** New recovery codes, which are shown once: to copy, save or print. */
const RecoveryCodes = ({ codes, onStored }: RecoveryCodesProps) => {
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => heading.current?.focus(), [])
  const { user, brand } = pageData
  const title = t('codesFor', { username: user?.username ?? '', product: brand.productName })
  return (
    <section class="panel" aria-labelledby="recovery-codes">
      <h2 id="recovery-codes" ref={heading} tabIndex={-1}>
        {t('recoveryHeading')}
      </h2>
      <p>{t('recoveryText')}</p>
      <ol class="recovery-codes">
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ol>
      <div class="row">
        <CopyButton text={codes.join('\n')} label={t('recoveryCodes')} />
        <Button look="secondary" onClick={() => saveText(`${title}\n\n${codes.join('\n')}\n`)}>
          {t('download')}
        </Button>
        <Button look="secondary" onClick={() => print()}>
          {t('print')}
        </Button>
      </div>
      <div class="row">
        <Button onClick={onStored}>{t('codesStored')}</Button>
      </div>
    </section>
  )
}

const saveText = (text: string): void =>
  saveFile('recovery-codes.txt', new Blob([text], { type: 'text/plain' }))
