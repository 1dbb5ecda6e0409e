import { messagesOf } from '../../kit/messages.ts'
import { BodyLines, BodyOptionalText, FieldPanel, inBody } from '../kit/body-fields.tsx'
import { problemOf } from '../kit/failure-alert.tsx'
import type { ConnectionForm } from './connection-fields.tsx'

const t = messagesOf('connectionRules')

interface RulesPanelProps {
  readonly form: ConnectionForm
  /** What is read without an entry. */
  readonly usual: string
}

/** What a company connection of any kind reads from the answers of its identity provider. */
export const RulesPanel = ({ form, usual }: RulesPanelProps) => {
  const mapping = inBody(form, 'attribute_mapping')
  const names = [
    { name: 'username_from', label: t('username') },
    { name: 'email_from', label: t('email'), hint: t('emailHint') },
    { name: 'full_name_from', label: t('fullName') },
    { name: 'groups_from', label: t('groups') },
  ] as const
  return (
    <FieldPanel form={form} name="attribute_mapping" heading={t('heading')} intro={usual}>
      {names.map((field) => (
        <BodyOptionalText
          key={field.name}
          form={mapping}
          {...field}
          problem={mapping.value[field.name] && problemOf(form.failure, 'attribute_mapping')}
          maxLength={255}
          writing="code"
        />
      ))}
      <BodyLines form={form} name="required_authn_contexts" label={t('required')} hint={t('requiredHint')} />
      <BodyLines
        form={form}
        name="multi_factor_authn_contexts"
        label={t('multiFactor')}
        hint={t('multiFactorHint')}
      />
    </FieldPanel>
  )
}
