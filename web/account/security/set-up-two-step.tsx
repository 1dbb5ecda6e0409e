import { useState } from 'preact/hooks'
import { encode } from 'uqr'
import { Alert, Button } from '../../kit/button.tsx'
import { describeFailure } from '../../kit/describe-failure.ts'
import { CodeField } from '../../kit/field.tsx'
import { Form, useFirstFocus } from '../../kit/form.tsx'
import { t as kitText, messagesOf } from '../../kit/messages.ts'
import { pageData } from '../../kit/start-path.ts'
import { client } from '../../session-kit/client.ts'
import { CopyButton } from '../../session-kit/copy-button.tsx'
import { useConfirmedAction } from '../../session-kit/use-loaded.ts'
import { useAccount } from '../account-state.ts'

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
  const start = useFirstFocus<HTMLHeadingElement>()
  const turnOn = useConfirmedAction(async (code: string) => {
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
      <Form isRunning={turnOn.isRunning} onSubmit={() => void turnOn.run(code)}>
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
              <CodeField
                label={t('code')}
                hint={t('codeHintPlain')}
                name="otp"
                inputMode="numeric"
                problem={isMissing ? kitText('required') : isWrongCode && t('codeNotMatching')}
                value={code}
                onChangeValue={setCode}
                onComplete={(text) => void turnOn.run(text)}
              />
            </div>
          </li>
        </ol>
        <Alert kind="problem">{failure && !isWrongCode && describeFailure(failure)}</Alert>
        <div class="row">
          <Button type="submit">{t('turnOn')}</Button>
          <Button look="secondary" onClick={onCancel}>
            {kitText('cancel')}
          </Button>
        </div>
      </Form>
    </section>
  )
}

interface QrCodeProps {
  readonly text: string
  readonly label: string
}

/** A QR code. The browser draws it, so no one else sees its text. */
const QrCode = ({ text, label }: QrCodeProps) => {
  const { data, size } = encode(text, { ecc: 'M', border: 4 })
  const squares = data.flatMap((row, y) => row.flatMap((isDark, x) => (isDark ? [`M${x} ${y}h1v1h-1z`] : [])))
  return (
    <svg
      class="qr-code"
      viewBox={`0 0 ${size} ${size}`}
      role="img"
      aria-label={label}
      shape-rendering="crispEdges"
    >
      <path class="qr-background" fill="#fff" d={`M0 0h${size}v${size}h-${size}z`} />
      <path fill="#000" d={squares.join('')} />
    </svg>
  )
}

/** The digits of base32 (RFC 4648 6). */
const digits = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'
/** The length that RFC 4226 4 recommends. */
const keyBytes = 20

/** Creates the key of an authenticator app. It leaves the browser only to turn the second factor on. */
const createTotpKey = (): string => {
  const bits = [...crypto.getRandomValues(new Uint8Array(keyBytes))]
    .map((byte) => byte.toString(2).padStart(8, '0'))
    .join('')
  return (bits.match(/.{5}/g) ?? []).map((group) => digits[Number.parseInt(group, 2)]).join('')
}

/** Splits the key into groups of four, which people can type. */
const formatTotpKey = (key: string): string => (key.match(/.{1,4}/g) ?? []).join(' ')

/** The address that authenticator apps read: a key and what it belongs to. */
const buildTotpAddress = (key: string): string => {
  // A colon separates the service and the account.
  const issuer = pageData.brand.product_name.replaceAll(':', ' ')
  const label = `${encodeURIComponent(issuer)}:${encodeURIComponent(pageData.user?.username ?? '')}`
  return `otpauth://totp/${label}?secret=${key}&issuer=${encodeURIComponent(issuer)}`
}
