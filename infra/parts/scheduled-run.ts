import { Duration } from 'aws-cdk-lib'
import { Rule, type RuleProps } from 'aws-cdk-lib/aws-events'
import { LambdaFunction as FunctionTarget } from 'aws-cdk-lib/aws-events-targets'
import { EventInvokeConfig, type Function as LambdaFunction } from 'aws-cdk-lib/aws-lambda'
import type { Construct } from 'constructs'

interface ScheduledRun {
  readonly target: LambdaFunction
  /** How often a schedule starts the function. */
  readonly every: 'minute' | 'hour' | 'day'
  readonly rules: readonly (Omit<RuleProps, 'targets'> & { readonly id: string })[]
}

/**
 * How long a run may wait while the account has no free execution. Without a limit, the runs of six hours would wait, and then start
 * together. A daily run may wait longer, because its next one comes a day later.
 */
const longestWait = {
  minute: Duration.minutes(1),
  hour: Duration.minutes(10),
  day: Duration.hours(1),
} as const

/**
 * Lets a schedule start a function, and events on a bus if there are such rules. There are no retries, because the next run of the
 * schedule continues what failed. Lambda itself would repeat a failed run twice.
 */
export const runByRules = (scope: Construct, id: string, { target, every, rules }: ScheduledRun): void => {
  new EventInvokeConfig(scope, `${id}Invocation`, {
    function: target,
    retryAttempts: 0,
    maxEventAge: longestWait[every],
  })
  for (const { id: ruleId, ...rule } of rules)
    new Rule(scope, ruleId, { ...rule, targets: [new FunctionTarget(target, { retryAttempts: 0 })] })
}
