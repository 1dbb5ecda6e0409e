import { useState } from 'preact/hooks'
import type { Hook, HookFailure } from '../../../lib/client/generated/models.ts'
import { Button } from '../../kit/button.tsx'
import { formatDateTime, formatList } from '../../kit/format.ts'
import { messagesOf } from '../../kit/messages.ts'
import { client } from '../../session-kit/client.ts'
import { useLoaded } from '../../session-kit/use-loaded.ts'
import { ConfirmDialog } from '../kit/confirm-dialog.tsx'
import { ShowLoaded } from '../kit/load-state.tsx'
import { Facts, Panel, Tag } from '../kit/panel.tsx'
import { toAddress } from '../kit/route.ts'
import { SectionPage, type SectionProps } from '../kit/section-page.tsx'
import { showToast } from '../kit/toast.tsx'
import { describeFailureRule, describeOff, describeProblem } from './describe-hook.ts'
import { TryHook } from './try-hook.tsx'

const consoleText = messagesOf('console')
const t = messagesOf('hooks')

const names = ['beforeSignUp', 'afterSignIn', 'beforeToken'] as const

export const Section = ({ path: [given] }: SectionProps) => {
  const name = names.find((one) => one === given)
  return name ? <TryHook name={name} /> : <HookList />
}

const HookList = () => {
  const loaded = useLoaded((options) => client.hooks.listHooks(options))
  return (
    <SectionPage
      heading={consoleText('hooks')}
      intro={
        <>
          {t('intro')} <a href="/docs/guides/hooks">{t('learnMore')}</a>
        </>
      }
    >
      <ShowLoaded loaded={loaded}>
        {(hooks) =>
          hooks.every(({ state }) => state === 'not_configured') ? (
            <Panel heading={t('none')}>
              <p>{t('noneText')}</p>
            </Panel>
          ) : (
            hooks.map((hook) => <HookPanel key={hook.name} hook={hook} onChange={loaded.reload} />)
          )
        }
      </ShowLoaded>
    </SectionPage>
  )
}

interface HookPanelProps {
  readonly hook: Hook
  readonly onChange: () => Promise<void>
}

const HookPanel = ({ hook, onChange }: HookPanelProps) => (
  <Panel
    heading={
      <>
        {t(hook.name)} <StateTag state={hook.state} />
      </>
    }
    intro={<code>{hook.name}</code>}
  >
    {hook.state === 'disabled' && <p>{t('disabledText')}</p>}
    {hook.turned_off && (
      <p>
        {t('turnedOffBy', {
          name: hook.turned_off.by_name ?? t('deletedUser'),
          time: formatDateTime(hook.turned_off.at),
        })}{' '}
        {describeOff(hook.name)}
      </p>
    )}
    {hook.state !== 'not_configured' && <HookFacts hook={hook} />}
    {(hook.state === 'on' || hook.state === 'turned_off') && (
      <>
        <Failures hook={hook} />
        <div class="row">
          <a class="button secondary" href={toAddress('hooks', [hook.name])}>
            {t('test')}
            <span class="for-screen-readers"> {t(hook.name)}</span>
          </a>
          <Switch hook={hook} onChange={onChange} />
        </div>
      </>
    )}
  </Panel>
)

const stateTexts = {
  on: 'on',
  turned_off: 'turnedOff',
  disabled: 'disabled',
  not_configured: 'notConfigured',
} as const

const StateTag = ({ state }: Pick<Hook, 'state'>) => {
  const kind = { on: 'good', turned_off: 'warning', disabled: 'neutral', not_configured: 'neutral' } as const
  return <Tag kind={kind[state]}>{t(stateTexts[state])}</Tag>
}

const HookFacts = ({ hook }: { readonly hook: Hook }) => {
  const lists = [
    ...(hook.name === 'beforeToken' ? [{ label: t('claims'), value: showNames(hook.claims) }] : []),
    ...(hook.name === 'beforeSignUp'
      ? [
          { label: t('groups'), value: showNames(hook.groups) },
          { label: t('attributes'), value: showNames(hook.attributes) },
        ]
      : []),
  ]
  return (
    <Facts
      facts={[
        { label: t('function'), value: hook.function ? <code>{hook.function}</code> : t('module') },
        { label: t('timeout'), value: t('ms', { count: hook.timeout_ms ?? 0 }) },
        { label: t('ifFails'), value: describeFailureRule(hook) },
        ...lists,
        { label: t('latency'), value: describeLatency(hook) },
      ]}
    />
  )
}

const showNames = (given: readonly string[]) => (given.length === 0 ? t('nothing') : formatList(given))

const describeLatency = ({ name, latency }: Hook): string => {
  if (name !== 'afterSignIn') return t('latencyNever')
  if (!latency) return t('latencyNone')
  return t('latencyText', {
    count: latency.calls,
    median: t('ms', { count: latency.median_ms }),
    p95: t('ms', { count: latency.p95_ms }),
  })
}

const Failures = ({ hook: { failures } }: { readonly hook: Hook }) => (
  <>
    <h3>{t('failures')}</h3>
    {failures.length === 0 ? (
      <p>{t('noFailures')}</p>
    ) : (
      <>
        <ul class="items">
          {failures.map((failure) => (
            <li key={`${failure.at} ${failure.user}`}>
              <div>
                {failure.problem ? describeProblem(failure.problem) : t('bypassed')}
                <div class="note">{formatDateTime(failure.at)}</div>
              </div>
              <Person failure={failure} />
            </li>
          ))}
        </ul>
        <a href={toAddress('audit-events', [], { event: 'hook.failed' })}>{t('allFailures')}</a>
      </>
    )}
  </>
)

const Person = ({ failure: { user, user_name: name } }: { readonly failure: HookFailure }) => {
  if (user === null) return <span class="note">{t('someone')}</span>
  return name === null ? (
    <span class="note">{t('deletedUser')}</span>
  ) : (
    <a href={toAddress('users', [user])}>{name}</a>
  )
}

/** Turns a hook off or on, after it said what that means. The service asks for a recent proof of identity. */
const Switch = ({ hook: { name, state }, onChange }: HookPanelProps) => {
  const [isAsking, setAsking] = useState(false)
  const isOn = state === 'on'
  const action = t(isOn ? 'turnOff' : 'turnOn')
  const change = async (): Promise<undefined> => {
    await client.hooks.changeHook(name, { turned_off: isOn })
    showToast(t(isOn ? 'wasTurnedOff' : 'wasTurnedOn'))
    await onChange()
  }
  return (
    <>
      <Button look={isOn ? 'danger' : 'secondary'} onClick={() => setAsking(true)}>
        {action}
        <span class="for-screen-readers"> {t(name)}</span>
      </Button>
      {isAsking && (
        <ConfirmDialog
          heading={t(isOn ? 'turnOffHeading' : 'turnOnHeading', { name: t(name) })}
          action={action}
          look={isOn ? 'danger' : 'primary'}
          onConfirm={change}
          onClose={() => setAsking(false)}
        >
          <p>{isOn ? describeOff(name) : t('turnOnText')}</p>
        </ConfirmDialog>
      )}
    </>
  )
}
