import { useState } from 'preact/hooks'
import type { OIDCClient } from '../../../lib/client/generated/models.ts'
import { Button } from '../../kit/button.tsx'
import type { ApiFailure } from '../../kit/call-api.ts'
import { TextAreaField } from '../../kit/field.tsx'
import { messagesOf } from '../../kit/messages.ts'
import { problemOf } from '../kit/failure-alert.tsx'
import { Panel } from '../kit/panel.tsx'
import { type KeyProblem, readPublicKeys } from './public-keys.ts'

const t = messagesOf('apps')

export type AppKeys = OIDCClient['public_keys']

interface KeyPanelProps {
  readonly value: AppKeys
  readonly failure: ApiFailure | undefined
  readonly onChange: (keys: AppKeys) => void
}

/** The keys by which an app proves who it is. */
export const KeyPanel = ({ value, failure, onChange }: KeyPanelProps) => {
  const [text, setText] = useState('')
  const [problem, setProblem] = useState<KeyProblem | undefined>()
  const add = async (): Promise<void> => {
    const found = await readPublicKeys(text)
    setProblem(typeof found === 'string' ? found : undefined)
    if (typeof found === 'string') return
    setText('')
    onChange([...value, ...found])
  }
  const problems = { invalid: t('keyInvalid'), private: t('keyPrivate') }
  return (
    <Panel heading={t('keys')} intro={t('keysHint')}>
      {value.length > 0 && (
        <ul class="items">
          {value.map((key, at) => (
            <li key={JSON.stringify(key)}>
              <span>{describeKey(key)}</span>
              <Button look="secondary" onClick={() => onChange(value.filter((_, index) => index !== at))}>
                {t('removeKey', { name: describeKey(key) })}
              </Button>
            </li>
          ))}
        </ul>
      )}
      {problemOf(failure, 'public_keys') && <p class="field-problem">{problemOf(failure, 'public_keys')}</p>}
      <TextAreaField
        label={t('newKey')}
        hint={t('newKeyHint')}
        problem={problem && problems[problem]}
        rows={4}
        value={text}
        onChangeValue={setText}
      />
      <div class="row">
        <Button look="secondary" onClick={() => void add()}>
          {t('addKey')}
        </Button>
      </div>
    </Panel>
  )
}

/** The kind of a key, and its name or how it begins. */
const describeKey = ({ kty, crv, kid, n, x }: AppKeys[number]): string =>
  `${crv ?? kty} ${kid ?? `${(n ?? x ?? '').slice(0, 8)}…`}`
