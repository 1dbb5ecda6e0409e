import { useState } from 'preact/hooks'
import { Alert, Button, useAction } from '../kit/button.tsx'
import { describeFailure } from '../kit/describe-failure.ts'
import { messagesOf } from '../kit/messages.ts'
import { CopiedValue } from '../session-kit/copied-value.tsx'
import { DirectoryGuidePanel } from '../session-kit/directory/directory-guide.tsx'
import { TokenValue } from '../session-kit/new-token.tsx'
import type { StepProps } from './provider-steps.tsx'
import { createDirectoryToken } from './setup-api.ts'

const t = messagesOf('setup')
const directoryText = messagesOf('directory')

/** Turns the directory of the connection on, and shows what to enter there. */
export const DirectoryStep = ({ setup: { directory }, send }: StepProps) => {
  const turnOn = useAction(() => send('/directory'))
  return (
    <section class="stack">
      <h2>{t('directoryStep')}</h2>
      <p class="note">{t('directoryHint')}</p>
      {directory?.enabled ? (
        <>
          <CopiedValue label={directoryText('baseUrl')} value={directory.base_url} />
          <Tokens />
          <DirectoryGuidePanel baseUrl={directory.base_url} />
        </>
      ) : (
        <Button look="secondary" isRunning={turnOn.isRunning} onClick={() => void turnOn.run()}>
          {directoryText('turnOn')}
        </Button>
      )}
      <Alert kind="problem">{turnOn.failure && describeFailure(turnOn.failure)}</Alert>
    </section>
  )
}

const Tokens = () => {
  const [value, setValue] = useState('')
  const create = useAction(async () => {
    const response = await createDirectoryToken()
    if (!response.isOk) return response
    setValue(response.body.token)
    return undefined
  })
  return (
    <section class="stack" aria-label={directoryText('tokens')}>
      <h3>{directoryText('tokens')}</h3>
      <p class="note">{directoryText('tokensText')}</p>
      {value === '' ? (
        <Button look="secondary" isRunning={create.isRunning} onClick={() => void create.run()}>
          {directoryText('createToken')}
        </Button>
      ) : (
        <TokenValue value={value} onStored={() => setValue('')} />
      )}
      <Alert kind="problem">
        {create.failure && describeFailure(create.failure, { conflict: directoryText('tokensText') })}
      </Alert>
    </section>
  )
}
