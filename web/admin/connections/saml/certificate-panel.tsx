import { useState } from 'preact/hooks'
import type { SAMLProvider } from '../../../../lib/client/generated/models.ts'
import { Button } from '../../../kit/button.tsx'
import { TextField } from '../../../kit/field.tsx'
import { Form } from '../../../kit/form.tsx'
import { messagesOf } from '../../../kit/messages.ts'
import { client } from '../../../session-kit/client.ts'
import { useConfirmedAction } from '../../../session-kit/use-loaded.ts'
import { ConfirmDialog } from '../../kit/confirm-dialog.tsx'
import { FailureAlert } from '../../kit/failure-alert.tsx'
import { Facts, Panel } from '../../kit/panel.tsx'
import { showToast } from '../../kit/toast.tsx'
import { CertificateList, CertificateWarning } from './certificate-list.tsx'

const t = messagesOf('samlConnections')
const setupText = messagesOf('setupLinks')

interface CertificatePanelProps {
  readonly provider: SAMLProvider
  /** Called after something changed. */
  readonly onChange: () => void
}

/** How long the certificates of both sides are valid, and what renews them. */
export const CertificatePanel = ({ provider, onChange }: CertificatePanelProps) => {
  const [next, setNext] = useState<string | null>(null)
  const { certificate, sp_certificate: own } = provider
  return (
    <Panel heading={t('certificateDates')}>
      <CertificateWarning text={certificate} warning={t('theirsWarning')} />
      <CertificateWarning text={own ?? ''} warning={t('oursWarning')} />
      <Facts
        facts={[
          { label: t('theirs'), value: <CertificateList text={certificate} /> },
          { label: t('theirFingerprints'), value: <Fingerprints provider={provider} /> },
          { label: t('ours'), value: <CertificateList text={own ?? ''} /> },
          ...(next === null ? [] : [{ label: t('oursNext'), value: <CertificateList text={next} /> }]),
        ]}
      />
      <Refresh provider={provider} onChange={onChange} />
      <Rotation provider={provider} next={next} onNext={setNext} onChange={onChange} />
    </Panel>
  )
}

const Fingerprints = ({ provider }: Pick<CertificatePanelProps, 'provider'>) => (
  <ul class="tags">
    {provider.certificate_fingerprints?.map((fingerprint) => (
      <li key={fingerprint}>
        <code dir="ltr">{fingerprint}</code>
      </li>
    ))}
  </ul>
)

const Refresh = ({ provider, onChange }: CertificatePanelProps) => {
  const [url, setUrl] = useState(provider.metadata_url_source ?? provider.proposed_metadata_url ?? '')
  const refresh = useConfirmedAction(async () => {
    await client.connections.refreshSamlidpMetadata(provider.id, { url: url.trim() })
    showToast(t('refreshed'))
    onChange()
    return undefined
  })
  return (
    <div class="action">
      <div>
        <h3>{t('refresh')}</h3>
        <p class="note">{t('refreshText')}</p>
        {provider.proposed_metadata_url && (
          <p>{setupText('proposal', { address: provider.proposed_metadata_url })}</p>
        )}
        <Form isRunning={refresh.isRunning} label={t('refresh')} onSubmit={() => void refresh.run()}>
          <TextField
            label={t('metadataAddress')}
            type="url"
            inputMode="url"
            autocomplete="off"
            value={url}
            onChangeValue={setUrl}
          />
          <FailureAlert
            failure={refresh.failure}
            failures={{ upstream_failed: t('unreachable'), invalid_request: t('wrongAddress') }}
          />
          <div class="row">
            <Button type="submit" look="secondary">
              {t('refresh')}
            </Button>
          </div>
        </Form>
      </div>
    </div>
  )
}

interface RotationProps extends CertificatePanelProps {
  readonly next: string | null
  readonly onNext: (certificate: string | null) => void
}

/** Replaces the key of this service: a new key is published, and used after the provider knows it. */
const Rotation = ({ provider, next, onNext, onChange }: RotationProps) => {
  const [isAsking, setAsking] = useState(false)
  const publish = useConfirmedAction(async () => {
    const rotation = await client.connections.rotateSamlSpKey(provider.id, {})
    onNext(rotation.next_sp_certificate)
    return undefined
  })
  const switchKey = async () => {
    await client.connections.rotateSamlSpKey(provider.id, { confirm: true })
    onNext(null)
    showToast(t('switched'))
    onChange()
    return undefined
  }
  return (
    <div class="action">
      <div>
        <h3>{t('rotate')}</h3>
        <p class="note">{t(next === null ? 'rotateText' : 'rotateSecondText')}</p>
        <FailureAlert failure={publish.failure} />
      </div>
      {next === null ? (
        <Button look="secondary" isRunning={publish.isRunning} onClick={() => void publish.run()}>
          {t('rotateFirst')}
        </Button>
      ) : (
        <Button look="danger" onClick={() => setAsking(true)}>
          {t('rotateSecond')}
        </Button>
      )}
      {isAsking && (
        <ConfirmDialog
          heading={t('rotateSecond')}
          action={t('rotateSecond')}
          failures={{ conflict: t('noNextKey') }}
          onConfirm={switchKey}
          onClose={() => setAsking(false)}
        >
          <p>{t('rotateConfirm')}</p>
        </ConfirmDialog>
      )}
    </div>
  )
}
