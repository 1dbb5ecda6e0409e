import { type CfnResource, Duration } from 'aws-cdk-lib'
import {
  Alias,
  CfnPermission,
  FunctionUrlAuthType,
  type Function as LambdaFunction,
} from 'aws-cdk-lib/aws-lambda'
import type { Construct } from 'constructs'
import { invokedAlias, urlAlias } from '../../lib/features/configuration/door.models.ts'
import { type Choice, chooseByUrls } from './function-urls.ts'
import { createFunction, type FunctionProps } from './functions.ts'

export interface ConfigFunction {
  readonly target: LambdaFunction
  /** Where `latchkey config` sends its requests: the URL, or the ARN of an alias in regions without URLs. */
  readonly url: string
  /** The outputs for the option `--function`, of which each region has one. */
  readonly addresses: readonly (Choice & { readonly kind: 'Url' | 'AliasArn'; readonly value: string })[]
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
 * made up by those who may only invoke the function. In regions without function URLs, another alias is invoked, and nothing proves who
 * did it.
 */
export const createConfig = (
  scope: Construct,
  name: 'config' | 'config-product',
  { accounts = [], ...props }: ConfigProps,
): ConfigFunction => {
  const target = createFunction(scope, name, { ...props, timeout: Duration.minutes(4) })
  // CloudFormation stops to wait after five minutes. An event must not change anything later, out of order.
  target.configureAsyncInvoke({ maxEventAge: Duration.minutes(1), retryAttempts: 0 })
  const admitted = [...new Set(accounts)]
  for (const principal of admitted)
    new CfnPermission(scope, `Invoke${principal}`, { action, principal, functionName: target.functionArn })
  const { withUrls, withoutUrls, choose } = chooseByUrls(scope)
  const url = withUrls && addUrl(scope, name, target, admitted, withUrls.limit)
  const aliasArn = withoutUrls && addInvokedAlias(scope, name, target, admitted, withoutUrls.limit)
  if (!target.role) throw new Error('The function has no role.')
  return {
    target,
    url: choose(url, aliasArn),
    addresses: [
      ...(withUrls && url ? [{ ...withUrls, kind: 'Url' as const, value: url }] : []),
      ...(withoutUrls && aliasArn ? [{ ...withoutUrls, kind: 'AliasArn' as const, value: aliasArn }] : []),
    ],
    roleArn: target.role.roleArn,
  }
}

const action = 'lambda:InvokeFunction'

type Limit = Choice['limit']

/** Adds the URL, and lets other accounts allow their roles to call it. */
const addUrl = (
  scope: Construct,
  name: keyof typeof aliasIds,
  target: LambdaFunction,
  accounts: readonly string[],
  limit: Limit,
): string => {
  const alias = new Alias(scope, aliasIds[name], { aliasName: urlAlias, version: target.latestVersion })
  const functionUrl = alias.addFunctionUrl({ authType: FunctionUrlAuthType.AWS_IAM })
  const functionName = alias.functionArn
  const permissions = accounts.flatMap((principal) => [
    new CfnPermission(scope, `InvokeByUrl${principal}`, {
      ...{ action, principal, functionName, invokedViaFunctionUrl: true },
    }),
    new CfnPermission(scope, `InvokeUrl${principal}`, {
      ...{ action: 'lambda:InvokeFunctionUrl', principal, functionName },
      functionUrlAuthType: FunctionUrlAuthType.AWS_IAM,
    }),
  ])
  for (const part of [alias.node.defaultChild, functionUrl.node.defaultChild, ...permissions])
    limit(part as CfnResource)
  return functionUrl.url
}

/** Adds the alias that is invoked with files where there are no URLs, and lets other accounts allow their roles to do it. */
const addInvokedAlias = (
  scope: Construct,
  name: keyof typeof aliasIds,
  target: LambdaFunction,
  accounts: readonly string[],
  limit: Limit,
): string => {
  const id = `${aliasIds[name]}Invoked`
  const alias = new Alias(scope, id, { aliasName: invokedAlias, version: target.latestVersion })
  const functionName = alias.functionArn
  const permissions = accounts.map(
    (principal) => new CfnPermission(scope, `InvokeAlias${principal}`, { action, principal, functionName }),
  )
  for (const part of [alias.node.defaultChild, ...permissions]) limit(part as CfnResource)
  return functionName
}

const aliasIds = { config: 'ConfigAlias', 'config-product': 'ProductConfigAlias' } as const
