import type { IFunction } from 'aws-cdk-lib/aws-lambda'
import type { ITopic } from 'aws-cdk-lib/aws-sns'
import type { Construct } from 'constructs'
import { createAlarm, createThrottleAlarm } from './create-alarm.ts'
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
  createThrottleAlarm(scope, topic, 'authorizer', target)
  createAlarm(scope, topic, {
    id: 'authorizerTimeouts',
    metric: target.metricDuration({ period, statistic: 'Maximum' }),
    threshold: slowMs,
    alarmDescription: 'The function authorizer timed out, so APIs of products refused requests. See its log.',
  })
}
