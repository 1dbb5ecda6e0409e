import { Duration } from 'aws-cdk-lib'
import { Schedule } from 'aws-cdk-lib/aws-events'
import type { Function as LambdaFunction } from 'aws-cdk-lib/aws-lambda'
import type { Construct } from 'constructs'
import { createFunction, type FunctionProps } from './functions.ts'
import { runByRules } from './scheduled-run.ts'

interface DailyJob {
  readonly name: 'connection-refresh' | 'account-deletion'
  /** The ID of the schedule. */
  readonly id: string
  readonly description: string
  readonly every: 'hour' | 'day'
  /** In UTC. */
  readonly time: { readonly hour?: string; readonly minute: string }
}

/** Creates a function that a schedule runs. What fails now is tried again the next day. */
const createDailyJob = (
  scope: Construct,
  { name, id, description, every, time }: DailyJob,
  props: Omit<FunctionProps, 'statements' | 'timeout'>,
): LambdaFunction => {
  const target = createFunction(scope, name, { ...props, timeout: Duration.minutes(10) })
  runByRules(scope, id, { target, every, rules: [{ id, description, schedule: Schedule.cron(time) }] })
  return target
}

/**
 * The jobs of each day. A slow host of SAML metadata can take seconds for each provider, so the refresh of many providers takes
 * several runs.
 */
export const createDailyJobs = (
  scope: Construct,
  props: Omit<FunctionProps, 'statements' | 'timeout'>,
): Readonly<Record<DailyJob['name'], LambdaFunction>> => ({
  'connection-refresh': createDailyJob(
    scope,
    {
      name: 'connection-refresh',
      id: 'ConnectionRefresh',
      description: 'Latchkey: refreshes company connections',
      every: 'hour',
      time: { minute: '17' },
    },
    props,
  ),
  'account-deletion': createDailyJob(
    scope,
    {
      name: 'account-deletion',
      id: 'AccountDeletion',
      description: 'Latchkey: deletes accounts and organizations as asked',
      every: 'hour',
      time: { minute: '29' },
    },
    props,
  ),
})
