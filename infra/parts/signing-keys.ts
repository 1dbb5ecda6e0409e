import { CustomResource, Duration } from 'aws-cdk-lib'
import { Rule, Schedule } from 'aws-cdk-lib/aws-events'
import { LambdaFunction as FunctionTarget } from 'aws-cdk-lib/aws-events-targets'
import { EventInvokeConfig, type Function as LambdaFunction } from 'aws-cdk-lib/aws-lambda'
import type { Construct } from 'constructs'
import { createFunction, type FunctionProps } from './functions.ts'

/**
 * Creates the function that rotates the keys of JWTs once a day. The deployment runs it as well, so that a new service can
 * sign at once. There are no retries: the next key is published a month before it signs.
 */
export const createSigningKeys = (
  scope: Construct,
  props: Omit<FunctionProps, 'statements' | 'timeout'>,
): LambdaFunction => {
  // Generating RSA keys can take seconds with the processor share of the function.
  const target = createFunction(scope, 'signing-keys', { ...props, timeout: Duration.minutes(1) })
  new EventInvokeConfig(scope, 'SigningKeysInvocation', { function: target, retryAttempts: 0 })
  new Rule(scope, 'SigningKeys', {
    description: 'Latchkey: rotates the keys that sign JWTs',
    schedule: Schedule.cron({ hour: '2', minute: '43' }),
    targets: [new FunctionTarget(target, { retryAttempts: 0 })],
  })
  new CustomResource(scope, 'FirstSigningKey', {
    resourceType: 'Custom::LatchkeySigningKey',
    serviceToken: target.functionArn,
    // By default, CloudFormation waits an hour for a missing response.
    serviceTimeout: Duration.minutes(5),
  })
  return target
}
