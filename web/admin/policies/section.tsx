import type { SessionReview, SignInPolicy, SignInPolicyInput } from '../../../lib/client/generated/models.ts'
import { formatDateTime } from '../../kit/format.ts'
import { t as kitText, messagesOf } from '../../kit/messages.ts'
import { client } from '../../session-kit/client.ts'
import { useLoaded } from '../../session-kit/use-loaded.ts'
import { BodyChoice, BodyFlag, BodyNumber } from '../kit/body-fields.tsx'
import { EditForm } from '../kit/edit-form.tsx'
import { History } from '../kit/history.tsx'
import { ShowLoaded } from '../kit/load-state.tsx'
import { Managed } from '../kit/managed.tsx'
import { Panel } from '../kit/panel.tsx'
import { toAddress } from '../kit/route.ts'
import type { SectionProps } from '../kit/section-page.tsx'
import { SectionPage } from '../kit/section-page.tsx'
import { type EditedForm, useSave } from '../kit/use-save.tsx'
import { GroupFields } from '../people/group-fields.tsx'
import { PermissionFields } from '../people/permission-fields.tsx'
import { PasswordForm } from './password-form.tsx'

const consoleText = messagesOf('console')
const t = messagesOf('policies')

const parts = ['passwords', 'second-factor', 'passkeys', 'email-codes', 'account-deletion'] as const

export const Section = ({ path: [wanted] }: SectionProps) => {
  const current = parts.find((part) => part === wanted) ?? 'passwords'
  const labels = {
    passwords: t('passwords'),
    'second-factor': t('secondFactor'),
    passkeys: t('passkeys'),
    'email-codes': t('codesByEmail'),
    'account-deletion': t('accountDeletion'),
  }
  return (
    <Managed kind={current === 'passwords' ? 'password_policy' : 'sign_in_policy'}>
      <SectionPage heading={consoleText('policies')}>
        <nav class="tabs" aria-label={consoleText('policies')}>
          {parts.map((part) => (
            <a
              key={part}
              href={toAddress('policies', part === 'passwords' ? [] : [part])}
              aria-current={part === current ? 'page' : undefined}
            >
              {labels[part]}
            </a>
          ))}
        </nav>
        {current === 'passwords' ? <Passwords /> : <SignIn part={current} />}
        <History
          key={current}
          of={{ event: current === 'passwords' ? 'password_policy.changed' : 'sign_in_policy.changed' }}
        />
      </SectionPage>
    </Managed>
  )
}

const Passwords = () => {
  const loaded = useLoaded((options) => client.passwords.getPasswordPolicy(options))
  return <ShowLoaded loaded={loaded}>{(policy) => <PasswordForm policy={policy} />}</ShowLoaded>
}

type SignInPart = Exclude<(typeof parts)[number], 'passwords'>

const SignIn = ({ part }: { readonly part: SignInPart }) => {
  const loaded = useLoaded((options) => client.passwords.getSignInPolicy(options))
  return <ShowLoaded loaded={loaded}>{(policy) => <SignInForm part={part} policy={policy} />}</ShowLoaded>
}

interface SignInFormProps {
  readonly part: SignInPart
  readonly policy: SignInPolicy
}

/** A part of what a sign-in requires. All parts belong to one policy. */
const SignInForm = ({ part, policy }: SignInFormProps) => {
  const form = useSave<SignInPolicyInput, SignInPolicy>({
    stored: policy,
    read: () => client.passwords.getSignInPolicy(),
    write: (changes, current) => client.passwords.updateSignInPolicy({ ...current, ...changes }),
  })
  return (
    <EditForm
      label={consoleText('policies')}
      form={form}
      operation="update_sign_in_policy"
      failures={{ conflict: kitText('problemConflict') }}
    >
      {part === 'second-factor' && <SecondFactor form={form} />}
      {part === 'passkeys' && (
        <Panel heading={t('passkeys')}>
          <BodyFlag form={form} name="passkeys_only" label={t('passkeysOnly')} hint={t('passkeysOnlyHint')} />
          <BodyFlag
            form={form}
            name="passkey_upgrades"
            label={t('passkeyUpgrades')}
            hint={t('passkeyUpgradesHint')}
          />
        </Panel>
      )}
      {part === 'email-codes' && (
        <Panel heading={t('codesByEmail')}>
          <BodyFlag form={form} name="allow_email_codes" label={t('emailCodes')} hint={t('emailCodesHint')} />
        </Panel>
      )}
      {part === 'account-deletion' && <AccountDeletion form={form} />}
    </EditForm>
  )
}

interface PartProps {
  readonly form: EditedForm<SignInPolicyInput>
}

/** Who needs a second factor. */
const SecondFactor = ({ form }: PartProps) => (
  <>
    <Panel heading={t('secondFactor')} intro={t('secondFactorIntro')}>
      <BodyFlag form={form} name="second_factor_for_everybody" label={t('forEverybody')} />
      <BodyNumber
        form={form}
        name="second_factor_grace_days"
        label={t('graceDays')}
        hint={t('graceDaysHint')}
        empty={0}
      />
      <BodyNumber
        form={form}
        name="password_only_min_length"
        label={t('passwordOnly')}
        hint={t('emptyForNone')}
        empty={null}
      />
      <BodyNumber
        form={form}
        name="remembered_device_days"
        label={t('rememberedDays')}
        hint={t('rememberedDaysHint')}
        empty={0}
      />
      <ReviewState key={JSON.stringify(form.base)} />
    </Panel>
    {!form.value.second_factor_for_everybody && (
      <div class="halves">
        <PermissionFields
          form={form}
          name="second_factor_for_permissions"
          heading={t('forPermissions')}
          isGiven={false}
        />
        <GroupFields form={form} name="second_factor_for_groups" heading={t('forGroups')} />
      </div>
    )}
  </>
)

/** How far the rules have reached the sessions that are open. */
const ReviewState = () => {
  const loaded = useLoaded((options) => client.passwords.getSessionReview(options))
  return <ShowLoaded loaded={loaded}>{(review) => <ReviewText review={review} />}</ShowLoaded>
}

const ReviewText = ({ review }: { readonly review: SessionReview }) => {
  const { state, users, sessions_ended: ended, finished_at: finishedAt } = review
  if (state === 'none') return null
  if (state === 'waiting') return <p class="note">{t('reviewWaiting')}</p>
  if (state === 'running' || finishedAt === null)
    return <p class="note">{t('reviewRunning', { users, ended })}</p>
  return <p class="note">{t('reviewDone', { time: formatDateTime(finishedAt), ended })}</p>
}

/** Whether users delete their own accounts. */
const AccountDeletion = ({ form }: PartProps) => (
  <Panel heading={t('accountDeletion')}>
    <BodyChoice
      form={form}
      name="account_deletion"
      label={t('deletionRule')}
      options={[
        { value: 'off', label: t('deletionOff') },
        { value: 'ask', label: t('deletionAsk') },
        { value: 'after_grace', label: t('deletionAfterDays') },
      ]}
    />
    {form.value.account_deletion === 'after_grace' && (
      <BodyNumber
        form={form}
        name="account_deletion_grace_days"
        label={t('deletionDays')}
        hint={t('deletionDaysHint')}
        empty={0}
      />
    )}
  </Panel>
)
