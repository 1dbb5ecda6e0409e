import { Duration } from 'aws-cdk-lib'
import { Alias, FunctionUrlAuthType, type Function as LambdaFunction } from 'aws-cdk-lib/aws-lambda'
import type { Construct } from 'constructs'
import { urlAlias } from '../../lib/features/configuration/door.models.ts'
import { createFunction, type FunctionProps } from './functions.ts'

export interface ConfigFunction {
  readonly target: LambdaFunction
  /** Where `latchkey config` sends its requests. */
  readonly url: string
  /** What the resource policies of secrets admit. */
  readonly roleArn: string
}

/**
 * Creates a function that plans and applies configuration files: `config` all of them, and `config-product` those with the clients and
 * APIs of one product. Its URL answers only requests that IAM allows, and belongs to an alias, so that an event of the URL cannot be
 * made up by those who may only invoke the function.
 */
export const createConfig = (
  scope: Construct,
  name: 'config' | 'config-product',
  props: Omit<FunctionProps, 'statements' | 'timeout'>,
): ConfigFunction => {
  const target = createFunction(scope, name, { ...props, timeout: Duration.minutes(4) })
  // CloudFormation stops to wait after five minutes. An event must not change anything later, out of order.
  target.configureAsyncInvoke({ maxEventAge: Duration.minutes(1), retryAttempts: 0 })
  const alias = new Alias(scope, aliasIds[name], { aliasName: urlAlias, version: target.latestVersion })
  const { url } = alias.addFunctionUrl({ authType: FunctionUrlAuthType.AWS_IAM })
  if (!target.role) throw new Error('The function has no role.')
  return { target, url, roleArn: target.role.roleArn }
}

const aliasIds = { config: 'ConfigAlias', 'config-product': 'ProductConfigAlias' } as const
