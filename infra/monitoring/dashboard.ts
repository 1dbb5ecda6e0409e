import { Duration } from 'aws-cdk-lib'
import { Dashboard, GraphWidget, type IMetric, type IWidget } from 'aws-cdk-lib/aws-cloudwatch'
import type { Construct } from 'constructs'
import { type MetricName, metrics } from '../../lib/kernel/log/metrics.ts'
import { shortPeriod as period, sumOfOwnMetric, sumOverOperations, type Watched } from './metrics.ts'

const width = 12
const graph = (title: string, left: readonly IMetric[]): IWidget =>
  new GraphWidget({ title, left: [...left], width })

/** Creates a dashboard with the load, the response times and the failures of the service. */
export const createDashboard = (
  scope: Construct,
  { httpApi, functions, streamReaders, table, deadLetters }: Watched,
): Dashboard => {
  const ofFunctions = (name: string, statistic: string): readonly IMetric[] =>
    Object.entries(functions).map(([label, target]) => target.metric(name, { label, period, statistic }))
  const names = Object.keys(metrics) as readonly MetricName[]
  return new Dashboard(scope, 'Dashboard', {
    defaultInterval: Duration.days(1),
    widgets: [
      [
        graph('Requests', [
          httpApi.metricCount({ period, statistic: 'Sum' }),
          httpApi.metricClientError({ period, statistic: 'Sum' }),
          httpApi.metricServerError({ period, statistic: 'Sum' }),
        ]),
        graph(
          'Response time in milliseconds',
          ['p50', 'p90', 'p99'].map((statistic) => httpApi.metricLatency({ period, statistic })),
        ),
      ],
      [
        graph('Duration of each function (p99)', ofFunctions('Duration', 'p99')),
        graph('Concurrent executions of each function', ofFunctions('ConcurrentExecutions', 'Maximum')),
      ],
      [
        graph('Errors of each function', ofFunctions('Errors', 'Sum')),
        graph('Throttled calls of each function', ofFunctions('Throttles', 'Sum')),
      ],
      [
        graph('Consumed capacity of the table', [
          table.metricConsumedReadCapacityUnits({ period }),
          table.metricConsumedWriteCapacityUnits({ period }),
        ]),
        graph('Failures of the table', [
          sumOverOperations(table, 'ThrottledRequests', 'Throttled calls'),
          sumOverOperations(table, 'SystemErrors', 'System errors'),
        ]),
      ],
      [
        graph(
          'Delay of the stream in milliseconds',
          Object.entries(streamReaders).map(([label, reader]) =>
            reader.metric('IteratorAge', { label, period, statistic: 'Maximum' }),
          ),
        ),
        graph(
          'Messages in dead-letter queues',
          deadLetters.map(({ content: label, queue }) =>
            queue.metricApproximateNumberOfMessagesVisible({ label, period, statistic: 'Maximum' }),
          ),
        ),
      ],
      [
        graph(
          'Events of the service',
          names.map((name) => sumOfOwnMetric(table, name)),
        ),
      ],
    ],
  })
}
