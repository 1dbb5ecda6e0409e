import { useState } from 'preact/hooks'
import type { SAMLSetup } from '../../lib/client/generated/models.ts'
import { Alert, Button } from '../kit/button.tsx'
import { describeFailure } from '../kit/describe-failure.ts'
import { TextAreaField, TextField } from '../kit/field.tsx'
import { Form } from '../kit/form.tsx'
import { formatDateTime } from '../kit/format.ts'
import { messagesOf } from '../kit/messages.ts'
import { useAction } from '../kit/use-action.ts'
import { CopyButton } from '../session-kit/copy-button.tsx'
import type { SendChange } from './setup-api.ts'

/** What each step of the page gets. */
export interface StepProps {
  readonly setup: SAMLSetup
  readonly send: SendChange
}

/** A value to enter elsewhere, with a button that copies it. */
export const CopiedValue = ({ label, value }: { readonly label: string; readonly value: string }) => (
  <div class="field">
    <span class="label">{label}</span>
    <div class="copied">
      <code>{value}</code>
      <CopyButton text={value} label={label} />
    </div>
  </div>
)

const t = messagesOf('setup')

/** Takes the metadata of the identity provider, and shows what was understood. */
export const MetadataStep = ({ setup, send }: StepProps) => {
  const [url, setUrl] = useState('')
  const [xml, setXml] = useState('')
  const [isMissing, setMissing] = useState(false)
  const sendMetadata = useAction(async () => {
    const isEmpty = url.trim() === '' && xml.trim() === ''
    setMissing(isEmpty)
    if (isEmpty) return undefined
    return send('/metadata', xml.trim() === '' ? { url: url.trim() } : { xml })
  })
  const { failure } = sendMetadata
  const refused = t('metadataRefused')
  return (
    <section class="stack">
      <h2>{t('metadataStep')}</h2>
      {setup.idp && (
        <Alert kind="success">
          <span dir="ltr" class="wrapped">
            {setup.idp.entity_id}
          </span>
        </Alert>
      )}
      {setup.idp?.certificates.map(({ expires_at: time }) => (
        <p key={time} class="note">
          {t(Date.parse(time) > Date.now() ? 'certificateValid' : 'certificateExpired', {
            time: formatDateTime(time),
          })}
        </p>
      ))}
      {setup.domains.length > 0 && <p class="note">{t('newProof')}</p>}
      <Form label={t('metadataStep')} onSubmit={() => void sendMetadata.run()}>
        <TextField
          label={t('idpAddress')}
          hint={t('idpAddressHint')}
          problem={isMissing ? t('metadataMissing') : undefined}
          type="url"
          inputMode="url"
          autocomplete="off"
          value={url}
          onChangeValue={setUrl}
        />
        <TextAreaField label={t('idpText')} rows={4} value={xml} onChangeValue={setXml} />
        <Alert kind="problem">
          {failure &&
            describeFailure(failure, {
              ...{ invalid_request: refused, upstream_failed: refused, payload_too_large: refused },
              entity_id_taken: t('entityTaken'),
              conflict: t('entityTaken'),
            })}
        </Alert>
        <Button type="submit" look={setup.idp ? 'secondary' : 'primary'} isRunning={sendMetadata.isRunning}>
          {t('sendMetadata')}
        </Button>
      </Form>
    </section>
  )
}
