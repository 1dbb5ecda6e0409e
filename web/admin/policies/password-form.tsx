import { Button } from '../../kit/button.tsx'
import { Checkbox, TextField } from '../../kit/field.tsx'
import { messagesOf } from '../../kit/messages.ts'
import { client } from '../../session-kit/client.ts'
import { EditForm } from '../kit/edit-form.tsx'
import { Panel } from '../kit/panel.tsx'
import { problemOf } from '../kit/problem-of.tsx'
import { useDraft } from '../kit/use-draft.ts'
import { useSave } from '../kit/use-save.tsx'
import { Examples } from './examples.tsx'
import {
  type PasswordValues,
  type RuleValues,
  toPasswordPolicy,
  toPasswordValues,
} from './password-values.ts'

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
