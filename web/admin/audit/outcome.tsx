import type { ComponentChildren } from 'preact'
import type { AuditEvent } from '../../../lib/client/generated/models.ts'
import { messagesOf } from '../../kit/messages.ts'
import { Tag } from '../kit/panel.tsx'

const t = messagesOf('audit')

/** Reasons are codes like `invalid_credentials`, which narrow screens break between their words. */
const breakAfterUnderscores = (text: string): ComponentChildren =>
  text.split(/(?<=_)/).flatMap((part, at) => (at === 0 ? [part] : [<wbr key={at} />, part]))

/** Whether an event worked, and how often it happened if the event stands for several. */
export const Outcome = ({ event: { outcome, count } }: { readonly event: AuditEvent }) => (
  <>
    {outcome === 'succeeded' ? (
      <Tag kind="good">{t('succeeded')}</Tag>
    ) : (
      <Tag kind="warning">{breakAfterUnderscores(t('failed', { reason: outcome }))}</Tag>
    )}
    {count !== undefined && count > 1 && <> {t('times', { count })}</>}
  </>
)
