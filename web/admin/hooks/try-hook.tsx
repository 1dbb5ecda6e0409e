import { useState } from 'preact/hooks'
import type { Hook, HookTrialResult, OIDCClient } from '../../../lib/client/generated/models.ts'
import { Alert, Button } from '../../kit/button.tsx'
import { SelectField, TextField } from '../../kit/field.tsx'
import { messagesOf } from '../../kit/messages.ts'
import { client } from '../../session-kit/client.ts'
import { CopyButton } from '../../session-kit/copy-button.tsx'
import { useConfirmedAction, useLoaded } from '../../session-kit/use-loaded.ts'
import { FailureAlert } from '../kit/failure-alert.tsx'
import { ShowLoaded } from '../kit/load-state.tsx'
import { Panel } from '../kit/panel.tsx'
import { toAddress } from '../kit/route.ts'
import { SectionPage } from '../kit/section-page.tsx'
import { type FoundUser, UserName, UserPicker } from '../people/user-picker.tsx'
import { describeProblem } from './describe-hook.ts'

const consoleText = messagesOf('console')
const t = messagesOf('hooks')

interface TryHookProps {
  readonly name: Hook['name']
}

/** Calls a hook for a person, and shows what would happen. All that the function answers is shown as text. */
export const TryHook = ({ name }: TryHookProps) => {
  const [user, setUser] = useState<FoundUser | undefined>()
  const [clientId, setClientId] = useState('')
  const [account, setAccount] = useState<Account>({})
  const [isIncomplete, setIncomplete] = useState(false)
  const [result, setResult] = useState<HookTrialResult | undefined>()
  const call = useConfirmedAction(async () => {
    setResult(undefined)
    const isComplete = name === 'beforeSignUp' || (user && (name === 'afterSignIn' || clientId !== ''))
    setIncomplete(!isComplete)
    if (!isComplete) return undefined
    setResult(
      await client.hooks.tryHook(name, {
        ...(user && { user: user.id }),
        ...(clientId === '' ? {} : { client_id: clientId }),
        ...(name === 'beforeSignUp' ? { account } : {}),
      }),
    )
    return undefined
  })
  return (
    <SectionPage
      heading={t('tryHeading', { name: t(name) })}
      intro={t('tryText')}
      parent={{ address: toAddress('hooks'), label: consoleText('hooks') }}
    >
      <Panel heading={t('person')}>
        {name === 'beforeSignUp' ? (
          <AccountFields account={account} onChange={setAccount} />
        ) : (
          <PersonChoice user={user} onChoose={setUser} />
        )}
        {name === 'beforeToken' && <AppChoice value={clientId} onChoose={setClientId} />}
        <Alert kind="problem">{isIncomplete && t('missing')}</Alert>
        <FailureAlert failure={call.failure} />
        <div class="row">
          <Button isRunning={call.isRunning} onClick={() => void call.run()}>
            {t('call')}
          </Button>
        </div>
      </Panel>
      <div aria-live="polite">{result && <Result result={result} />}</div>
    </SectionPage>
  )
}

interface PersonChoiceProps {
  readonly user: FoundUser | undefined
  readonly onChoose: (user: FoundUser | undefined) => void
}

const PersonChoice = ({ user, onChoose }: PersonChoiceProps) =>
  user ? (
    <div class="row">
      <UserName user={user} />
      <Button look="secondary" hasFirstFocus onClick={() => onChoose(undefined)}>
        {t('chooseOther')}
      </Button>
    </div>
  ) : (
    <UserPicker label={t('choosePerson')} action={t('choose')} onPick={onChoose} />
  )

interface AppChoiceProps {
  readonly value: string
  readonly onChoose: (clientId: string) => void
}

const mostApps = 100

const AppChoice = (props: AppChoiceProps) => (
  <ShowLoaded
    loaded={useLoaded((options) =>
      client.oidcClients.listOidcClients({ ordering: 'name', limit: mostApps }, options),
    )}
  >
    {({ items }) => <AppSelect apps={items} {...props} />}
  </ShowLoaded>
)

const AppSelect = ({ apps, value, onChoose }: AppChoiceProps & { readonly apps: readonly OIDCClient[] }) => (
  <SelectField
    label={t('app')}
    value={value}
    options={[
      { value: '', label: t('chooseApp') },
      ...apps.map((app) => ({ value: app.client_id, label: app.name })),
    ]}
    onChangeValue={onChoose}
  />
)

const accountFields = ['username', 'name', 'email', 'language'] as const
type Account = { readonly [Name in (typeof accountFields)[number]]?: string }

interface AccountFieldsProps {
  readonly account: Account
  readonly onChange: (account: Account) => void
}

/** The account does not exist, so nothing of it is checked here. */
const AccountFields = ({ account, onChange }: AccountFieldsProps) => (
  <div class="stack">
    {accountFields.map((field) => (
      <TextField
        key={field}
        label={t(field)}
        value={account[field] ?? ''}
        autocomplete="off"
        onChangeValue={(text) => {
          const { [field]: _, ...others } = account
          onChange(text === '' ? others : { ...others, [field]: text })
        }}
      />
    ))}
  </div>
)

const Result = ({ result }: { readonly result: HookTrialResult }) => (
  <Panel heading={t('result')}>
    <Alert kind={isGood(result) ? 'success' : 'warning'}>{describeVerdict(result)}</Alert>
    {result.message !== null && <blockquote>{result.message}</blockquote>}
    {result.problems.length > 0 && (
      <ul class="items">
        {result.problems.map(({ field, message }) => (
          <li key={field}>
            <div>
              <code>{field}</code>{' '}
              <span class="note" lang="en">
                {message}
              </span>
            </div>
          </li>
        ))}
      </ul>
    )}
    {result.verdict !== 'not_asked' && (
      <p class="note">{t('took', { time: t('ms', { count: result.duration_ms }) })}</p>
    )}
    <Json label={t('input')} text={result.input} />
    {result.answer === null ? <p>{t('noAnswer')}</p> : <Json label={t('answer')} text={result.answer} />}
  </Panel>
)

const isGood = ({ verdict }: HookTrialResult): boolean =>
  verdict === 'accept' || verdict === 'continue' || verdict === 'claims'

const describeVerdict = ({ verdict, message, problem }: HookTrialResult): string => {
  if (verdict === 'refuse') return t(message === null ? 'refuse' : 'refuseWith')
  if (verdict === 'failed') return t('failed', { problem: describeProblem(problem ?? 'answer') })
  const texts = {
    accept: 'accept',
    continue: 'continue',
    require_second_factor: 'secondFactor',
    claims: 'claimsAdded',
    not_asked: 'notAsked',
  } as const
  return t(texts[verdict])
}

const Json = ({ label, text }: { readonly label: string; readonly text: string }) => (
  <figure class="code-block">
    <figcaption class="row">
      {label} <CopyButton text={text} label={label} />
    </figcaption>
    <pre>
      <code>{text}</code>
    </pre>
  </figure>
)
