import { Duration } from 'aws-cdk-lib'
import { Rule, Schedule } from 'aws-cdk-lib/aws-events'
import { LambdaFunction as FunctionTarget } from 'aws-cdk-lib/aws-events-targets'
import { EventInvokeConfig, type Function as LambdaFunction } from 'aws-cdk-lib/aws-lambda'
import type { Construct } from 'constructs'
import { createFunction, type FunctionProps } from './functions.ts'

/**
 * Creates the function that refreshes the metadata of SAML providers and warns of expiring certificates once a day.
 * There are no retries: a host that does not respond now is tried again the next day.
 */
export const createSamlRefresh = (
  scope: Construct,
  props: Omit<FunctionProps, 'statements' | 'timeout'>,
): LambdaFunction => {
  // A slow host can take seconds for each provider.
  const target = createFunction(scope, 'saml-refresh', { ...props, timeout: Duration.minutes(10) })
  // Lambda itself would repeat a failed scheduled call twice.
  new EventInvokeConfig(scope, 'SamlRefreshInvocation', { function: target, retryAttempts: 0 })
  new Rule(scope, 'SamlRefresh', {
    description: 'Latchkey: refreshes SAML providers',
    schedule: Schedule.cron({ hour: '3', minute: '17' }),
    targets: [new FunctionTarget(target, { retryAttempts: 0 })],
  })
  return target
}
