import { Alarm, ComparisonOperator, type IMetric, TreatMissingData } from 'aws-cdk-lib/aws-cloudwatch'
import { SnsAction } from 'aws-cdk-lib/aws-cloudwatch-actions'
import type { ITopic } from 'aws-cdk-lib/aws-sns'
import type { Construct } from 'constructs'

export interface AlarmOptions {
  readonly id: string
  readonly metric: IMetric
  readonly threshold: number
  /** By default, the alarm fires at the threshold and above. */
  readonly fires?: 'below' | 'at most'
  /** What happened, as a sentence. */
  readonly what: string
  /** The section of docs/operate.md that says what to do. */
  readonly runbook: string
  readonly evaluationPeriods?: number
  readonly missing?: TreatMissingData
}

const operators = {
  below: ComparisonOperator.LESS_THAN_THRESHOLD,
  'at most': ComparisonOperator.LESS_THAN_OR_EQUAL_TO_THRESHOLD,
} as const

/** Creates an alarm that rests without data, unless `missing` says otherwise. It notifies the topic if there is one. */
export const createAlarm = (
  scope: Construct,
  topic: ITopic | undefined,
  {
    id,
    what,
    runbook,
    evaluationPeriods = 1,
    fires,
    missing = TreatMissingData.NOT_BREACHING,
    ...options
  }: AlarmOptions,
): void => {
  const created = new Alarm(scope, id, {
    ...options,
    alarmDescription: `${what} Runbook: docs/operate.md#${runbook}`,
    evaluationPeriods,
    comparisonOperator: fires ? operators[fires] : ComparisonOperator.GREATER_THAN_OR_EQUAL_TO_THRESHOLD,
    treatMissingData: missing,
  })
  if (topic) created.addAlarmAction(new SnsAction(topic))
}
