import { isDeepStrictEqual } from 'node:util'
import type { JsonValue } from '../support/client.ts'

/** A metric as CloudWatch identifies it. */
export interface MetricId {
  readonly namespace: string
  readonly name: string
  readonly dimensions: readonly JsonValue[]
}

/** Returns the value of a metric in each period of an alarm. Undefined means that CloudWatch has no data. */
export type MetricData = (metric: MetricId) => number | undefined

const metricIdOf = ({ Namespace, MetricName, Dimensions = [] }: JsonValue): MetricId => ({
  namespace: Namespace,
  name: MetricName,
  dimensions: Dimensions,
})

const queriesOf = (alarm: JsonValue): readonly JsonValue[] => alarm.Metrics ?? []

/** The metrics that an alarm reads, directly or in its expression. */
export const metricsOfAlarm = (alarm: JsonValue): readonly MetricId[] =>
  alarm.MetricName
    ? [metricIdOf(alarm)]
    : queriesOf(alarm).flatMap(({ MetricStat }) => (MetricStat ? [metricIdOf(MetricStat.Metric)] : []))

export const isSameMetric = (a: MetricId, b: MetricId): boolean => isDeepStrictEqual(a, b)

/**
 * Evaluates an expression like CloudWatch: sums of metrics and of `FILL(metric, number)`. A sum has data only if each
 * part has.
 *
 * @throws Error for any other expression
 */
const evaluateSum = (expression: string, values: ReadonlyMap<string, number | undefined>) =>
  expression.split(' + ').reduce<number | undefined>((sum, part) => {
    const [, filled, fill, plain] = /^(?:FILL\((\w+), (\d+)\)|(\w+))$/.exec(part) ?? []
    const id = filled ?? plain ?? ''
    if (!values.has(id)) throw new Error(`the expression ${expression} is not known here`)
    const value = values.get(id) ?? (filled ? Number(fill) : undefined)
    return sum === undefined || value === undefined ? undefined : sum + value
  }, 0)

const getValue = (alarm: JsonValue, data: MetricData): number | undefined => {
  if (alarm.MetricName) return data(metricIdOf(alarm))
  const queries = queriesOf(alarm)
  const values = new Map(
    queries.flatMap(({ Id, MetricStat }) =>
      MetricStat ? [[Id as string, data(metricIdOf(MetricStat.Metric))]] : [],
    ),
  )
  const [result] = queries.filter(({ Expression, ReturnData }) => Expression && ReturnData !== false)
  return evaluateSum(result?.Expression ?? '', values)
}

const comparisons = new Map<string, (value: number, threshold: number) => boolean>([
  ['GreaterThanOrEqualToThreshold', (value, threshold) => value >= threshold],
  ['LessThanThreshold', (value, threshold) => value < threshold],
  ['LessThanOrEqualToThreshold', (value, threshold) => value <= threshold],
])

/** Whether an alarm is in the state ALARM if its metrics have this data in each period. */
export const isAlarming = (alarm: JsonValue, data: MetricData): boolean => {
  const value = getValue(alarm, data)
  const compare = comparisons.get(alarm.ComparisonOperator)
  if (!compare) throw new Error(`the operator ${alarm.ComparisonOperator} is not known here`)
  return value === undefined ? alarm.TreatMissingData === 'breaching' : compare(value, alarm.Threshold)
}
