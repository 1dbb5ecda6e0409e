import { useState } from 'preact/hooks'
import { Alert } from '../kit/alert.tsx'
import { Button } from '../kit/button.tsx'
import { describeFailure } from '../kit/describe-failure.ts'
import { TextAreaField, TextField } from '../kit/field.tsx'
import { Form } from '../kit/form.tsx'
import { formatDateTime } from '../kit/format.ts'
import { messagesOf } from '../kit/messages.ts'
import { useAction } from '../kit/use-action.ts'
import type { StepProps } from './step-props.ts'

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
