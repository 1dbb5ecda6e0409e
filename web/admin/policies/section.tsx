import type { SignInPolicy, SignInPolicyInput } from '../../../lib/client/generated/models.ts'
import { messagesOf } from '../../kit/messages.ts'
import { client } from '../../session-kit/client.ts'
import { useLoaded } from '../../session-kit/use-loaded.ts'
import { BodyChoice, BodyFlag, BodyNumber } from '../kit/body-fields.tsx'
import { EditForm } from '../kit/edit-form.tsx'
import { ShowLoaded } from '../kit/load-state.tsx'
import { Panel } from '../kit/panel.tsx'
import { toAddress } from '../kit/route.ts'
import type { SectionProps } from '../kit/section-page.tsx'
import { SectionPage } from '../kit/section-page.tsx'
import { useSave } from '../kit/use-save.tsx'
import { GroupFields } from '../people/group-fields.tsx'
import { PermissionFields } from '../people/permission-fields.tsx'
import { PasswordForm } from './password-form.tsx'

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
  return <ShowLoaded loaded={loaded}>{(policy) => <PasswordForm policy={policy} />}</ShowLoaded>
}

const SignIn = () => {
  const loaded = useLoaded((options) => client.passwords.getSignInPolicy(options))
  return <ShowLoaded loaded={loaded}>{(policy) => <SignInForm policy={policy} />}</ShowLoaded>
}

/** Who needs a second factor, and what else a sign-in requires. */
const SignInForm = ({ policy }: { readonly policy: SignInPolicy }) => {
  const read = () => client.passwords.getSignInPolicy()
  const form = useSave<SignInPolicyInput, SignInPolicy>({
    stored: policy,
    read,
    write: async (changes) => client.passwords.updateSignInPolicy({ ...(await read()), ...changes }),
  })
  const { value } = form
  return (
    <EditForm label={t('secondFactor')} form={form}>
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
        <BodyFlag form={form} name="allow_email_codes" label={t('emailCodes')} hint={t('emailCodesHint')} />
      </Panel>
      {!value.second_factor_for_everybody && (
        <>
          <PermissionFields form={form} name="second_factor_for_permissions" heading={t('forPermissions')} />
          <GroupFields form={form} name="second_factor_for_groups" heading={t('forGroups')} />
        </>
      )}
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
        {value.account_deletion === 'after_grace' && (
          <BodyNumber
            form={form}
            name="account_deletion_grace_days"
            label={t('deletionDays')}
            hint={t('deletionDaysHint')}
            empty={0}
          />
        )}
      </Panel>
    </EditForm>
  )
}
