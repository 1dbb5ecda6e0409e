import type { PricedOperation } from './price-operation.ts'
import { prices } from './prices.ts'

const formatRow = (cells: readonly (string | number)[]): string => `| ${cells.join(' | ')} |`

const formatTable = (headings: readonly string[], rows: readonly string[]): string =>
  [formatRow(headings), formatRow(headings.map(() => '---')), ...rows].join('\n')

/** Formats an operation as a row of the table of operations. */
export const formatOperation = (one: PricedOperation): string =>
  formatRow([
    `\`${one.id}\``,
    ...[one.calls, one.readUnits, one.writeUnits, one.kmsCalls, one.emails],
    ...[one.memoryMb, one.cpuMs.toFixed(1), one.billedMs],
    ...one.prices.map((price) => price.toFixed(2)),
  ])

/** Formats the table of all operations. */
export const formatOperations = (operations: readonly PricedOperation[]): string =>
  formatTable(
    [
      ...[
        'operation',
        'calls',
        'read units',
        'write units',
        'KMS calls',
        'emails',
        'MB',
        'CPU ms',
        'billed ms',
      ],
      ...prices.map(({ region }) => `$ per million, ${region}`),
    ],
    operations.map(formatOperation),
  )

export const products = [
  { name: 'small, 1,000 users', dailyUsers: 200 },
  { name: 'medium', dailyUsers: 50_000 },
  { name: 'large', dailyUsers: 1_000_000 },
]
/** The requests of a user on a day. */
const perDay = { login: 1, get_current_user: 100, create_auth_ticket: 10, check_auth_ticket: 10 }
const daysOfMonth = 30

/** Formats the table of what products of different sizes cost in a month. */
export const formatProducts = (operations: readonly PricedOperation[]): string => {
  const counts = new Map(Object.entries(perDay))
  const requests = Object.values(perDay).reduce((sum, count) => sum + count, 0)
  const dollarsIn = (region: number): number =>
    operations.reduce((sum, { id, prices }) => sum + (counts.get(id) ?? 0) * (prices[region] ?? 0), 0) / 1e6
  const rows = products.map(({ name, dailyUsers }) => {
    const days = dailyUsers * daysOfMonth
    const costs = prices.map((_, region) => Number((days * dollarsIn(region)).toPrecision(3)))
    return formatRow([
      name,
      ...[dailyUsers, days * requests, ...costs].map((one) => one.toLocaleString('en-US')),
    ])
  })
  const regions = prices.map(({ region }) => `${region}, $ a month`)
  return formatTable(['product', 'daily users', 'requests a month', ...regions], rows)
}
