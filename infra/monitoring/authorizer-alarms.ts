import type { IFunction } from 'aws-cdk-lib/aws-lambda'
import type { ITopic } from 'aws-cdk-lib/aws-sns'
import type { Construct } from 'constructs'
import { createAlarm } from './create-alarm.ts'
import { shortPeriod as period } from './metrics.ts'

/** Shortly before the function times out. */
const slowMs = 9_500

/**
 * Creates the alarms of an authorizer. Its errors do not count: REST APIs answer with 401 only if the function fails. What
 * really failed is the metric `AuthorizerFailed`.
 */
export const createAuthorizerAlarms = (
  scope: Construct,
  target: IFunction,
  topic: ITopic | undefined,
): void => {
  createAlarm(scope, topic, {
    id: 'authorizerThrottles',
    metric: target.metricThrottles({ period }),
    threshold: 1,
    what: 'The function authorizer was throttled because the concurrency limit is reached.',
    runbook: 'throttled-functions',
  })
  createAlarm(scope, topic, {
    id: 'authorizerTimeouts',
    metric: target.metricDuration({ period, statistic: 'Maximum' }),
    threshold: slowMs,
    what: 'The function authorizer timed out, so APIs of products refused requests.',
    runbook: 'authorizers-that-fail',
  })
}
