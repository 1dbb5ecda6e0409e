import type { ComponentChildren } from 'preact'
import type { AuditEvent } from '../../../lib/client/generated/models.ts'
import { isFailure } from '../../../lib/kernel/contract/audit-events.ts'
import { identifyDevice } from '../../../lib/kernel/util/user-agents.ts'
import { listNames, messagesOf } from '../../kit/messages.ts'
import type { Catalogues } from '../../messages/catalogues.ts'
import { Tag } from '../kit/panel.tsx'

const t = messagesOf('audit')
const events = messagesOf('events')
const reasons = messagesOf('reasons')

const isFirstStep = (event: AuditEvent): boolean => event.event === 'login.failed' && !isFailure(event)

/** The names of all audit events as the API has them, in the order of their areas. */
export const listEvents = (): readonly string[] => listNames('events')

/** Names an event. A newer service can have events that this page does not know. */
export const nameEvent = (event: string): string => (isKnownEvent(event) ? events(event) : event)

const isKnownEvent = (event: string): event is keyof Catalogues['events'] => listEvents().includes(event)
const isKnownReason = (outcome: string): outcome is keyof Catalogues['reasons'] =>
  listNames('reasons').includes(outcome)

/** Names what happened. The first step of a sign-in is stored as a refusal, but it is none. */
export const describeEvent = (event: AuditEvent): string =>
  isFirstStep(event) ? t('firstStep') : nameEvent(event.event)

/** Codes without a text, like `invalid_signature`, break between their words on narrow screens. */
const breakAfterUnderscores = (text: string): ComponentChildren =>
  text.split(/(?<=_)/).flatMap((part, at) => (at === 0 ? [part] : [<wbr key={at} />, part]))

/** Whether an event worked, or why not, and how often it happened if the event stands for several. */
export const Outcome = ({ event }: { readonly event: AuditEvent }) => {
  const { outcome, count } = event
  return (
    <>
      {outcome === 'succeeded' ? (
        <Tag kind="good">{t('succeeded')}</Tag>
      ) : (
        <Tag kind={isFirstStep(event) ? 'neutral' : 'bad'}>
          {isKnownReason(outcome)
            ? reasons(outcome)
            : breakAfterUnderscores(t('failed', { reason: outcome }))}
        </Tag>
      )}
      {count !== undefined && count > 1 && <> {t('times', { count })}</>}
    </>
  )
}

/** Names browser and system, which are the same in all languages. Callers choose the header, so none of its text is shown. */
export const describeDevice = (userAgent: string): string => {
  const { browser, system } = identifyDevice(userAgent)
  return [browser ?? t('otherProgram'), system].filter(Boolean).join(' · ')
}

/** The network address of an event and the device, if a request caused it. */
export const Origin = ({ event }: { readonly event: AuditEvent }) => (
  <>
    {event.ip || '–'}
    {event.user_agent && <div class="note">{describeDevice(event.user_agent)}</div>}
  </>
)
