import { useState } from 'preact/hooks'
import type { RateLimitedSubject } from '../../../lib/client/generated/models.ts'
import { Button } from '../../kit/button.tsx'
import { formatDateTime } from '../../kit/format.ts'
import { messagesOf } from '../../kit/messages.ts'
import { client } from '../../session-kit/client.ts'
import { ConfirmDialog } from '../kit/confirm-dialog.tsx'
import { type Column, DataList } from '../kit/data-list.tsx'
import { toAddress } from '../kit/route.ts'
import { showToast } from '../kit/toast.tsx'
import { useList } from '../kit/use-list.ts'
import { describeLimit, describeSubject } from './describe-limit.ts'

const people = messagesOf('people')
const t = messagesOf('blocks')

/** Accounts, networks and links that reached a rate limit. */
export const LimitList = () => {
  const [lifted, setLifted] = useState<RateLimitedSubject | undefined>()
  const list = useList((page, options) => client.audit.listRateLimitedSubjects(page, options))
  const columns: readonly Column<RateLimitedSubject>[] = [
    { name: 'who', header: t('who'), cell: (subject) => <Subject subject={subject} /> },
    {
      name: 'what',
      header: t('what'),
      cell: ({ name }) => (
        <>
          {describeLimit(name)}
          <div class="note">
            <code>{name}</code>
          </div>
        </>
      ),
    },
    { name: 'since', header: t('since'), cell: ({ since }) => formatDateTime(since) },
    {
      name: 'until',
      header: t('until'),
      cell: ({ until }) => (until === null ? t('untilSuccess') : formatDateTime(until)),
    },
    {
      name: 'lift',
      header: t('lift'),
      hidesHeader: true,
      cell: (subject) => (
        <Button look="secondary" onClick={() => setLifted(subject)}>
          {t('lift')}
          <span class="for-screen-readers"> {describeSubject(subject)}</span>
        </Button>
      ),
    },
  ]
  return (
    <>
      <DataList
        label={t('limits')}
        list={list}
        idOf={({ key }) => key}
        columns={columns}
        empty={<p>{t('noLimits')}</p>}
      />
      {lifted && (
        <ConfirmDialog
          heading={t('liftLimit')}
          action={t('lift')}
          look="primary"
          failures={{ permission_denied: people('notAllowedForUser') }}
          onConfirm={async () => {
            await client.audit.liftRateLimit(lifted.key)
            showToast(t('lifted'))
            list.reload()
            return undefined
          }}
          onClose={() => setLifted(undefined)}
        >
          <p>{t('liftLimitText', { who: describeSubject(lifted) })}</p>
        </ConfirmDialog>
      )}
    </>
  )
}

const Subject = ({ subject }: { readonly subject: RateLimitedSubject }) => {
  const text = describeSubject(subject)
  if (subject.user !== null) return <a href={toAddress('users', [subject.user])}>{text}</a>
  if (subject.access_token !== null)
    return <a href={toAddress('access-links', [subject.access_token])}>{text}</a>
  return <>{text}</>
}
