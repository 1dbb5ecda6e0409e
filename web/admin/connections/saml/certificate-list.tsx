import { day } from '../../../../lib/kernel/util/time.ts'
import { Alert } from '../../../kit/button.tsx'
import { formatDate } from '../../../kit/format.ts'
import { messagesOf } from '../../../kit/messages.ts'
import { Tag } from '../../kit/panel.tsx'

const t = messagesOf('samlConnections')

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
  if (state === 'expired') return <Tag kind="bad">{t('expiredOn', end)}</Tag>
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

/** When a certificate is valid, and what names its owner. */
interface CertificateDates {
  /** Epoch milliseconds. */
  readonly startsAt: number
  readonly endsAt: number
}

type CertificateState = 'valid' | 'soon' | 'expired' | 'early'

const warningMs = 30 * day

/** Certificates that end within 30 days need attention. */
const getCertificateState = ({ startsAt, endsAt }: CertificateDates, now = Date.now()): CertificateState => {
  if (endsAt <= now) return 'expired'
  if (startsAt > now) return 'early'
  return endsAt - now < warningMs ? 'soon' : 'valid'
}

/** Reads the dates of each certificate in a text of PEM or base64. Undefined stands for one that cannot be read. */
const readCertificateDates = (text: string): readonly (CertificateDates | undefined)[] =>
  splitCertificates(text).map((base64) => {
    try {
      return readValidity(decode(base64))
    } catch {
      return undefined
    }
  })

const splitCertificates = (text: string): readonly string[] => {
  const blocks = [...text.matchAll(/-----BEGIN CERTIFICATE-----([^-]+)-----END CERTIFICATE-----/g)]
  if (blocks.length > 0) return blocks.map(([, content]) => content ?? '')
  return text.trim() ? [text] : []
}

const decode = (base64: string): Uint8Array =>
  Uint8Array.from(atob(base64.replace(/\s/g, '')), (character) => character.charCodeAt(0))

/** A value in DER (X.690): its tag, and where its content is. */
interface Value {
  readonly tag: number
  readonly start: number
  readonly end: number
}

const contextTag = 0xa0
const utcTimeTag = 0x17

/** RFC 5280 section 4.1: version, serial number, algorithm, issuer, then the validity. */
const readValidity = (bytes: Uint8Array): CertificateDates => {
  const certificate = readValue(bytes, 0)
  const fields = readValues(bytes, readValue(bytes, certificate.start))
  const validity = fields[fields[0]?.tag === contextTag ? 4 : 3]
  const [start, end] = validity ? readValues(bytes, validity) : []
  if (!start || !end) throw new RangeError('The certificate has no dates.')
  return { startsAt: readTime(bytes, start), endsAt: readTime(bytes, end) }
}

const readValues = (bytes: Uint8Array, { start, end }: Value): readonly Value[] => {
  const values: Value[] = []
  for (let at = start; at < end; at = values.at(-1)?.end ?? end) values.push(readValue(bytes, at))
  return values
}

const readValue = (bytes: Uint8Array, at: number): Value => {
  const first = bytes[at + 1] ?? Number.NaN
  const lengthBytes = first < 0x80 ? 0 : first & 0x7f
  const length =
    lengthBytes === 0
      ? first
      : bytes.slice(at + 2, at + 2 + lengthBytes).reduce((sum, byte) => sum * 256 + byte, 0)
  const start = at + 2 + lengthBytes
  if (!(start + length <= bytes.length)) throw new RangeError('The certificate is cut off.')
  return { tag: bytes[at] ?? 0, start, end: start + length }
}

/** `YYMMDDhhmmssZ` stands for the years 1950 to 2049, later times have four digits for the year. */
const readTime = (bytes: Uint8Array, { tag, start, end }: Value): number => {
  const text = String.fromCharCode(...bytes.slice(start, end))
  const full = tag === utcTimeTag ? `${Number(text.slice(0, 2)) < 50 ? '20' : '19'}${text}` : text
  const time = Date.parse(full.replace(/^(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)Z$/, '$1-$2-$3T$4:$5:$6Z'))
  if (Number.isNaN(time)) throw new RangeError('The certificate has an invalid date.')
  return time
}
