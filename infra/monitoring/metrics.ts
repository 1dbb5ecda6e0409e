import { Duration } from 'aws-cdk-lib'
import type { HttpApi } from 'aws-cdk-lib/aws-apigatewayv2'
import type { ICertificate } from 'aws-cdk-lib/aws-certificatemanager'
import { type IMetric, MathExpression, Metric, type MetricOptions } from 'aws-cdk-lib/aws-cloudwatch'
import { type ITable, Operation } from 'aws-cdk-lib/aws-dynamodb'
import type { IFunction } from 'aws-cdk-lib/aws-lambda'
import type { Queue } from 'aws-cdk-lib/aws-sqs'
import { type MetricName, metricDimension, metricNamespace } from '../../lib/kernel/log/metrics.ts'

type WatchedTable = Pick<
  ITable,
  'tableName' | 'metricConsumedReadCapacityUnits' | 'metricConsumedWriteCapacityUnits'
>

/** A queue that should be empty. */
interface DeadLetters {
  readonly queue: Queue
  /** What its messages stand for. */
  readonly content: string
  /** The section of docs/operate.md that says what to do. */
  readonly runbook: string
}

/** What the alarms and the dashboard watch. */
export interface Watched {
  readonly httpApi: HttpApi
  readonly functions: Readonly<Record<string, IFunction>>
  /** The functions that no request waits for. Those behind the API are watched by the 5xx status of their responses. */
  readonly backgroundFunctions: Readonly<Record<string, IFunction>>
  /** The functions that read the table's stream. */
  readonly streamReaders: Readonly<Record<string, IFunction>>
  readonly table: WatchedTable
  /** Runs every minute. */
  readonly auditChain: IFunction
  /** Whether passwords are checked at an old system. */
  readonly asksLegacySystem: boolean
  /** Whether functions of products are asked. */
  readonly callsHooks: boolean
  /** The certificate of the domain, if there is one. */
  readonly certificate: ICertificate | undefined
  readonly deadLetters: readonly DeadLetters[]
}

export const shortPeriod = Duration.minutes(5)

/** The operations of the functions on the table, as DynamoDB names them in its metrics. */
export const tableOperations = [
  Operation.BATCH_GET_ITEM,
  Operation.DELETE_ITEM,
  Operation.GET_ITEM,
  Operation.PUT_ITEM,
  Operation.QUERY,
  Operation.TRANSACT_WRITE_ITEMS,
  Operation.UPDATE_ITEM,
]

/**
 * The sum of one metric over all operations of the table. DynamoDB reports a metric only for operations where it
 * occurred. Without `FILL`, one operation without data would make the whole sum empty, so that no alarm could fire.
 */
export const sumOverOperations = (table: WatchedTable, metricName: string, label: string): IMetric => {
  const metrics = tableOperations.map((operation): readonly [string, IMetric] => [
    // Unique within a graph, which can show several sums.
    `${metricName}_${operation}`.toLowerCase(),
    new Metric({
      namespace: 'AWS/DynamoDB',
      metricName,
      dimensionsMap: { TableName: table.tableName, Operation: operation },
      statistic: 'Sum',
      period: shortPeriod,
    }),
  ])
  return addUp(metrics, label)
}

/** The sum of one metric over functions. A function without calls reports nothing. */
export const sumOverFunctions = (targets: readonly IFunction[], name: 'Errors' | 'Throttles'): IMetric =>
  addUp(
    targets.map((target, at) => [
      `${name.toLowerCase()}_${at}`,
      target.metric(name, { period: shortPeriod, statistic: 'Sum' }),
    ]),
    name,
  )

const addUp = (metrics: readonly (readonly [string, IMetric])[], label: string): IMetric =>
  new MathExpression({
    expression: metrics.map(([id]) => `FILL(${id}, 0)`).join(' + '),
    usingMetrics: Object.fromEntries(metrics),
    label,
    period: shortPeriod,
  })

/** The sum of a metric that the functions' logs contain, per hour by default. */
export const sumOfOwnMetric = (
  table: WatchedTable,
  metricName: MetricName,
  period = Duration.hours(1),
  options: MetricOptions = {},
): Metric =>
  new Metric({
    namespace: metricNamespace,
    metricName,
    dimensionsMap: { [metricDimension]: table.tableName },
    statistic: 'Sum',
    period,
    ...options,
  })
