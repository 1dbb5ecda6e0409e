import { Duration } from 'aws-cdk-lib'
import { IdentitySource, RequestAuthorizer, TokenAuthorizer } from 'aws-cdk-lib/aws-apigateway'
import type { IHttpRouteAuthorizer } from 'aws-cdk-lib/aws-apigatewayv2'
import {
  HttpJwtAuthorizer,
  HttpLambdaAuthorizer,
  HttpLambdaResponseType,
} from 'aws-cdk-lib/aws-apigatewayv2-authorizers'
import { type AuthorizationMode, AuthorizationType } from 'aws-cdk-lib/aws-appsync'
import { type IFunction, Function as LambdaFunction } from 'aws-cdk-lib/aws-lambda'
import type { Construct, IDependable } from 'constructs'
import { getUserinfoAudience, toGuestAudience } from '../../lib/settings/jwt-audiences.ts'
import { type AuthorizerFunctions, hashOptions } from './authorizer-functions.ts'
import {
  type AuthorizerOptions,
  assertAuthorizerOptions,
  type RequestAuthorizerOptions,
} from './authorizer-options.ts'
import { bindOncePerApi } from './bind-once-per-api.ts'

/** Creates an authorizer for routes of an HTTP API. */
export const createHttpAuthorizer = (
  functions: AuthorizerFunctions,
  options: RequestAuthorizerOptions,
): IHttpRouteAuthorizer => {
  const { acceptsCookie, resultsCacheTtl = Duration.seconds(0) } = options
  const target = getFunction(functions, options)
  return bindOncePerApi(
    `LatchkeyAuthorizer${hashOptions([target.node.addr, resultsCacheTtl.toSeconds()])}`,
    (id) =>
      new HttpLambdaAuthorizer(id, target, {
        responseTypes: [HttpLambdaResponseType.SIMPLE],
        // API Gateway refuses requests without the header itself, which costs nothing.
        identitySource: acceptsCookie ? [] : ['$request.header.Authorization'],
        resultsCacheTtl,
      }),
  )
}

/** The options of an authorizer that only verifies JWTs. */
export interface JwtAuthorizerOptions {
  /** The names of your API in tokens. */
  readonly audience: string | readonly string[]
  /** Accepts guests of access links, who have no permissions. The default is false. */
  readonly acceptsGuests?: boolean
}

/** Creates an authorizer of HTTP APIs that verifies JWTs without a call. `discovery` is what API Gateway reads of the issuer. */
export const createJwtAuthorizer = (
  url: string,
  { audience, acceptsGuests }: JwtAuthorizerOptions,
  discovery: readonly IDependable[],
): IHttpRouteAuthorizer => {
  const names = [audience].flat()
  // Every client can get tokens for it.
  if (names.includes(getUserinfoAudience(url))) throw new Error('audience must name your API, not userinfo.')
  const audiences = acceptsGuests ? [...names, ...names.map(toGuestAudience)] : names
  return bindOncePerApi(
    `LatchkeyJwtAuthorizer${hashOptions([url, audiences])}`,
    (id) => new HttpJwtAuthorizer(id, url, { jwtAudience: audiences }),
    // API Gateway reads the discovery document when it creates the authorizer.
    discovery,
  )
}

/** Creates an authorizer of a REST API that only gets the header. */
export const createTokenAuthorizer = (
  functions: AuthorizerFunctions,
  scope: Construct,
  id: string,
  options: AuthorizerOptions,
): TokenAuthorizer =>
  new TokenAuthorizer(scope, id, {
    handler: importInto(scope, `${id}Function`, getFunction(functions, options)),
    resultsCacheTtl: options.resultsCacheTtl ?? Duration.seconds(0),
  })

/** Creates an authorizer of a REST API that gets the whole request. */
export const createRequestAuthorizer = (
  functions: AuthorizerFunctions,
  scope: Construct,
  id: string,
  options: RequestAuthorizerOptions,
): RequestAuthorizer =>
  new RequestAuthorizer(scope, id, {
    handler: importInto(scope, `${id}Function`, getFunction(functions, options)),
    identitySources: options.acceptsCookie ? [] : [IdentitySource.header('Authorization')],
    resultsCacheTtl: options.resultsCacheTtl ?? Duration.seconds(0),
  })

/** Creates the authorization mode of an AppSync API. */
export const createGraphqlAuthorization = (
  functions: AuthorizerFunctions,
  scope: Construct,
  id: string,
  options: AuthorizerOptions,
): AuthorizationMode => ({
  authorizationType: AuthorizationType.LAMBDA,
  lambdaAuthorizerConfig: {
    // The function itself limits how long AppSync keeps an answer.
    handler: importInto(scope, `${id}Function`, functions.get(options)),
    resultsCacheTtl: options.resultsCacheTtl ?? Duration.seconds(0),
  },
})

/** API Gateway keeps answers as its authorizer says, so one function serves every time. */
const getFunction = (
  functions: AuthorizerFunctions,
  { resultsCacheTtl, ...settings }: RequestAuthorizerOptions,
): IFunction => {
  assertAuthorizerOptions({ ...settings, ...(resultsCacheTtl ? { resultsCacheTtl } : {}) })
  return functions.get(settings)
}

/**
 * Refers to a function from the stack of the product, so that the permission to call it is there as well. In the stack of
 * the service, it would refer to the API, and each of the stacks would need the other one first.
 */
const importInto = (scope: Construct, id: string, { functionArn }: IFunction): IFunction =>
  LambdaFunction.fromFunctionAttributes(scope, id, { functionArn, sameEnvironment: true })
