import { Aws, Duration } from 'aws-cdk-lib'
import { EventBus, Rule, Schedule } from 'aws-cdk-lib/aws-events'
import { LambdaFunction as FunctionTarget } from 'aws-cdk-lib/aws-events-targets'
import { EventInvokeConfig, type Function as LambdaFunction } from 'aws-cdk-lib/aws-lambda'
import type { Construct } from 'constructs'
import { jobEvent } from '../../lib/contract/job-event.ts'
import { createFunction, type FunctionProps } from './functions.ts'

export interface BackchannelLogout {
  readonly target: LambdaFunction
  /** Takes the keys of new jobs. */
  readonly jobBus: EventBus
}

/**
 * Creates the function that informs OpenID Connect clients of ended sessions, and the bus that starts it for new jobs. It
 * also runs every minute: for jobs that failed, and for those that the bus lost. So there are no retries.
 */
export const createBackchannelLogout = (
  scope: Construct,
  props: Omit<FunctionProps, 'statements' | 'timeout'>,
): BackchannelLogout => {
  const target = createFunction(scope, 'backchannel-logout', { ...props, timeout: Duration.minutes(1) })
  new EventInvokeConfig(scope, 'BackchannelLogoutInvocation', { function: target, retryAttempts: 0 })
  const jobBus = new EventBus(scope, 'JobBus', {
    eventBusName: `${Aws.STACK_NAME}-jobs-${scope.node.addr.slice(-8)}`,
    description: 'Latchkey: jobs of the service itself',
  })
  new Rule(scope, 'NewLogoutJobs', {
    description: 'Latchkey: informs OpenID Connect clients of ended sessions at once',
    eventBus: jobBus,
    eventPattern: { source: [jobEvent.source], detailType: [jobEvent.logoutJobs] },
    targets: [new FunctionTarget(target, { retryAttempts: 0 })],
  })
  new Rule(scope, 'BackchannelLogout', {
    description: 'Latchkey: informs OpenID Connect clients of ended sessions',
    schedule: Schedule.rate(Duration.minutes(1)),
    targets: [new FunctionTarget(target, { retryAttempts: 0 })],
  })
  return { target, jobBus }
}
