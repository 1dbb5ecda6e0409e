import type { JSX } from 'preact'
import type { OverviewDay, OverviewProvider } from '../../../lib/client/generated/models.ts'
import { formatNumber } from '../../kit/format.ts'
import { messagesOf } from '../../kit/messages.ts'
import { pageData } from '../../kit/start-path.ts'
import { Facts } from '../kit/panel.tsx'
import { toAddress } from '../kit/route.ts'

const t = messagesOf('overview')

/** Days of the API are in UTC, so that midnight of the browser does not move them. */
const day = new Intl.DateTimeFormat(pageData.language, { dateStyle: 'medium', timeZone: 'UTC' })
const formatDay = (date: string): string => day.format(new Date(date))
const share = new Intl.NumberFormat(pageData.language, { style: 'percent' })
/** A percentage of fewer says more than there is to say. */
const fewest = 20

interface DaysProps {
  /** Oldest first. */
  readonly days: readonly OverviewDay[]
}

const sum = (days: readonly OverviewDay[], name: Exclude<keyof OverviewDay, 'date'>): number =>
  days.reduce((total, ofDay) => total + ofDay[name], 0)

/** The bars of each day, what they add up to, and all numbers in a table. */
export const SignInChart = ({ days }: DaysProps) => {
  const most = Math.max(...days.map(({ succeeded, refused }) => succeeded + refused))
  const [first, last] = [days[0]?.date ?? '', days.at(-1)?.date ?? '']
  const periods = [
    { label: t('today'), length: 1 },
    { label: t('week'), length: 7 },
    { label: t('month'), length: 30 },
  ].map(({ label, length }) => {
    const some = days.slice(-length)
    return { label, value: describeCounts(sum(some, 'succeeded'), sum(some, 'refused')) }
  })
  return (
    <>
      <Facts facts={periods} />
      <figure class="chart">
        <p class="note" aria-hidden="true">
          <span class="key succeeded">{t('succeeded')}</span>
          <span class="key refused">{t('refused')}</span>
        </p>
        <p class="note" aria-hidden="true">
          {formatNumber(most)}
        </p>
        <svg
          role="img"
          aria-label={t('chart', { from: formatDay(first), to: formatDay(last) })}
          viewBox={`0 0 ${days.length * barStep} ${chartHeight}`}
          preserveAspectRatio="none"
        >
          {days.map((ofDay, at) => (
            <Bar key={ofDay.date} ofDay={ofDay} at={at} most={most} />
          ))}
        </svg>
        <p class="note dates" aria-hidden="true">
          <span>{formatDay(first)}</span>
          <span>{formatDay(last)}</span>
        </p>
      </figure>
      <details>
        <summary>{t('table')}</summary>
        <table class="numbers">
          <caption class="for-screen-readers">{t('signIns')}</caption>
          <thead>
            <tr>
              <th scope="col">{t('day')}</th>
              <th scope="col">{t('succeeded')}</th>
              <th scope="col">{t('refused')}</th>
            </tr>
          </thead>
          <tbody>
            {[...days].reverse().map(({ date, succeeded, refused }) => (
              <tr key={date}>
                <th scope="row">{formatDay(date)}</th>
                <td>{formatNumber(succeeded)}</td>
                <td>{formatNumber(refused)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </details>
    </>
  )
}

const describeCounts = (succeeded: number, refused: number): string =>
  t('counts', { succeeded: formatNumber(succeeded), refused: formatNumber(refused) })

const barStep = 10
const barWidth = 7
const chartHeight = 100

interface BarProps {
  readonly ofDay: OverviewDay
  readonly at: number
  /** The highest bar. */
  readonly most: number
}

/** What was refused is above what succeeded. */
const Bar = ({ ofDay: { date, succeeded, refused }, at, most }: BarProps) => {
  const [low, high] = [succeeded, refused].map((count) => (count / most) * chartHeight) as [number, number]
  const x = at * barStep
  return (
    <g>
      <title>{`${formatDay(date)}: ${describeCounts(succeeded, refused)}`}</title>
      <rect class="succeeded" x={x} y={chartHeight - low} width={barWidth} height={low} />
      <rect class="refused" x={x} y={chartHeight - low - high} width={barWidth} height={high} />
    </g>
  )
}

/** How often people used each way to sign in, and a second factor. */
export const SignInWays = ({ days }: DaysProps) => {
  const total = sum(days, 'succeeded')
  const [passkey, saml, emailCode] = [sum(days, 'passkey'), sum(days, 'saml'), sum(days, 'email_code')]
  const ways = [
    { label: t('password'), count: total - passkey - saml - emailCode },
    { label: t('passkey'), count: passkey },
    { label: t('saml'), count: saml },
    { label: t('emailCode'), count: emailCode },
  ]
  return (
    <table class="numbers">
      <caption class="for-screen-readers">{t('ways')}</caption>
      <thead>
        <tr>
          <th scope="col">{t('way')}</th>
          <th scope="col">{t('succeeded')}</th>
          <th scope="col">{t('share')}</th>
        </tr>
      </thead>
      <tbody>
        {ways.map((way) => (
          <WayRow key={way.label} {...way} total={total} />
        ))}
      </tbody>
      <tbody>
        <WayRow label={t('secondFactor')} count={sum(days, 'second_factor')} total={total} />
      </tbody>
    </table>
  )
}

interface WayRowProps {
  readonly label: string | JSX.Element
  readonly count: number
  readonly total: number
}

const WayRow = ({ label, count, total }: WayRowProps) => (
  <tr>
    <th scope="row">{label}</th>
    <td>{formatNumber(count)}</td>
    <td>
      {total >= fewest && share.format(count / total)}
      <meter min={0} max={total} value={count} aria-hidden="true" />
    </td>
  </tr>
)

/** The companies with the most sign-ins. */
export const SignInProviders = ({ providers }: { readonly providers: readonly OverviewProvider[] }) => {
  const total = providers.reduce((sum, { succeeded }) => sum + succeeded, 0)
  return (
    <table class="numbers">
      <caption class="for-screen-readers">{t('providers')}</caption>
      <thead>
        <tr>
          <th scope="col">{t('saml')}</th>
          <th scope="col">{t('succeeded')}</th>
          <th scope="col">{t('share')}</th>
        </tr>
      </thead>
      <tbody>
        {providers.map((provider) => (
          <WayRow
            key={provider.provider_id}
            label={nameProvider(provider)}
            count={provider.succeeded}
            total={total}
          />
        ))}
      </tbody>
    </table>
  )
}

const nameProvider = ({ provider_id: id, name, kind }: OverviewProvider): string | JSX.Element => {
  if (id === null) return t('otherProviders')
  if (name === null || kind === null) return t('deletedProvider', { id })
  return <a href={toAddress('connections', [kind, id])}>{name}</a>
}
