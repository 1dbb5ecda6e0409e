import { useState } from 'preact/hooks'
import type { ParsedSAMLIDPMetadata, SAMLProviderUpdate } from '../../../../lib/client/generated/models.ts'
import { Alert, Button } from '../../../kit/button.tsx'
import { FieldFrame, SelectField, TextAreaField, TextField } from '../../../kit/field.tsx'
import { messagesOf } from '../../../kit/messages.ts'
import { client } from '../../../session-kit/client.ts'
import { useConfirmedAction } from '../../../session-kit/use-loaded.ts'
import { FailureAlert } from '../../kit/failure-alert.tsx'

const t = messagesOf('samlConnections')

const ways = ['byAddress', 'byFile', 'byText'] as const
type Way = (typeof ways)[number]

interface MetadataSourceProps {
  /** Called with what the metadata contains. */
  readonly onRead: (values: Partial<SAMLProviderUpdate>) => void
}

/** Reads the metadata of a provider by its address, from a file or from a pasted text. */
export const MetadataSource = ({ onRead }: MetadataSourceProps) => {
  const [way, setWay] = useState<Way>('byAddress')
  const [address, setAddress] = useState('')
  const [text, setText] = useState('')
  const [file, setFile] = useState<File | undefined>()
  const [problem, setProblem] = useState('')
  const read = useConfirmedAction(async () => {
    setProblem('')
    const url = address.trim()
    const found =
      way === 'byAddress'
        ? await client.connections.parseSamlidpMetadata({ url })
        : readMetadataText(way === 'byFile' ? ((await file?.text()) ?? '') : text)
    if (typeof found === 'string') {
      setProblem(t(found))
      return undefined
    }
    onRead({ slo_url: null, ...found, metadata_url_source: way === 'byAddress' ? url : null })
    return undefined
  })
  return (
    <>
      <SelectField
        label={t('source')}
        value={way}
        options={ways.map((name) => ({ value: name, label: t(name) }))}
        onChangeValue={(name) => setWay(ways.find((known) => known === name) ?? 'byAddress')}
      />
      {way === 'byAddress' && (
        <TextField
          label={t('metadataAddress')}
          hint={t('metadataAddressHint')}
          type="url"
          inputMode="url"
          autocomplete="off"
          value={address}
          onChangeValue={setAddress}
        />
      )}
      {way === 'byFile' && (
        <FieldFrame label={t('metadataFile')}>
          {(attributes) => (
            <input
              {...attributes}
              type="file"
              accept=".xml,text/xml,application/xml,application/samlmetadata+xml"
              onChange={(event) => setFile(event.currentTarget.files?.[0])}
            />
          )}
        </FieldFrame>
      )}
      {way === 'byText' && (
        <TextAreaField label={t('metadataText')} rows={6} value={text} onChangeValue={setText} />
      )}
      <Alert kind="problem">{problem}</Alert>
      <FailureAlert
        failure={read.failure}
        failures={{ upstream_failed: t('unreachable'), invalid_request: t('wrongAddress') }}
      />
      <div class="row">
        <Button look="secondary" isRunning={read.isRunning} onClick={() => void read.run()}>
          {t('read')}
        </Button>
      </div>
    </>
  )
}

const metadata = 'urn:oasis:names:tc:SAML:2.0:metadata'
const signature = 'http://www.w3.org/2000/09/xmldsig#'
const redirect = 'urn:oasis:names:tc:SAML:2.0:bindings:HTTP-Redirect'

type MetadataProblem = 'unreadable' | 'noRedirect' | 'noCertificate'

/**
 * Reads what an identity provider says about itself from metadata that the administrator has as a text. The administrator
 * trusts it, and the service checks each value when the provider is created.
 */
const readMetadataText = (text: string): ParsedSAMLIDPMetadata | MetadataProblem => {
  // For most other texts, browsers build an error page whose styles the policy of this page blocks.
  if (!text.includes('IDPSSODescriptor')) return 'unreadable'
  const document = new DOMParser().parseFromString(text, 'application/xml')
  const role = document.getElementsByTagNameNS(metadata, 'IDPSSODescriptor')[0]
  const entityId = role?.closest('EntityDescriptor')?.getAttribute('entityID')
  if (!role || !entityId) return 'unreadable'
  const ssoUrl = findLocation(role, 'SingleSignOnService')
  if (!ssoUrl) return 'noRedirect'
  const certificates = readCertificates(role)
  if (certificates.length === 0) return 'noCertificate'
  const sloUrl = findLocation(role, 'SingleLogoutService')
  return {
    entity_id: entityId,
    sso_url: ssoUrl,
    certificate: certificates.join(''),
    ...(sloUrl ? { slo_url: sloUrl } : {}),
  }
}

const findLocation = (role: Element, service: string): string | null | undefined =>
  [...role.getElementsByTagNameNS(metadata, service)]
    .find((element) => element.getAttribute('Binding') === redirect)
    ?.getAttribute('Location')
    ?.trim()

/** The certificates of keys for signing, or without a stated use, each once. */
const readCertificates = (role: Element): readonly string[] => {
  const texts = [...role.getElementsByTagNameNS(metadata, 'KeyDescriptor')]
    .filter((key) => (key.getAttribute('use') || 'signing') === 'signing')
    .flatMap((key) => [...key.getElementsByTagNameNS(signature, 'X509Certificate')])
    .map((element) => (element.textContent ?? '').replace(/\s/g, ''))
  return [...new Set(texts)].filter(Boolean).map(toPem)
}

const toPem = (base64: string): string =>
  `-----BEGIN CERTIFICATE-----\n${base64.replace(/.{1,64}/g, '$&\n')}-----END CERTIFICATE-----\n`
