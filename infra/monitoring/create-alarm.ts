import { Alarm, ComparisonOperator, type IMetric, TreatMissingData } from 'aws-cdk-lib/aws-cloudwatch'
import { SnsAction } from 'aws-cdk-lib/aws-cloudwatch-actions'
import type { IFunction } from 'aws-cdk-lib/aws-lambda'
import type { ITopic } from 'aws-cdk-lib/aws-sns'
import type { Construct } from 'constructs'
import { shortPeriod as period } from './metrics.ts'

export interface AlarmOptions {
  readonly id: string
  readonly metric: IMetric
  readonly threshold: number
  readonly alarmDescription: string
  readonly evaluationPeriods?: number
}

/** Creates an alarm that rests without data. It notifies the topic if there is one. */
export const createAlarm = (
  scope: Construct,
  topic: ITopic | undefined,
  { id, evaluationPeriods = 1, ...options }: AlarmOptions,
): void => {
  const created = new Alarm(scope, id, {
    ...options,
    evaluationPeriods,
    comparisonOperator: ComparisonOperator.GREATER_THAN_OR_EQUAL_TO_THRESHOLD,
    treatMissingData: TreatMissingData.NOT_BREACHING,
  })
  if (topic) created.addAlarmAction(new SnsAction(topic))
}

/** Creates the alarm for calls of a function beyond the concurrency limit. */
export const createThrottleAlarm = (
  scope: Construct,
  topic: ITopic | undefined,
  name: string,
  target: IFunction,
): void =>
  createAlarm(scope, topic, {
    id: `${name}Throttles`,
    metric: target.metricThrottles({ period }),
    threshold: 1,
    alarmDescription: `The function ${name} was throttled because the account’s concurrency limit is reached.`,
  })
