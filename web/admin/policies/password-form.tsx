import { useState } from 'preact/hooks'
import type { PasswordPolicy, PasswordPolicyInput } from '../../../lib/client/generated/models.ts'
import { Button } from '../../kit/button.tsx'
import { TextField } from '../../kit/field.tsx'
import { t as kitText, messagesOf } from '../../kit/messages.ts'
import { listRules } from '../../new-password/new-password-field.tsx'
import { client } from '../../session-kit/client.ts'
import {
  BodyFlag,
  type BodyForm,
  BodyNumber,
  BodyOptionalText,
  BodyText,
  FieldPanel,
  rowInBody,
} from '../kit/body-fields.tsx'
import { EditForm } from '../kit/edit-form.tsx'
import { problemOf } from '../kit/failure-alert.tsx'
import { Panel, Tag } from '../kit/panel.tsx'
import { useSave } from '../kit/use-save.tsx'

const t = messagesOf('policies')

/** The rules for new passwords, with examples that follow each change. */
export const PasswordForm = ({ policy }: { readonly policy: PasswordPolicy }) => {
  const form = useSave<PasswordPolicyInput, PasswordPolicy>({
    stored: policy,
    read: () => client.passwords.getPasswordPolicy(),
    write: (changes, current) => client.passwords.updatePasswordPolicy({ ...current, ...changes }),
  })
  return (
    <>
      <EditForm
        label={t('passwords')}
        form={form}
        operation="update_password_policy"
        failures={{ conflict: kitText('problemConflict') }}
      >
        <Panel heading={t('passwords')} intro={t('passwordsIntro')}>
          <BodyNumber
            form={form}
            name="min_length"
            label={t('minLength')}
            hint={t('minLengthHint')}
            empty={null}
          />
          <BodyNumber
            form={form}
            name="min_entropy_bits"
            label={t('minEntropy')}
            hint={t('emptyForNone')}
            empty={null}
          />
          <BodyOptionalText
            form={form}
            name="regex"
            label={t('regex')}
            hint={t('emptyForNone')}
            writing="code"
            isExact
          />
          <BodyFlag form={form} name="no_pwned" label={t('noPwned')} />
        </Panel>
        <Rules form={form} />
        {problemOf(form.failure, 'rules', { withParts: false })}
      </EditForm>
      <Examples policy={form.value} />
    </>
  )
}

const Rules = ({ form }: { readonly form: BodyForm<PasswordPolicyInput> }) => {
  const { rules = [] } = form.value
  return (
    <FieldPanel form={form} name="rules" heading={t('groups')}>
      {rules.map(({ group_name: name }, at) => {
        const rule = rowInBody(form, 'rules', at)
        return (
          <fieldset key={`rule ${at + 1}`} class="columns">
            <legend class="for-screen-readers">{name}</legend>
            <BodyText form={rule} name="group_name" label={t('groupName')} writing="code" />
            <BodyText form={rule} name="group_regex" label={t('groupRegex')} writing="code" isExact />
            <BodyNumber form={rule} name="min_count" label={t('minCount')} empty={0} />
            <Button look="secondary" onClick={rule.remove}>
              {t('removeGroup', { name })}
            </Button>
          </fieldset>
        )
      })}
      <div class="row">
        <Button
          look="secondary"
          onClick={() =>
            form.set({ rules: [...rules, { group_name: '', group_regex: '[0-9]', min_count: 1 }] })
          }
        >
          {t('addGroup')}
        </Button>
      </div>
    </FieldPanel>
  )
}

const samples = ['secret', 'Summer2026', 'violin harbor mustard', 'r7#Kp-2mVq!xZ9wt']

/** Sample passwords, checked against rules while they are edited. */
const Examples = ({ policy }: { readonly policy: PasswordPolicyInput }) => {
  const [own, setOwn] = useState('')
  return (
    <Panel heading={t('examples')} intro={t('examplesIntro')}>
      <ul class="items">
        {[...samples, ...(own && !samples.includes(own) ? [own] : [])].map((password) => (
          <li key={password}>
            <code>{password}</code>
            <Result policy={policy} password={password} />
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

interface ResultProps {
  readonly policy: PasswordPolicyInput
  readonly password: string
}

const Result = ({ policy, password }: ResultProps) => {
  const missed = listRules(policy, password, [])
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
