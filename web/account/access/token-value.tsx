import { useEffect, useRef } from 'preact/hooks'
import { Button } from '../../kit/button.tsx'
import { messagesOf } from '../../kit/messages.ts'
import { CopyButton } from '../../session-kit/copy-button.tsx'

const t = messagesOf('access')

interface TokenValueProps {
  readonly value: string
  readonly onStored: () => void
}

/** The value of a new token, which is shown once. */
export const TokenValue = ({ value, onStored }: TokenValueProps) => {
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => heading.current?.focus(), [])
  return (
    <div class="alert information stack">
      <h2 ref={heading} tabIndex={-1}>
        {t('tokenValueHeading')}
      </h2>
      <p>{t('tokenValueText')}</p>
      <code class="secret">{value}</code>
      <div class="row">
        <CopyButton text={value} label={t('token')} />
        <Button onClick={onStored}>{t('tokenStored')}</Button>
      </div>
    </div>
  )
}
