import type { ApiFailure } from '../../kit/call-api.ts'
import { TextAreaField, TextField } from '../../kit/field.tsx'
import { messagesOf } from '../../kit/messages.ts'
import { problemOf } from '../kit/failure-alert.tsx'
import { Panel } from '../kit/panel.tsx'
import type { emptyRules } from './provider-values.ts'

const shared = messagesOf('samlProviders')
const t = messagesOf('connectionRules')

type RulesValues = typeof emptyRules

/** The labels of the fields. Messages are loaded after this file. */
export const getRuleLabels = () => ({
  username_from: t('username'),
  email_from: t('email'),
  full_name_from: t('fullName'),
  groups_from: t('groups'),
  required_authn_contexts: t('required'),
  multi_factor_authn_contexts: t('multiFactor'),
  required_for_domains: shared('requireSignIn'),
  exempt_users: shared('exemptUsers'),
})

interface RulesPanelProps {
  readonly draft: {
    readonly value: RulesValues
    readonly set: (changes: Partial<RulesValues>) => void
  }
  readonly failure: ApiFailure | undefined
  /** What is read without an entry. */
  readonly usual: string
}

/** What a company connection of either kind reads from the answers of its identity provider. */
export const RulesPanel = ({ draft: { value, set }, failure, usual }: RulesPanelProps) => {
  const labels = getRuleLabels()
  const names = ['username_from', 'email_from', 'full_name_from', 'groups_from'] as const
  const lists = [
    { name: 'required_authn_contexts', hint: t('requiredHint') },
    { name: 'multi_factor_authn_contexts', hint: t('multiFactorHint') },
  ] as const
  return (
    <Panel heading={t('heading')} intro={usual}>
      {names.map((name) => (
        <TextField
          key={name}
          label={labels[name]}
          hint={name === 'email_from' ? t('emailHint') : undefined}
          problem={value[name] ? problemOf(failure, 'attribute_mapping') : undefined}
          autocomplete="off"
          autocapitalize="none"
          spellcheck={false}
          maxLength={255}
          value={value[name]}
          onChangeValue={(text) => set({ [name]: text })}
        />
      ))}
      {lists.map(({ name, hint }) => (
        <TextAreaField
          key={name}
          label={labels[name]}
          hint={hint}
          problem={problemOf(failure, name)}
          rows={3}
          value={value[name]}
          onChangeValue={(text) => set({ [name]: text })}
        />
      ))}
    </Panel>
  )
}
