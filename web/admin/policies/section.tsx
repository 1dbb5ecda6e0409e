import { messagesOf } from '../../kit/messages.ts'
import { client } from '../../session-kit/client.ts'
import { useLoaded } from '../../session-kit/use-loaded.ts'
import { ShowLoaded } from '../kit/load-state.tsx'
import { toAddress } from '../kit/route.ts'
import type { SectionProps } from '../kit/section.ts'
import { SectionPage } from '../kit/section-page.tsx'
import { PasswordForm } from './password-form.tsx'
import { toPasswordValues } from './password-values.ts'
import { SignInForm, toSignInValues } from './sign-in-form.tsx'

const t = messagesOf('policies')

export const Section = ({ path: [part] }: SectionProps) => {
  const isPasswords = part !== 'second-factor'
  return (
    <SectionPage heading={t('heading')}>
      <nav class="chips" aria-label={t('heading')}>
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
