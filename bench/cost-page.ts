import { readFileSync, writeFileSync } from 'node:fs'
import { formatOperation, formatProducts } from './cost-tables.ts'
import { measureEveryOperation } from './measure-every-operation.ts'
import { priceOperation } from './price-operation.ts'
import { prices } from './prices.ts'

const path = 'docs/cost.md'

/** Its events are spread over partitions at random. A partition with more than 4 KB takes a further unit. */
const hasRandomUnits = 'get_audit_events'

export const readCostPage = () => {
  const text = readFileSync(path, 'utf8')
  const lines = text.split('\n')
  return { text, lines, rows: lines.filter((line) => /^\| `\w+` \|/.test(line)) }
}

export const readOperationId = (row: string): string => /`(\w+)`/.exec(row)?.[1] ?? ''

/** The figures of an operation on the page that another run can change. */
const readChanging = (rows: readonly string[], id: string): { cpuMs?: number; readUnits?: number } => {
  const cells = rows.find((row) => readOperationId(row) === id)?.split(' | ')
  if (!cells) return {}
  const cpuMs = Number(cells[7])
  return id === hasRandomUnits ? { cpuMs, readUnits: Number(cells[2]) } : { cpuMs }
}

/** Measures the operations. CPU times depend on the machine, so those of the page stay. */
export const measureForPage = async (endpoint: string, rounds = 1) => {
  const { rows } = readCostPage()
  const measured = await measureEveryOperation(endpoint, rounds)
  return measured.map((one) => priceOperation({ ...one, ...readChanging(rows, one.id) }, prices))
}

/** Writes the calls, units and prices of all operations to the page. */
export const writeCostPage = async (endpoint: string): Promise<void> => {
  const { text } = readCostPage()
  // New operations need CPU times.
  const priced = await measureForPage(endpoint, 4)
  const table = /(?:^\| `\w+` \|.*\n)+/m
  const products = formatProducts(priced).split('\n').slice(2)
  const replaceProduct = (page: string, row: string): string => {
    const name = row.split(' | ')[0] ?? ''
    return page
      .split('\n')
      .map((line) =>
        line.startsWith(`${name} |`) && line.split('|').length === row.split('|').length ? row : line,
      )
      .join('\n')
  }
  writeFileSync(
    path,
    products.reduce(replaceProduct, text.replace(table, `${priced.map(formatOperation).join('\n')}\n`)),
  )
}
