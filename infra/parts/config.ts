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

/** A function that plans and applies configuration, and answers events of CloudFormation. */
export interface ConfigFunction {
  readonly target: LambdaFunction
  /** What the resource policies of secrets admit. */
  readonly roleArn: string
}

/** The function of administrators, which files reach by an address of its own. */
export interface ServiceConfig extends ConfigFunction {
  /** Where `latchkey config` sends its requests: the URL, or the ARN of an alias in regions without URLs. */
  readonly url: string
  /** The outputs for the option `--function`, of which each region has one. */
  readonly addresses: readonly (Choice & { readonly kind: 'Url' | 'AliasArn'; readonly value: string })[]
  /** What those who configure the service may do. */
  readonly actions: readonly ConfigureAction[]
}

export interface ConfigureAction {
  readonly action: 'lambda:InvokeFunction' | 'lambda:InvokeFunctionUrl'
  readonly resource: string
}

export type ConfigFunctionProps = Omit<FunctionProps, 'statements' | 'timeout'>

/** Creates the function that configures everything, or that of products, which takes events only through their aliases. */
export const createConfigFunction = (
  scope: Construct,
  name: 'config' | 'config-product',
  props: ConfigFunctionProps,
): ConfigFunction => {
  const target = createFunction(scope, name, { ...props, timeout: Duration.minutes(4) })
  // CloudFormation stops to wait after five minutes. An event must not change anything later, out of order.
  target.configureAsyncInvoke({ maxEventAge: Duration.minutes(1), retryAttempts: 0 })
  if (!target.role) throw new Error('The function has no role.')
  return { target, roleArn: target.role.roleArn }
}

/**
 * Creates the function that plans and applies the files of administrators. Its URL answers only requests that IAM allows, and belongs to an
 * alias, so that an event of the URL cannot be made up by those who may only invoke the function. In regions without function URLs, another
 * alias is invoked, and nothing proves who did it.
 */
export const createConfig = (scope: Construct, props: ConfigFunctionProps): ServiceConfig => {
  const config = createConfigFunction(scope, 'config', props)
  const { target } = config
  const { withUrls, withoutUrls, choose } = chooseByUrls(scope)
  const url = withUrls && addUrl(scope, 'ConfigAlias', { target, aliasName: urlAlias, ...withUrls })
  const invoked =
    withoutUrls &&
    addAlias(scope, 'ConfigAliasInvoked', { target, aliasName: invokedAlias, limit: withoutUrls.limit })
  const aliasArn = `${target.functionArn}:${urlAlias}`
  return {
    ...config,
    url: choose(url, invoked),
    addresses: [
      ...(withUrls && url ? [{ ...withUrls, kind: 'Url' as const, value: url }] : []),
      ...(withoutUrls && invoked ? [{ ...withoutUrls, kind: 'AliasArn' as const, value: invoked }] : []),
    ],
    actions: [
      { action: invoke, resource: target.functionArn },
      ...(withUrls ? allowUrl(aliasArn) : []),
      ...(withoutUrls
        ? [{ action: invoke, resource: `${target.functionArn}:${invokedAlias}` } as const]
        : []),
    ],
  }
}

const invoke = 'lambda:InvokeFunction'
const invokeUrl = 'lambda:InvokeFunctionUrl'

/** A request to a URL needs both. */
export const allowUrl = (resource: string): readonly ConfigureAction[] => [
  { action: invoke, resource },
  { action: invokeUrl, resource },
]

interface UrlOptions extends Choice {
  readonly target: LambdaFunction
  readonly aliasName: string
  /** Other accounts, whose administrators decide who there may call it. */
  readonly accounts?: readonly string[]
}

/** Adds an alias that only its URL has, and lets other accounts allow their roles to call it. */
export const addUrl = (
  scope: Construct,
  id: string,
  { target, aliasName, accounts = [], limit }: UrlOptions,
): string => {
  const alias = new Alias(scope, id, { aliasName, version: target.latestVersion })
  const functionUrl = alias.addFunctionUrl({ authType: FunctionUrlAuthType.AWS_IAM })
  const functionName = alias.functionArn
  const permissions = accounts.flatMap((principal) => [
    new CfnPermission(scope, `InvokeByUrl${principal}`, {
      ...{ action: invoke, principal, functionName, invokedViaFunctionUrl: true },
    }),
    new CfnPermission(scope, `InvokeUrl${principal}`, {
      ...{ action: invokeUrl, principal, functionName },
      functionUrlAuthType: FunctionUrlAuthType.AWS_IAM,
    }),
  ])
  for (const part of [alias.node.defaultChild, functionUrl.node.defaultChild, ...permissions])
    limit(part as CfnResource)
  return functionUrl.url
}

/** Adds an alias that CloudFormation invokes, and lets other accounts allow their roles to do it. */
export const addAlias = (
  scope: Construct,
  id: string,
  {
    target,
    aliasName,
    accounts = [],
    limit,
  }: Pick<UrlOptions, 'target' | 'aliasName' | 'accounts'> & Partial<Choice>,
): string => {
  const alias = new Alias(scope, id, { aliasName, version: target.latestVersion })
  limit?.(alias.node.defaultChild as CfnResource)
  const { functionArn } = alias
  for (const principal of accounts)
    new CfnPermission(scope, `Invoke${principal}`, { action: invoke, principal, functionName: functionArn })
  return functionArn
}
