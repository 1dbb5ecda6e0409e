import { useState } from 'preact/hooks'
import type { RateLimitedSubject, SuppressedAddress } from '../../../lib/client/generated/models.ts'
import { Button } from '../../kit/button.tsx'
import { formatDateTime } from '../../kit/format.ts'
import { messagesOf } from '../../kit/messages.ts'
import { client } from '../../session-kit/client.ts'
import { useList } from '../../session-kit/use-list.ts'
import { ConfirmDialog } from '../kit/confirm-dialog.tsx'
import { type Column, DataList } from '../kit/data-list.tsx'
import { SearchField } from '../kit/filters.tsx'
import { toAddress } from '../kit/route.ts'
import { SectionPage } from '../kit/section-page.tsx'
import { showToast } from '../kit/toast.tsx'

const t = messagesOf('blocks')
const people = messagesOf('people')
const consoleText = messagesOf('console')

export const Section = () => (
  <SectionPage heading={consoleText('blocks')} intro={t('intro')}>
    <h2>{t('limits')}</h2>
    <LimitList />
    <h2>{t('suppressed')}</h2>
    <SuppressionList />
  </SectionPage>
)

/** Accounts, networks and links that reached a rate limit. */
const LimitList = () => {
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
  if (subject.user !== null)
    return (
      <>
        <a href={toAddress('users', [subject.user])}>{text}</a>
        {subject.network !== null && <div class="note">{t('fromNetwork', { address: subject.network })}</div>}
      </>
    )
  if (subject.access_token !== null)
    return <a href={toAddress('access-links', [subject.access_token])}>{text}</a>
  return <>{text}</>
}

const linkLimits = ['lookUpFailures', 'linkGuesses', 'linkGuessesPerNetwork']
const otherLimits = ['passwordToolUses', 'leakReports']
const emailLimits = /mail|reset|invitation|notice|signUp/i

/** What was tried too often, by the name of the rate limit. */
const describeLimit = (name: string): string => {
  if (name === 'signInDelays') return t('wrongPasswords')
  if (linkLimits.includes(name)) return t('linkAttempts')
  if (otherLimits.includes(name)) return t('otherRequests')
  return emailLimits.test(name) ? t('emails') : t('signInAttempts')
}

/** Whom a rate limit refuses. */
const describeSubject = (subject: RateLimitedSubject): string => {
  const { user, user_name: name, network, access_token: link } = subject
  if (name) return name
  if (user !== null) return t('user', { number: String(user) })
  if (link !== null) return t('link', { number: String(link) })
  return network === null ? t('unknown') : t('network', { address: network })
}

/** Email addresses that receive nothing, because of a bounce or a complaint. */
const SuppressionList = () => {
  const [address, setAddress] = useState('')
  const [lifted, setLifted] = useState<SuppressedAddress | undefined>()
  const list = useList(
    (page, options) =>
      client.audit.listSuppressedAddresses({ ...page, ...(address ? { address } : {}) }, options),
    address,
  )
  const columns: readonly Column<SuppressedAddress>[] = [
    { name: 'who', header: t('who'), cell: (found) => found.address },
    {
      name: 'what',
      header: t('what'),
      cell: ({ reason }) => (reason === 'bounce' ? t('bounce') : t('complaint')),
    },
    { name: 'since', header: t('since'), cell: ({ since }) => formatDateTime(since) },
    { name: 'until', header: t('until'), cell: ({ until }) => formatDateTime(until) },
    {
      name: 'lift',
      header: t('lift'),
      hidesHeader: true,
      cell: (found) => (
        <Button look="secondary" onClick={() => setLifted(found)}>
          {t('lift')}
          <span class="for-screen-readers"> {found.address}</span>
        </Button>
      ),
    },
  ]
  return (
    <>
      <div class="toolbar">
        <SearchField label={t('findAddress')} value={address} onSearch={setAddress} />
      </div>
      <DataList
        label={t('suppressed')}
        list={list}
        idOf={({ key }) => key}
        columns={columns}
        empty={<p>{address ? consoleText('noResults') : t('noSuppressed')}</p>}
      />
      {lifted && (
        <ConfirmDialog
          heading={t('liftLimit')}
          action={t('lift')}
          look="primary"
          onConfirm={async () => {
            await client.audit.liftSuppression(lifted.key)
            showToast(t('lifted'))
            list.reload()
            return undefined
          }}
          onClose={() => setLifted(undefined)}
        >
          <p>{t('liftAddressText', { who: lifted.address })}</p>
        </ConfirmDialog>
      )}
    </>
  )
}
