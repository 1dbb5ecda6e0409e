import { Duration } from 'aws-cdk-lib'
import { Rule, Schedule } from 'aws-cdk-lib/aws-events'
import { LambdaFunction as FunctionTarget } from 'aws-cdk-lib/aws-events-targets'
import type { Function as LambdaFunction } from 'aws-cdk-lib/aws-lambda'
import type { Construct } from 'constructs'
import { createFunction, type FunctionProps } from './functions.ts'

/**
 * The function that reads the metadata of SAML providers again and warns of certificates that end, once a day. Tried
 * again it would find the same hosts silent, so the next day's turn is soon enough.
 */
export const createSamlRefresh = (
  scope: Construct,
  props: Omit<FunctionProps, 'statements' | 'timeout'>,
): LambdaFunction => {
  // Each provider may take seconds, if its host is slow.
  const target = createFunction(scope, 'saml-refresh', { ...props, timeout: Duration.minutes(10) })
  new Rule(scope, 'SamlRefresh', {
    description: 'Latchkey: looks after SAML providers',
    schedule: Schedule.cron({ hour: '3', minute: '17' }),
    targets: [new FunctionTarget(target, { retryAttempts: 0 })],
  })
  return target
}
