import { Aws, Duration } from 'aws-cdk-lib'
import { EventBus, Rule, Schedule } from 'aws-cdk-lib/aws-events'
import { LambdaFunction as FunctionTarget } from 'aws-cdk-lib/aws-events-targets'
import { EventInvokeConfig, type Function as LambdaFunction } from 'aws-cdk-lib/aws-lambda'
import type { Construct } from 'constructs'
import { jobEvent } from '../../lib/contract/job-event.ts'
import { createFunction, type FunctionProps } from './functions.ts'

/** Creates the bus on which functions start jobs of the service itself. */
export const createJobBus = (scope: Construct): EventBus =>
  new EventBus(scope, 'JobBus', {
    eventBusName: `${Aws.STACK_NAME}-jobs-${scope.node.addr.slice(-8)}`,
    description: 'Latchkey: jobs of the service itself',
  })

/**
 * Creates the function that informs OpenID Connect clients of ended sessions. The bus starts it for new jobs. It also runs
 * every minute: for jobs that failed, and for those that the bus lost. So there are no retries.
 */
export const createBackchannelLogout = (
  scope: Construct,
  { jobBus, ...props }: Omit<FunctionProps, 'statements' | 'timeout'> & { readonly jobBus: EventBus },
): LambdaFunction => {
  const target = createFunction(scope, 'backchannel-logout', { ...props, timeout: Duration.minutes(1) })
  new EventInvokeConfig(scope, 'BackchannelLogoutInvocation', { function: target, retryAttempts: 0 })
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
  return target
}
