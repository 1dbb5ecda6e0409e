import { useState } from 'preact/hooks'
import { Alert, Button } from '../../kit/button.tsx'
import { describeFailure } from '../../kit/describe-failure.ts'
import { FormDialog, useClosing } from '../../kit/dialog.tsx'
import { CodeField } from '../../kit/field.tsx'
import { Form } from '../../kit/form.tsx'
import { messagesOf } from '../../kit/messages.ts'
import { client } from '../../session-kit/client.ts'
import { ConfirmDialog } from '../../session-kit/confirm-dialog.tsx'
import { useConfirmedAction } from '../../session-kit/use-loaded.ts'
import { useAccount } from '../account-state.ts'

const t = messagesOf('security')

/** The time step of the codes of authenticator apps. */
const stepSeconds = 30

interface ManageTwoStepProps {
  readonly onNewCodes: (recoveryCodes: readonly string[]) => void
}

/** What users do with two-step verification that is on. */
export const ManageTwoStep = ({ onNewCodes }: ManageTwoStepProps) => {
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
      <Form onSubmit={() => void sync.run(code)}>
        <CodeField
          {...field()}
          hint={t('codeHintPlain')}
          value={code}
          onChangeValue={setCode}
          onComplete={(text) => void sync.run(text)}
        />
        <Alert kind="problem">{sync.failure && describeFailure(sync.failure, codeMessages())}</Alert>
        <div class="row">
          <Button type="submit" look="secondary" isRunning={sync.isRunning}>
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
})

const field = () => ({ label: t('code'), name: 'otp' })
