import { useState } from 'preact/hooks'
import { Alert, Button } from '../../kit/button.tsx'
import { describeFailure } from '../../kit/describe-failure.ts'
import { messagesOf } from '../../kit/messages.ts'
import { pageData } from '../../kit/start-path.ts'
import { client } from '../../session-kit/client.ts'
import { useConfirmedAction, useLoaded } from '../../session-kit/use-loaded.ts'
import { Panel } from '../kit/panel.tsx'
import { toAddress } from '../kit/route.ts'
import { listOwnLacks } from './own-account.ts'

const t = messagesOf('onboarding')

const hints = {
  email: 'emailHint',
  passkey: 'passkeyHint',
  brand: 'brandHint',
  app: 'appHint',
  colleague: 'colleagueHint',
  signIn: 'signInHint',
} as const

interface Step {
  readonly name: keyof typeof hints
  readonly isDone: boolean
  readonly address: string
}

/** Reads how far a new service is. Nothing is noted: each step is done as soon as what it creates is there. */
const readSteps = async (options: { readonly signal: AbortSignal }): Promise<readonly Step[]> => {
  const { account, sendsEmail, user } = pageData
  const one = { limit: 1 }
  const [branding, apps, totals, signIns] = await Promise.all([
    client.branding.getBranding(undefined, options),
    client.oidcClients.listOidcClients(one, options),
    client.users.getTotals(options),
    client.audit.listAuditEvents({ ...one, event: 'oidc_client.authorized' }, options),
  ])
  const [app] = apps.items
  const lacks = listOwnLacks()
  return [
    ...(sendsEmail
      ? [{ name: 'email', isDone: !lacks.includes('email'), address: '/account#/profile' } as const]
      : []),
    ...(account?.canHavePasskeys
      ? [
          {
            name: 'passkey',
            isDone: user?.confirmation.hasPasskey === true,
            address: '/account#/passkeys',
          } as const,
        ]
      : []),
    {
      name: 'brand',
      isDone: branding.logo !== null || branding.product_name !== 'Latchkey',
      address: toAddress('branding'),
    },
    { name: 'app', isDone: app !== undefined, address: toAddress('apps', ['new']) },
    { name: 'colleague', isDone: totals.users > 1, address: toAddress('users', ['new']) },
    {
      name: 'signIn',
      isDone: signIns.items.length > 0,
      address: app ? toAddress('apps', [app.id]) : toAddress('apps'),
    },
  ]
}

/** The first steps of a new service, until all are done or the administrator hides them. */
export const Onboarding = () => {
  const [isHidden, setHidden] = useState(pageData.account?.hidesOnboarding !== false)
  return isHidden ? null : <Steps onHide={() => setHidden(true)} />
}

const Steps = ({ onHide }: { readonly onHide: () => void }) => {
  const { value: steps } = useLoaded(readSteps)
  const hide = useConfirmedAction(async () => {
    await client.users.setOnboarding({ is_hidden: true })
    onHide()
    return undefined
  })
  if (!steps || steps.every(({ isDone }) => isDone)) return null
  const [done, count] = [steps.filter(({ isDone }) => isDone).length, steps.length]
  return (
    <Panel heading={t('heading')} intro={t('progress', { done, count })}>
      <ol class="items onboarding">
        {steps.map(({ name, isDone, address }) => (
          <li key={name} class={isDone ? 'is-done' : undefined}>
            <span class="tick" aria-hidden="true">
              {isDone ? '✓' : ''}
            </span>
            <div>
              {isDone ? (
                <>
                  {t(name)}
                  <span class="for-screen-readers"> – {t('done')}</span>
                </>
              ) : (
                <a href={address}>{t(name)}</a>
              )}
              {!isDone && <div class="note">{t(hints[name])}</div>}
            </div>
          </li>
        ))}
      </ol>
      <Alert kind="problem">{hide.failure && describeFailure(hide.failure)}</Alert>
      <div class="row">
        <Button look="secondary" isRunning={hide.isRunning} onClick={() => void hide.run()}>
          {t('hide')}
        </Button>
      </div>
    </Panel>
  )
}
