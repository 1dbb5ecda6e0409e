import { useState } from 'preact/hooks'
import type { ConnectionDomain, SAMLSetup } from '../../lib/client/generated/models.ts'
import { Alert, Button, useAction } from '../kit/button.tsx'
import { describeFailure } from '../kit/describe-failure.ts'
import { TextAreaField, TextField } from '../kit/field.tsx'
import { Form } from '../kit/form.tsx'
import { formatDateTime } from '../kit/format.ts'
import { t as kit, messagesOf } from '../kit/messages.ts'
import { CopiedValue } from '../session-kit/copied-value.tsx'
import type { SendChange } from './setup-api.ts'

/** What each step of the page gets. */
export interface StepProps {
  readonly setup: SAMLSetup
  readonly send: SendChange
}

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
      {setup.idp && <IdentityProvider idp={setup.idp} />}
      {setup.domains.length > 0 && <p class="note">{t('newProof')}</p>}
      <Form
        isRunning={sendMetadata.isRunning}
        label={t('metadataStep')}
        onSubmit={() => void sendMetadata.run()}
      >
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
              invalid_request: refused,
              upstream_failed: refused,
              payload_too_large: refused,
              entity_id_taken: t('entityTaken'),
              conflict: t('entityTaken'),
            })}
        </Alert>
        <Button type="submit" look={setup.idp ? 'secondary' : 'primary'}>
          {t('sendMetadata')}
        </Button>
      </Form>
    </section>
  )
}

/** What was understood of the metadata: enough to see that it is that of the company, and of no one else. */
const IdentityProvider = ({ idp }: { readonly idp: NonNullable<SAMLSetup['idp']> }) => (
  <>
    <Alert kind="success">
      <span dir="ltr" class="wrapped">
        {idp.entity_id}
      </span>
    </Alert>
    {idp.metadata_url === null ? (
      <p class="note">{t('pasted')}</p>
    ) : (
      <CopiedValue label={t('readFrom')} value={idp.metadata_url} />
    )}
    {idp.certificates.map(({ expires_at: time, fingerprint }) => (
      <div key={fingerprint}>
        <CopiedValue label={t('fingerprint')} value={fingerprint} />
        <p class="note">
          {t(Date.parse(time) > Date.now() ? 'certificateValid' : 'certificateExpired', {
            time: formatDateTime(time),
          })}
        </p>
      </div>
    ))}
    <p class="note">{t('compare')}</p>
  </>
)

/** The email domains of the company, with the record that proves each. */
export const DomainStep = ({ setup, send }: StepProps) => {
  const [name, setName] = useState('')
  const [isMissing, setMissing] = useState(false)
  const add = useAction(async () => {
    const domain = name.trim()
    setMissing(domain === '')
    if (domain === '') return undefined
    const failure = await send('/domains', { domain })
    if (!failure) setName('')
    return failure
  })
  const refused = t('domainRefused')
  return (
    <section class="stack">
      <h2>{t('domainStep')}</h2>
      <p class="note">{t('domainHint')}</p>
      {setup.domains.map((domain) => (
        <DomainItem key={domain.domain} domain={domain} send={send} />
      ))}
      <Form isRunning={add.isRunning} label={t('domainStep')} onSubmit={() => void add.run()}>
        <TextField
          label={t('domain')}
          problem={isMissing ? kit('required') : undefined}
          autocomplete="off"
          autocapitalize="none"
          spellcheck={false}
          maxLength={255}
          value={name}
          onChangeValue={setName}
        />
        <Alert kind="problem">
          {add.failure && describeFailure(add.failure, { invalid_request: refused, conflict: refused })}
        </Alert>
        <Button type="submit" look="secondary">
          {t('addDomain')}
        </Button>
      </Form>
    </section>
  )
}

interface DomainProps {
  readonly domain: ConnectionDomain
  readonly send: SendChange
}

const DomainItem = ({ domain: { domain, state, txt_name: name, txt_value: value }, send }: DomainProps) => {
  const check = useAction(() => send('/domains', { domain }))
  const remove = useAction(() => send('/domains/remove', { domain }))
  const failure = check.failure ?? remove.failure
  const isProven = state === 'proven'
  return (
    <section class="stack">
      <h3 dir="ltr">{domain}</h3>
      <p role="status">{t(isProven ? 'proven' : 'pending')}</p>
      {!isProven && (
        <>
          <CopiedValue label={t('recordName')} value={name} />
          <CopiedValue label={t('recordValue')} value={value} />
          <div class="row">
            <Button look="secondary" isRunning={check.isRunning} onClick={() => void check.run()}>
              {t('checkNow')}
              <span class="for-screen-readers"> {domain}</span>
            </Button>
            {state === 'pending' && (
              <Button look="quiet" isRunning={remove.isRunning} onClick={() => void remove.run()}>
                {t('removeDomain')}
                <span class="for-screen-readers"> {domain}</span>
              </Button>
            )}
          </div>
        </>
      )}
      <Alert kind="problem">{failure && describeFailure(failure)}</Alert>
    </section>
  )
}
