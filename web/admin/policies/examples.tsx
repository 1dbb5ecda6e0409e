import { useState } from 'preact/hooks'
import { TextField } from '../../kit/field.tsx'
import { messagesOf } from '../../kit/messages.ts'
import { listRules } from '../../kit/new-password/list-rules.ts'
import { Panel, Tag } from '../kit/panel.tsx'
import { type PasswordValues, toPasswordPolicy } from './password-values.ts'

const t = messagesOf('policies')

const samples = ['secret', 'Summer2026', 'violin harbor mustard', 'r7#Kp-2mVq!xZ9wt']

/** Sample passwords, checked against rules while they are edited. */
export const Examples = ({ values }: { readonly values: PasswordValues }) => {
  const [own, setOwn] = useState('')
  return (
    <Panel heading={t('examples')} intro={t('examplesIntro')}>
      <ul class="items">
        {[...samples, ...(own && !samples.includes(own) ? [own] : [])].map((password) => (
          <li key={password}>
            <code>{password}</code>
            <Result values={values} password={password} />
          </li>
        ))}
      </ul>
      <TextField
        label={t('example')}
        autocomplete="off"
        autocapitalize="none"
        spellcheck={false}
        maxLength={100}
        value={own}
        onChangeValue={setOwn}
      />
    </Panel>
  )
}

const Result = ({ values, password }: { readonly values: PasswordValues; readonly password: string }) => {
  const missed = listRules(toPasswordPolicy(values), password, [])
    .filter(({ isMet }) => isMet === false)
    .map(({ text }) => text)
  if (missed.length === 0) return <Tag kind="good">{t('meets')}</Tag>
  return (
    <ul class="tags">
      {missed.map((rule) => (
        <li key={rule}>
          <Tag kind="warning">{t('misses', { rule })}</Tag>
        </li>
      ))}
    </ul>
  )
}
