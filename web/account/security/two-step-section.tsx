import { useState } from 'preact/hooks'
import { Alert, Button } from '../../kit/button.tsx'
import { describeFailure } from '../../kit/describe-failure.ts'
import { FormDialog, useClosing } from '../../kit/dialog.tsx'
import { CodeField } from '../../kit/field.tsx'
import { Form, useFirstFocus } from '../../kit/form.tsx'
import { messagesOf } from '../../kit/messages.ts'
import { pageData } from '../../kit/start-path.ts'
import { client } from '../../session-kit/client.ts'
import { ConfirmDialog } from '../../session-kit/confirm-dialog.tsx'
import { CopyButton, saveFile } from '../../session-kit/copy-button.tsx'
import { useConfirmedAction } from '../../session-kit/use-loaded.ts'
import { leaveSetup, useAccount } from '../account-state.ts'
import { SetUpTwoStep } from './set-up-two-step.tsx'

const accountText = messagesOf('account')
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
  const heading = useFirstFocus<HTMLHeadingElement>()
  const { user, brand } = pageData
  const title = t('codesFor', { username: user?.username ?? '', product: brand.product_name })
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

/** The time step of the codes of authenticator apps. */
const stepSeconds = 30

interface ManageTwoStepProps {
  readonly onNewCodes: (recoveryCodes: readonly string[]) => void
}

/** What users do with two-step verification that is on. */
const ManageTwoStep = ({ onNewCodes }: ManageTwoStepProps) => {
  const { profile } = useAccount()
  const [open, setOpen] = useState<'renew' | 'off' | undefined>()
  const renew = useConfirmedAction(async () => {
    const { recovery_codes: codes } = await client.users.renewRecoveryCodes(profile.id)
    onNewCodes(codes)
    return undefined
  })
  const close = () => setOpen(undefined)
  return (
    <>
      <section class="panel" aria-label={t('recoveryCodes')}>
        <p>{t('twoStepOn')}</p>
        <p>{t('codesLeft', { count: profile.recovery_codes_left ?? 0 })}</p>
        <div class="row">
          <Button look="secondary" onClick={() => setOpen('renew')}>
            {t('renewCodes')}
          </Button>
          <Button look="danger" onClick={() => setOpen('off')}>
            {t('turnOff')}
          </Button>
        </div>
      </section>
      <SyncPanel />
      {open === 'renew' && (
        <ConfirmDialog
          heading={t('renewCodes')}
          confirmLabel={t('renewCodes')}
          action={renew}
          onClose={close}
        >
          <p>{t('renewText')}</p>
        </ConfirmDialog>
      )}
      {open === 'off' && <TurnOffDialog onClose={close} />}
    </>
  )
}

const SyncPanel = () => {
  const { profile, announce } = useAccount()
  const [code, setCode] = useState('')
  const sync = useConfirmedAction(async (code: string) => {
    announce('')
    const { drift } = await client.users.syncTotp(profile.id, { otp: code })
    setCode('')
    announce(t('synced', { seconds: Math.abs(drift) * stepSeconds }))
    return undefined
  })
  return (
    <section class="panel" aria-label={t('syncHeading')}>
      <h2>{t('syncHeading')}</h2>
      <p>{t('syncText')}</p>
      <Form isRunning={sync.isRunning} onSubmit={() => void sync.run(code)}>
        <CodeField
          {...field()}
          hint={t('codeHintPlain')}
          value={code}
          onChangeValue={setCode}
          onComplete={(text) => void sync.run(text)}
        />
        <Alert kind="problem">{sync.failure && describeFailure(sync.failure, codeMessages())}</Alert>
        <div class="row">
          <Button type="submit" look="secondary">
            {t('sync')}
          </Button>
        </div>
      </Form>
    </section>
  )
}

const TurnOffDialog = ({ onClose }: { readonly onClose: () => void }) => {
  const { profile, setProfile, announce } = useAccount()
  const [code, setCode] = useState('')
  const close = useClosing(onClose)
  const turnOff = useConfirmedAction(async () => {
    await client.users.disableTotp(profile.id, { otp: code })
    close()
    setProfile(await client.users.getCurrentUser())
    announce(t('turnedOff'))
    return undefined
  })
  return (
    <FormDialog
      heading={t('turnOffHeading')}
      action={t('turnOff')}
      look="danger"
      isRunning={turnOff.isRunning}
      onSubmit={turnOff.run}
      onClose={onClose}
    >
      <p>{t('turnOffText')}</p>
      <CodeField {...field()} hint={t('codeHint')} value={code} onChangeValue={setCode} />
      <Alert kind="problem">{turnOff.failure && describeFailure(turnOff.failure, codeMessages())}</Alert>
    </FormDialog>
  )
}

const codeMessages = () => ({
  login_incomplete: t('wrongCode'),
  invalid_request: t('wrongCode'),
  last_sign_in_method: accountText('lastWay'),
})

const field = () => ({ label: t('code'), name: 'otp' })
