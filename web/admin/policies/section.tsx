import type { SignInPolicy } from '../../../lib/client/generated/models.ts'
import { Checkbox, SelectField, TextField } from '../../kit/field.tsx'
import { messagesOf } from '../../kit/messages.ts'
import { client } from '../../session-kit/client.ts'
import { useLoaded } from '../../session-kit/use-loaded.ts'
import { EditForm } from '../kit/edit-form.tsx'
import { problemOf } from '../kit/failure-alert.tsx'
import { ShowLoaded } from '../kit/load-state.tsx'
import { Panel } from '../kit/panel.tsx'
import { toAddress } from '../kit/route.ts'
import type { SectionProps } from '../kit/section-page.tsx'
import { SectionPage } from '../kit/section-page.tsx'
import { useDraft, useSave } from '../kit/use-save.tsx'
import { GroupFields } from '../people/group-fields.tsx'
import { PermissionFields } from '../people/permission-fields.tsx'
import { PasswordForm, toNumber, toPasswordValues } from './password-form.tsx'

const consoleText = messagesOf('console')
const t = messagesOf('policies')

export const Section = ({ path: [part] }: SectionProps) => {
  const isPasswords = part !== 'second-factor'
  return (
    <SectionPage heading={consoleText('policies')}>
      <nav class="chips" aria-label={consoleText('policies')}>
        <a class="chip" href={toAddress('policies')} aria-current={isPasswords ? 'page' : undefined}>
          {t('passwords')}
        </a>
        <a
          class="chip"
          href={toAddress('policies', ['second-factor'])}
          aria-current={isPasswords ? undefined : 'page'}
        >
          {t('secondFactor')}
        </a>
      </nav>
      {isPasswords ? <Passwords /> : <SignIn />}
    </SectionPage>
  )
}

const Passwords = () => {
  const loaded = useLoaded((options) => client.passwords.getPasswordPolicy(options))
  return (
    <ShowLoaded loaded={loaded}>{(policy) => <PasswordForm initial={toPasswordValues(policy)} />}</ShowLoaded>
  )
}

const SignIn = () => {
  const loaded = useLoaded((options) => client.passwords.getSignInPolicy(options))
  return (
    <ShowLoaded loaded={loaded}>{(policy) => <SignInForm initial={toSignInValues(policy)} />}</ShowLoaded>
  )
}

/** The sign-in policy as its form has it. */
interface SignInValues {
  readonly second_factor_for_everybody: boolean
  readonly second_factor_for_permissions: readonly string[]
  readonly second_factor_for_groups: readonly number[]
  readonly second_factor_grace_days: string
  readonly password_only_min_length: string
  readonly allow_email_codes: boolean
  readonly account_deletion: DeletionMode
  readonly account_deletion_grace_days: string
}

type DeletionMode = NonNullable<SignInPolicy['account_deletion']>

const toSignInValues = (policy: SignInPolicy): SignInValues => ({
  second_factor_for_everybody: policy.second_factor_for_everybody ?? false,
  second_factor_for_permissions: [...(policy.second_factor_for_permissions ?? [])].sort(),
  second_factor_for_groups: [...(policy.second_factor_for_groups ?? [])].sort((a, b) => a - b),
  second_factor_grace_days: String(policy.second_factor_grace_days ?? 0),
  password_only_min_length: String(policy.password_only_min_length ?? ''),
  allow_email_codes: policy.allow_email_codes ?? false,
  account_deletion: policy.account_deletion ?? 'off',
  account_deletion_grace_days: String(policy.account_deletion_grace_days ?? ''),
})

const toSignInPolicy = (values: SignInValues): SignInPolicy => ({
  ...values,
  second_factor_for_permissions: [...values.second_factor_for_permissions],
  second_factor_for_groups: [...values.second_factor_for_groups],
  second_factor_grace_days: toNumber(values.second_factor_grace_days) ?? 0,
  password_only_min_length: toNumber(values.password_only_min_length),
  account_deletion_grace_days: toNumber(values.account_deletion_grace_days) ?? 0,
})

/** Who needs a second factor, and what else a sign-in requires. */
const SignInForm = ({ initial }: { readonly initial: SignInValues }) => {
  const draft = useDraft(initial)
  const { value, set } = draft
  const save = useSave({
    draft,
    read: async () => toSignInValues(await client.passwords.getSignInPolicy()),
    write: async (changes) => {
      const current = toSignInValues(await client.passwords.getSignInPolicy())
      const policy = toSignInPolicy({ ...current, ...changes })
      return toSignInValues(await client.passwords.updateSignInPolicy(policy))
    },
  })
  const { failure } = save.action
  const labels = {
    second_factor_for_everybody: t('forEverybody'),
    second_factor_for_permissions: t('forPermissions'),
    second_factor_for_groups: t('forGroups'),
    second_factor_grace_days: t('graceDays'),
    password_only_min_length: t('passwordOnly'),
    allow_email_codes: t('emailCodes'),
    account_deletion: t('deletionRule'),
    account_deletion_grace_days: t('deletionDays'),
  }
  return (
    <EditForm label={t('secondFactor')} draft={draft} save={save} labels={labels}>
      <Panel heading={t('secondFactor')} intro={t('secondFactorIntro')}>
        <Checkbox
          label={labels.second_factor_for_everybody}
          isChecked={value.second_factor_for_everybody}
          onChange={(isChecked) => set({ second_factor_for_everybody: isChecked })}
        />
        {(['second_factor_grace_days', 'password_only_min_length'] as const).map((name) => (
          <TextField
            key={name}
            label={labels[name]}
            hint={t(name === 'second_factor_grace_days' ? 'graceDaysHint' : 'emptyForNone')}
            problem={problemOf(failure, name)}
            inputMode="numeric"
            autocomplete="off"
            value={value[name]}
            onChangeValue={(text) => set({ [name]: text })}
          />
        ))}
        <Checkbox
          label={labels.allow_email_codes}
          hint={t('emailCodesHint')}
          isChecked={value.allow_email_codes}
          onChange={(isChecked) => set({ allow_email_codes: isChecked })}
        />
      </Panel>
      {!value.second_factor_for_everybody && (
        <>
          <PermissionFields
            heading={labels.second_factor_for_permissions}
            value={value.second_factor_for_permissions}
            onChange={(permissions) => set({ second_factor_for_permissions: permissions })}
          />
          <GroupFields
            heading={labels.second_factor_for_groups}
            value={value.second_factor_for_groups}
            onChange={(groups) => set({ second_factor_for_groups: groups })}
          />
        </>
      )}
      <Panel heading={t('accountDeletion')}>
        <SelectField
          label={labels.account_deletion}
          value={value.account_deletion}
          onChangeValue={(mode) => set({ account_deletion: mode as DeletionMode })}
          options={[
            { value: 'off', label: t('deletionOff') },
            { value: 'ask', label: t('deletionAsk') },
            { value: 'after_grace', label: t('deletionAfterDays') },
          ]}
        />
        {value.account_deletion === 'after_grace' && (
          <TextField
            label={labels.account_deletion_grace_days}
            hint={t('deletionDaysHint')}
            problem={problemOf(failure, 'account_deletion_grace_days')}
            inputMode="numeric"
            autocomplete="off"
            value={value.account_deletion_grace_days}
            onChangeValue={(days) => set({ account_deletion_grace_days: days })}
          />
        )}
      </Panel>
    </EditForm>
  )
}
