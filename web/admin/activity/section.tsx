import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import type { Activity, ActivityMonth } from '../../../lib/client/generated/models.ts'
import { Button } from '../../kit/button.tsx'
import { formatNumber, toCsvLine } from '../../kit/format.ts'
import { messagesOf } from '../../kit/messages.ts'
import { pageData } from '../../kit/start-path.ts'
import { client } from '../../session-kit/client.ts'
import { saveFile } from '../../session-kit/copy-button.tsx'
import { useLoaded } from '../../session-kit/use-loaded.ts'
import { ShowLoaded } from '../kit/load-state.tsx'
import { Panel } from '../kit/panel.tsx'
import { toAddress } from '../kit/route.ts'
import { SectionPage } from '../kit/section-page.tsx'
import { Chart } from './chart.tsx'

const consoleText = messagesOf('console')
const t = messagesOf('activity')

/** Months of the API are in UTC, so that midnight of the browser does not move them. */
const monthFormat = (style: 'short' | 'long') =>
  new Intl.DateTimeFormat(pageData.language, {
    month: style,
    ...(style === 'long' && { year: 'numeric' as const }),
    timeZone: 'UTC',
  })
const [shortMonth, longMonth] = [monthFormat('short'), monthFormat('long')]
const percent = new Intl.NumberFormat(pageData.language, {
  style: 'percent',
  signDisplay: 'exceptZero',
  maximumFractionDigits: 0,
})

const difference = new Intl.NumberFormat(pageData.language, { signDisplay: 'exceptZero' })

/** How the service was used in the last months. */
export const Section = () => {
  const loaded = useLoaded((options) => client.audit.getActivity(options))
  const { value } = loaded
  return (
    <SectionPage
      heading={consoleText('activity')}
      intro={t('intro')}
      actions={value && <Button onClick={() => exportMonths(value)}>{t('exportCsv')}</Button>}
    >
      <ShowLoaded loaded={loaded}>{(activity) => <Content activity={activity} />}</ShowLoaded>
    </SectionPage>
  )
}

interface Figure {
  readonly key: 'activeUsers' | 'newAccounts' | 'signIns'
  readonly intro: 'activeUsersIntro' | 'newAccountsIntro' | 'signInsIntro'
  readonly read: (month: ActivityMonth) => number
}

const figures: readonly Figure[] = [
  { key: 'activeUsers', intro: 'activeUsersIntro', read: (month) => month.active_users },
  { key: 'newAccounts', intro: 'newAccountsIntro', read: (month) => month.new_accounts },
  { key: 'signIns', intro: 'signInsIntro', read: (month) => month.sign_ins },
]

const Content = ({ activity }: { readonly activity: Activity }) => {
  const { months, apps, connections } = activity
  // The first month is there to compare the second one with it.
  const shown = months.slice(1)
  const [chosen, setChosen] = useState(shown.length - 1)
  const [before, present] = [months[chosen], months[chosen + 1]]
  if (!before || !present) return null
  const name = longMonth.format(new Date(present.month))
  return (
    <div class="overview stack">
      {figures.map(({ key, intro, read }) => (
        <Panel key={key} heading={t(key)} intro={t(intro)}>
          <Chart
            label={t(key)}
            places={shown.map(({ month }) => shortMonth.format(new Date(month)))}
            series={[
              { name: 'succeeded', label: t('succeeded'), values: shown.map(read) },
              ...(key === 'signIns'
                ? [
                    {
                      name: 'refused' as const,
                      label: t('refused'),
                      values: shown.map(({ refused }) => refused),
                    },
                  ]
                : []),
            ]}
            chosen={chosen}
            onChoose={setChosen}
            describe={(at) => describe(months, at, read)}
          />
          <details>
            <summary>{t('table')}</summary>
            <MonthTable label={t(key)} months={months} read={read} hasRefused={key === 'signIns'} />
          </details>
        </Panel>
      ))}
      <Panel heading={t('ofMonth', { month: name })} intro={present.is_settled ? t('final') : t('notFinal')}>
        <Comparison
          label={t('methods')}
          heading={t('method')}
          rows={ways.map((way) => ({ key: way, label: t(way), now: present[way], before: before[way] }))}
        />
        <Comparison
          label={t('newAccounts')}
          heading={t('newAccounts')}
          rows={origins.map(({ key, read }) => ({
            key,
            label: t(key),
            now: read(present),
            before: read(before),
          }))}
        />
        {apps.length > 0 && (
          <Comparison
            label={t('apps')}
            heading={t('app')}
            rows={apps.map(({ app_id: id, name, sign_ins: counts }) => ({
              key: String(id),
              label: nameObject(id, name, 'apps', []),
              now: counts[chosen + 1] ?? 0,
              before: counts[chosen] ?? 0,
            }))}
          />
        )}
        {connections.length > 0 && (
          <Comparison
            label={t('connections')}
            heading={t('connection')}
            rows={connections.map(({ connection_id: id, name, kind, sign_ins: counts }) => ({
              key: String(id),
              label: nameObject(id, name, 'connections', kind ? [kind] : []),
              now: counts[chosen + 1] ?? 0,
              before: counts[chosen] ?? 0,
            }))}
          />
        )}
      </Panel>
    </div>
  )
}

