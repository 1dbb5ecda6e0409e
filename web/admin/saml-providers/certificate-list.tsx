import { Alert } from '../../kit/alert.tsx'
import { formatDate } from '../../kit/format.ts'
import { messagesOf } from '../../kit/messages.ts'
import { Tag } from '../kit/panel.tsx'
import { type CertificateDates, getCertificateState, readCertificateDates } from './certificate-dates.ts'

const t = messagesOf('samlProviders')

/** The dates of the certificates in a text, in words. */
export const CertificateList = ({ text }: { readonly text: string }) => (
  <ul class="tags">
    {readCertificateDates(text).map((dates, at) => (
      <li key={`${at} ${dates?.endsAt}`}>
        <CertificateTag dates={dates} />
      </li>
    ))}
  </ul>
)

const CertificateTag = ({ dates }: { readonly dates: CertificateDates | undefined }) => {
  if (!dates) return <Tag kind="warning">{t('unknownDates')}</Tag>
  const state = getCertificateState(dates)
  const end = { date: formatDate(new Date(dates.endsAt).toISOString()) }
  if (state === 'valid') return <Tag kind="good">{t('validUntil', end)}</Tag>
  if (state === 'soon') return <Tag kind="warning">{t('expiresSoon', end)}</Tag>
  if (state === 'expired') return <Tag kind="warning">{t('expiredOn', end)}</Tag>
  const start = { date: formatDate(new Date(dates.startsAt).toISOString()) }
  return <Tag kind="warning">{t('notYetValid', start)}</Tag>
}

/** Warns if no certificate in the text is good for long. A new one next to an old one is fine. */
export const CertificateWarning = ({
  text,
  warning,
}: {
  readonly text: string
  readonly warning: string
}) => {
  const found = readCertificateDates(text)
  const isFine = found.some((dates) => dates && getCertificateState(dates) === 'valid')
  return <Alert kind="problem">{found.length > 0 && !isFine && warning}</Alert>
}
