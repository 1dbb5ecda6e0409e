import { useState } from 'preact/hooks'
import { Alert } from '../../kit/alert.tsx'
import { Button } from '../../kit/button.tsx'
import { FieldFrame, SelectField, TextAreaField, TextField } from '../../kit/field.tsx'
import { messagesOf } from '../../kit/messages.ts'
import { client } from '../../session-kit/client.ts'
import { useConfirmedAction } from '../../session-kit/use-confirmed-action.ts'
import { FailureAlert } from '../kit/failure-alert.tsx'
import type { ProviderValues } from './provider-values.ts'
import { readMetadataText } from './read-metadata-text.ts'

const t = messagesOf('samlProviders')

const ways = ['byAddress', 'byFile', 'byText'] as const
type Way = (typeof ways)[number]

interface MetadataSourceProps {
  /** Called with what the metadata contains. */
  readonly onRead: (values: Partial<ProviderValues>) => void
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
        ? await client.samlProviders.parseSamlidpMetadata({ url })
        : readMetadataText(way === 'byFile' ? ((await file?.text()) ?? '') : text)
    if (typeof found === 'string') {
      setProblem(t(found))
      return undefined
    }
    const { slo_url: sloUrl = '', ...rest } = found
    onRead({ ...rest, slo_url: sloUrl, metadata_url_source: way === 'byAddress' ? url : '' })
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
