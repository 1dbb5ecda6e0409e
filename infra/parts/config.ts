import { Duration } from 'aws-cdk-lib'
import {
  Alias,
  CfnPermission,
  FunctionUrlAuthType,
  type Function as LambdaFunction,
} from 'aws-cdk-lib/aws-lambda'
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

interface ConfigProps extends Omit<FunctionProps, 'statements' | 'timeout'> {
  /** Other accounts, whose administrators decide who there may call the function. */
  readonly accounts?: readonly string[]
}

/**
 * Creates a function that plans and applies configuration files: `config` all of them, and `config-product` those with the clients and
 * APIs of one product. Its URL answers only requests that IAM allows, and belongs to an alias, so that an event of the URL cannot be
 * made up by those who may only invoke the function.
 */
export const createConfig = (
  scope: Construct,
  name: 'config' | 'config-product',
  { accounts = [], ...props }: ConfigProps,
): ConfigFunction => {
  const target = createFunction(scope, name, { ...props, timeout: Duration.minutes(4) })
  // CloudFormation stops to wait after five minutes. An event must not change anything later, out of order.
  target.configureAsyncInvoke({ maxEventAge: Duration.minutes(1), retryAttempts: 0 })
  const alias = new Alias(scope, aliasIds[name], { aliasName: urlAlias, version: target.latestVersion })
  const { url } = alias.addFunctionUrl({ authType: FunctionUrlAuthType.AWS_IAM })
  for (const account of new Set(accounts)) admitAccount(scope, account, { target, alias })
  if (!target.role) throw new Error('The function has no role.')
  return { target, url, roleArn: target.role.roleArn }
}

/** Lets an account allow its roles to call the function: directly for constructs, and by its URL for the command. */
const admitAccount = (
  scope: Construct,
  principal: string,
  { target, alias }: { readonly target: LambdaFunction; readonly alias: Alias },
): void => {
  const action = 'lambda:InvokeFunction'
  new CfnPermission(scope, `Invoke${principal}`, { action, principal, functionName: target.functionArn })
  new CfnPermission(scope, `InvokeByUrl${principal}`, {
    ...{ action, principal, functionName: alias.functionArn, invokedViaFunctionUrl: true },
  })
  new CfnPermission(scope, `InvokeUrl${principal}`, {
    ...{ action: 'lambda:InvokeFunctionUrl', principal, functionName: alias.functionArn },
    functionUrlAuthType: FunctionUrlAuthType.AWS_IAM,
  })
}

const aliasIds = { config: 'ConfigAlias', 'config-product': 'ProductConfigAlias' } as const
