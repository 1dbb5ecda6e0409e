import { useState } from 'preact/hooks'
import { Button } from '../../kit/button.tsx'
import { FieldFrame } from '../../kit/field.tsx'
import { messagesOf } from '../../kit/messages.ts'
import { useConfirmedAction } from '../../session-kit/use-loaded.ts'
import { FailureAlert } from '../kit/failure-alert.tsx'
import { Panel } from '../kit/panel.tsx'
import { showToast } from '../kit/toast.tsx'
import { getBrandingCalls, type LoadedBranding } from './branding-values.ts'

const t = messagesOf('branding')

const maxBytes = 128 * 1024
const types = ['image/png', 'image/jpeg', 'image/webp', 'image/gif']

interface LogoPanelProps {
  readonly branding: LoadedBranding
  readonly onChange: () => void
}

/** Shows, uploads and removes a logo. The service checks its content. */
export const LogoPanel = ({ branding: { product, logo }, onChange }: LogoPanelProps) => {
  const [problem, setProblem] = useState('')
  const calls = getBrandingCalls(product)
  const upload = useConfirmedAction(async (file: File) => {
    await calls.upload({ content_type: file.type, data: await toBase64(file) })
    showToast(t('logoSaved'))
    onChange()
    return undefined
  })
  const remove = useConfirmedAction(async () => {
    await calls.deleteLogo()
    showToast(t('logoRemoved'))
    onChange()
    return undefined
  })
  const choose = (file: File | undefined): void => {
    if (!file) return
    const found = describeFileProblem(file)
    setProblem(found)
    if (!found) void upload.run(file)
  }
  return (
    <Panel heading={t('logo')} intro={t('logoHint')}>
      {logo ? <img class="logo" src={new URL(logo.url).pathname} alt={t('logo')} /> : <p>{t('noLogo')}</p>}
      <FieldFrame label={t('chooseLogo')} problem={problem}>
        {(attributes) => (
          <input
            {...attributes}
            type="file"
            accept={types.join()}
            onChange={(event) => {
              choose(event.currentTarget.files?.[0])
              // The same file can be chosen again after it was changed.
              event.currentTarget.value = ''
            }}
          />
        )}
      </FieldFrame>
      <FailureAlert failure={upload.failure ?? remove.failure} />
      {logo && (
        <div class="row">
          <Button look="danger" isRunning={remove.isRunning} onClick={() => void remove.run()}>
            {t('removeLogo')}
          </Button>
        </div>
      )}
    </Panel>
  )
}

const describeFileProblem = ({ size, type }: File): string => {
  if (!types.includes(type)) return t('logoWrongType')
  return size > maxBytes ? t('logoTooLarge') : ''
}

const toBase64 = async (file: File): Promise<string> => {
  const bytes = new Uint8Array(await file.arrayBuffer())
  return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''))
}
