import { createHash } from 'node:crypto'
import { Duration } from 'aws-cdk-lib'
import type { IFunction } from 'aws-cdk-lib/aws-lambda'
import type { ITopic } from 'aws-cdk-lib/aws-sns'
import { Construct } from 'constructs'
import { createAuthorizerAlarms } from '../monitoring/create-alarm.ts'
import { createFunction, type FunctionProps } from '../parts/functions.ts'
import { referWeakly } from '../parts/newer-cdk.ts'
import {
  type AuthorizerFunctionOptions,
  assertAuthorizerOptions,
  buildAuthorizerEnvironment,
} from './authorizer-options.ts'

export interface AuthorizerFunctions {
  /** Has no options. Every service has it, because functions cost nothing without calls. */
  readonly shared: IFunction
  /** Returns the function for some options. Equal options share one. @throws Error that names a wrong option */
  readonly get: (options: AuthorizerFunctionOptions) => IFunction
}

/** Creates the Lambda authorizer, and further ones as products need other options. */
export const createAuthorizerFunctions = (
  scope: Construct,
  props: Omit<FunctionProps, 'statements' | 'timeout'>,
  /** Where the alarms are, and what they notify. */
  alarms: { readonly scope: Construct; readonly topic: ITopic | undefined },
): AuthorizerFunctions => {
  const create = (
    place: Construct,
    alarmPlace: Construct,
    options: Readonly<Record<string, string>>,
  ): IFunction => {
    const target = createFunction(place, 'authorizer', {
      ...props,
      environment: { ...props.environment, ...options },
      // API Gateway and AppSync wait as long.
      timeout: Duration.seconds(10),
    })
    referWeakly([target])
    createAuthorizerAlarms(alarmPlace, target, alarms.topic)
    return target
  }
  const shared = create(scope, alarms.scope, {})
  const others = new Map<string, IFunction>()
  return {
    shared,
    get: (options) => {
      assertAuthorizerOptions(options)
      // The function would let AppSync keep answers, by the token alone.
      if (options.organization && options.resultsCacheTtl?.toSeconds())
        throw new Error(
          'organization does not work with resultsCacheTtl of a function: leave one of them out.',
        )
      const environment = buildAuthorizerEnvironment(options)
      if (Object.keys(environment).length === 0) return shared
      const id = `Authorizer${hashOptions(environment)}`
      const target =
        others.get(id) ?? create(new Construct(scope, id), new Construct(alarms.scope, id), environment)
      others.set(id, target)
      return target
    },
  }
}

/** A short hash of options for the ID of what they belong to. */
export const hashOptions = (options: unknown): string =>
  createHash('sha256').update(JSON.stringify(options)).digest('hex').slice(0, 8)
