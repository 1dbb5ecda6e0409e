import { useState } from 'preact/hooks'
import type { PasswordPolicy } from '../../../lib/client/generated/models.ts'
import { Button } from '../../kit/button.tsx'
import { Checkbox, TextField } from '../../kit/field.tsx'
import { messagesOf } from '../../kit/messages.ts'
import { listRules } from '../../new-password/new-password-field.tsx'
import { client } from '../../session-kit/client.ts'
import { EditForm } from '../kit/edit-form.tsx'
import { problemOf } from '../kit/failure-alert.tsx'
import { Panel, Tag } from '../kit/panel.tsx'
import { useDraft, useSave } from '../kit/use-save.tsx'

const t = messagesOf('policies')

/** The rules for new passwords, with examples that follow each change. */
export const PasswordForm = ({ initial }: { readonly initial: PasswordValues }) => {
  const draft = useDraft(initial)
  const { value, set } = draft
  const save = useSave({
    draft,
    read: async () => toPasswordValues(await client.passwords.getPasswordPolicy()),
    write: async (changes) => {
      const current = toPasswordValues(await client.passwords.getPasswordPolicy())
      const policy = toPasswordPolicy({ ...current, ...changes })
      return toPasswordValues(await client.passwords.updatePasswordPolicy(policy))
    },
  })
  const { failure } = save.action
  const labels = {
    min_length: t('minLength'),
    min_entropy_bits: t('minEntropy'),
    regex: t('regex'),
    no_pwned: t('noPwned'),
    rules: t('groups'),
  }
  return (
    <>
      <EditForm label={t('passwords')} draft={draft} save={save} labels={labels}>
        <Panel heading={t('passwords')} intro={t('passwordsIntro')}>
          {(['min_length', 'min_entropy_bits', 'regex'] as const).map((name) => (
            <TextField
              key={name}
              label={labels[name]}
              hint={t(name === 'min_length' ? 'minLengthHint' : 'emptyForNone')}
              problem={problemOf(failure, name)}
              inputMode={name === 'regex' ? 'text' : 'numeric'}
              autocomplete="off"
              autocapitalize="none"
              spellcheck={false}
              value={value[name]}
              onChangeValue={(text) => set({ [name]: text })}
            />
          ))}
          <Checkbox
            label={labels.no_pwned}
            isChecked={value.no_pwned}
            onChange={(isChecked) => set({ no_pwned: isChecked })}
          />
        </Panel>
        <Rules value={value.rules} onChange={(rules) => set({ rules })} />
        {problemOf(failure, 'rules')}
      </EditForm>
      <Examples values={value} />
    </>
  )
}

interface RulesProps {
  readonly value: readonly RuleValues[]
  readonly onChange: (rules: readonly RuleValues[]) => void
}

const Rules = ({ value, onChange }: RulesProps) => {
  const change = (at: number, changes: Partial<RuleValues>): void =>
    onChange(value.map((rule, index) => (index === at ? { ...rule, ...changes } : rule)))
  const labels = { group_name: t('groupName'), group_regex: t('groupRegex'), min_count: t('minCount') }
  return (
    <Panel heading={t('groups')}>
      {value.map((rule, at) => (
        <fieldset key={`rule ${at + 1}`} class="columns">
          <legend class="for-screen-readers">{rule.group_name}</legend>
          {(['group_name', 'group_regex', 'min_count'] as const).map((name) => (
            <TextField
              key={name}
              label={labels[name]}
              inputMode={name === 'min_count' ? 'numeric' : 'text'}
              autocomplete="off"
              autocapitalize="none"
              spellcheck={false}
              value={rule[name]}
              onChangeValue={(text) => change(at, { [name]: text })}
            />
          ))}
          <Button look="secondary" onClick={() => onChange(value.filter((_, index) => index !== at))}>
            {t('removeGroup', { name: rule.group_name })}
          </Button>
        </fieldset>
      ))}
      <div class="row">
        <Button
          look="secondary"
          onClick={() => onChange([...value, { group_name: '', group_regex: '[0-9]', min_count: '1' }])}
        >
          {t('addGroup')}
        </Button>
      </div>
    </Panel>
  )
}

const samples = ['secret', 'Summer2026', 'violin harbor mustard', 'r7#Kp-2mVq!xZ9wt']

/** Sample passwords, checked against rules while they are edited. */
const Examples = ({ values }: { readonly values: PasswordValues }) => {
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
          <Tag kind="bad">{t('misses', { rule })}</Tag>
        </li>
      ))}
    </ul>
  )
}

interface RuleValues {
  readonly group_name: string
  readonly group_regex: string
  readonly min_count: string
}

/** The password policy as its form has it. Empty texts require nothing. */
interface PasswordValues {
  readonly min_length: string
  readonly min_entropy_bits: string
  readonly regex: string
  readonly no_pwned: boolean
  readonly rules: readonly RuleValues[]
}

export const toPasswordValues = (policy: PasswordPolicy): PasswordValues => ({
  min_length: String(policy.min_length ?? ''),
  min_entropy_bits: String(policy.min_entropy_bits ?? ''),
  regex: policy.regex ?? '',
  no_pwned: policy.no_pwned ?? false,
  rules: (policy.rules ?? []).map((rule) => ({ ...rule, min_count: String(rule.min_count) })),
})

/** The request body, which replaces the whole policy. */
const toPasswordPolicy = (values: PasswordValues): PasswordPolicy => ({
  min_length: toNumber(values.min_length),
  min_entropy_bits: toNumber(values.min_entropy_bits),
  regex: values.regex || null,
  no_pwned: values.no_pwned,
  rules: values.rules.map((rule) => ({ ...rule, min_count: Number(rule.min_count) })),
})

export const toNumber = (text: string): number | null => (text.trim() === '' ? null : Number(text))
