import { useEffect, useRef, useState } from 'preact/hooks'
import { Alert } from '../../kit/alert.tsx'
import { Button } from '../../kit/button.tsx'
import { describeFailure } from '../../kit/describe-failure.ts'
import { TextField } from '../../kit/field.tsx'
import { Form } from '../../kit/form.tsx'
import { t as kitText, messagesOf } from '../../kit/messages.ts'
import { client } from '../../session-kit/client.ts'
import { CopyButton } from '../../session-kit/copy-button.tsx'
import { useConfirmedAction } from '../../session-kit/use-confirmed-action.ts'
import { useAccount } from '../account-state.ts'
import { QrCode } from './qr-code.tsx'
import { buildTotpAddress, createTotpKey, formatTotpKey } from './totp-key.ts'

const t = messagesOf('security')

interface SetUpTwoStepProps {
  readonly onTurnedOn: (recoveryCodes: readonly string[]) => void
  readonly onCancel: () => void
}

/** Connects an authenticator app: scan or type the key, then prove with a code that the app has it. */
export const SetUpTwoStep = ({ onTurnedOn, onCancel }: SetUpTwoStepProps) => {
  const { profile } = useAccount()
  const [key] = useState(createTotpKey)
  const [code, setCode] = useState('')
  const [isMissing, setMissing] = useState(false)
  const start = useRef<HTMLHeadingElement>(null)
  useEffect(() => start.current?.focus(), [])
  const turnOn = useConfirmedAction(async () => {
    setMissing(code.trim() === '')
    if (code.trim() === '') return undefined
    const { recovery_codes: codes } = await client.users.enableTotp(profile.id, { key, otp: code })
    onTurnedOn(codes)
    return undefined
  })
  const { failure } = turnOn
  const isWrongCode = failure?.problem.code === 'invalid_request'
  return (
    <section class="panel" aria-labelledby="set-up">
      <h2 id="set-up" ref={start} tabIndex={-1}>
        {t('setUp')}
      </h2>
      <Form onSubmit={turnOn.run}>
        <ol class="steps">
          <li>{t('stepApp')}</li>
          <li>
            <div class="stack">
              <p>{t('stepScan')}</p>
              <QrCode text={buildTotpAddress(key)} label={t('qrCode')} />
              <p>{t('stepSecret')}</p>
              <div class="row">
                <code class="secret">{formatTotpKey(key)}</code>
                <CopyButton text={key} label={t('key')} />
              </div>
            </div>
          </li>
          <li>
            <div class="stack">
              <p>{t('stepCode')}</p>
              <TextField
                label={t('code')}
                hint={t('codeHintPlain')}
                name="otp"
                autocomplete="one-time-code"
                inputMode="numeric"
                problem={isMissing ? kitText('required') : isWrongCode && t('codeNotMatching')}
                value={code}
                onChangeValue={setCode}
              />
            </div>
          </li>
        </ol>
        <Alert kind="problem">{failure && !isWrongCode && describeFailure(failure)}</Alert>
        <div class="row">
          <Button type="submit" isRunning={turnOn.isRunning}>
            {t('turnOn')}
          </Button>
          <Button look="secondary" onClick={onCancel}>
            {kitText('cancel')}
          </Button>
        </div>
      </Form>
    </section>
  )
}
