import { useEffect, useRef } from 'preact/hooks'
import { Button } from '../../kit/button.tsx'
import { messagesOf } from '../../kit/messages.ts'
import { pageData } from '../../kit/page-data.ts'
import { saveFile } from '../../kit/save-file.ts'
import { CopyButton } from '../../session-kit/copy-button.tsx'

const t = messagesOf('security')

interface RecoveryCodesProps {
  readonly codes: readonly string[]
  readonly onStored: () => void
}

/** New recovery codes, which are shown once: to copy, save or print. */
export const RecoveryCodes = ({ codes, onStored }: RecoveryCodesProps) => {
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => heading.current?.focus(), [])
  const { user, brand } = pageData
  const title = t('codesFor', { username: user?.username ?? '', product: brand.productName })
  return (
    <section class="panel" aria-labelledby="recovery-codes">
      <h2 id="recovery-codes" ref={heading} tabIndex={-1}>
        {t('recoveryHeading')}
      </h2>
      <p>{t('recoveryText')}</p>
      <ol class="recovery-codes">
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ol>
      <div class="row">
        <CopyButton text={codes.join('\n')} label={t('recoveryCodes')} />
        <Button look="secondary" onClick={() => saveText(`${title}\n\n${codes.join('\n')}\n`)}>
          {t('download')}
        </Button>
        <Button look="secondary" onClick={() => print()}>
          {t('print')}
        </Button>
      </div>
      <div class="row">
        <Button onClick={onStored}>{t('codesStored')}</Button>
      </div>
    </section>
  )
}

const saveText = (text: string): void =>
  saveFile('recovery-codes.txt', new Blob([text], { type: 'text/plain' }))