const ways = [
  ...(['password', 'passkey', 'saml', 'oidc', 'email_code', 'invitation'] as const),
  ...(['second_factor', 'refused'] as const),
] as const

/** Who made the new accounts. Together, these are all of them. */
const origins = [
  { key: 'sign_ups', read: (month: ActivityMonth) => month.sign_ups },
  { key: 'company_accounts', read: (month: ActivityMonth) => month.company_accounts },
  { key: 'imported_accounts', read: (month: ActivityMonth) => month.imported_accounts },
  {
    key: 'created_accounts',
    read: (month: ActivityMonth) =>
      month.new_accounts - month.sign_ups - month.company_accounts - month.imported_accounts,
  },
] as const

/** A month with its number, and how it differs from the month before it. `at` counts the shown months. */
const describe = (months: readonly ActivityMonth[], at: number, read: Figure['read']): string => {
  const [before, month] = [months[at], months[at + 1]]
  if (!before || !month) return ''
  const facts = { month: longMonth.format(new Date(month.month)), count: formatNumber(read(month)) }
  const change = formatChange(read(month), read(before))
  return change === '' ? t('value', facts) : t('valueAndChange', { ...facts, change })
}

/** A percentage of fewer says more than there is to say. */
const fewest = 50

/** The change in percent, or in numbers if they are small. Nothing can be compared with no one. */
const formatChange = (now: number, before: number): string => {
  if (before === 0) return ''
  return before < fewest ? difference.format(now - before) : percent.format((now - before) / before)
}

const nameObject = (
  id: number | null,
  name: string | null,
  section: 'apps' | 'connections',
  path: readonly string[],
): ComponentChildren => {
  if (id === null) return t('others')
  if (name === null) return t('deleted', { id })
  return <a href={toAddress(section, [...path, id])}>{name}</a>
}

interface MonthTableProps {
  readonly label: string
  readonly months: readonly ActivityMonth[]
  readonly read: Figure['read']
  readonly hasRefused: boolean
}

const MonthTable = ({ label, months, read, hasRefused }: MonthTableProps) => (
  <table class="numbers">
    <caption class="for-screen-readers">{label}</caption>
    <thead>
      <tr>
        <th scope="col">{t('month')}</th>
        <th scope="col">{label}</th>
        {hasRefused && <th scope="col">{t('refused')}</th>}
        <th scope="col">{t('change')}</th>
      </tr>
    </thead>
    <tbody>
      {months
        .map((month, at) => ({ month, before: months[at - 1] }))
        .slice(1)
        .reverse()
        .map(({ month, before }) => (
          <tr key={month.month}>
            <th scope="row">{longMonth.format(new Date(month.month))}</th>
            <td>{formatNumber(read(month))}</td>
            {hasRefused && <td>{formatNumber(month.refused)}</td>}
            <td>{(before && formatChange(read(month), read(before))) || '–'}</td>
          </tr>
        ))}
    </tbody>
  </table>
)

interface ComparisonProps {
  readonly label: string
  readonly heading: string
  readonly rows: readonly {
    readonly key: string
    readonly label: ComponentChildren
    readonly now: number
    readonly before: number
  }[]
}

/** Numbers of the chosen month beside those of the month before it. */
const Comparison = ({ label, heading, rows }: ComparisonProps) => (
  <table class="numbers">
    <caption class="for-screen-readers">{label}</caption>
    <thead>
      <tr>
        <th scope="col">{heading}</th>
        <th scope="col">{t('month')}</th>
        <th scope="col">{t('before')}</th>
        <th scope="col">{t('change')}</th>
      </tr>
    </thead>
    <tbody>
      {rows.map((row) => (
        <tr key={row.key}>
          <th scope="row">{row.label}</th>
          <td>{formatNumber(row.now)}</td>
          <td>{formatNumber(row.before)}</td>
          <td>{formatChange(row.now, row.before) || '–'}</td>
        </tr>
      ))}
    </tbody>
  </table>
)

/** Saves all numbers: a row for each, a column for each month. Names of columns are those of the API. */
const exportMonths = ({ months, apps, connections }: Activity): void => {
  const measures = Object.keys(months[0] ?? {}).filter((name) => name !== 'month')
  const lines = [
    ['number', 'id', 'name', ...months.map(({ month }) => month)],
    ...measures.map((measure) => [
      measure,
      null,
      null,
      ...months.map((month) => {
        const value = month[measure as keyof ActivityMonth]
        return typeof value === 'boolean' ? String(value) : value
      }),
    ]),
    ...apps.map(({ app_id: id, name, sign_ins: counts }) => ['app_sign_ins', id, name, ...counts]),
    ...connections.map(({ connection_id: id, name, sign_ins: counts }) => [
      'connection_sign_ins',
      id,
      name,
      ...counts,
    ]),
  ]
  saveFile(`activity-${months.at(-1)?.month}.csv`, new Blob(lines.map(toCsvLine), { type: 'text/csv' }))
}
