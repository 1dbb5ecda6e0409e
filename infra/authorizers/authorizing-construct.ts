import type { RequestAuthorizer, TokenAuthorizer } from 'aws-cdk-lib/aws-apigateway'
import type { IHttpRouteAuthorizer } from 'aws-cdk-lib/aws-apigatewayv2'
import type { AuthorizationMode } from 'aws-cdk-lib/aws-appsync'
import type { Function as LambdaFunction } from 'aws-cdk-lib/aws-lambda'
import { Construct, type IDependable } from 'constructs'
import type { AuthorizerFunctions } from './authorizer-functions.ts'
import type {
  AuthorizerFunctionOptions,
  AuthorizerOptions,
  RequestAuthorizerOptions,
} from './authorizer-options.ts'
import {
  createGraphqlAuthorization,
  createHttpAuthorizer,
  createJwtAuthorizer,
  createRequestAuthorizer,
  createTokenAuthorizer,
  type JwtAuthorizerOptions,
} from './authorizers.ts'

/** A construct with authorizers for the APIs of products. */
export abstract class AuthorizingConstruct extends Construct {
  abstract readonly url: string
  protected abstract readonly authorizers: AuthorizerFunctions
  /** What has to be deployed before the discovery document can be read. */
  protected abstract readonly discovery: readonly IDependable[]

  /**
   * Returns an authorizer for routes of your HTTP APIs. Your handlers get the caller in
   * `event.requestContext.authorizer.lambda`.
   */
  authorizer(options: RequestAuthorizerOptions = {}): IHttpRouteAuthorizer {
    return createHttpAuthorizer(this.authorizers, options)
  }

  /**
   * Returns an authorizer for routes of your HTTP APIs that only verifies JWTs for an audience. It costs no call. A logout
   * counts once the JWT has expired.
   */
  jwtAuthorizer(options: JwtAuthorizerOptions): IHttpRouteAuthorizer {
    return createJwtAuthorizer(this.url, options, this.discovery)
  }

  /** Creates an authorizer for methods of a REST API that gets the header `Authorization`. */
  restTokenAuthorizer(scope: Construct, id: string, options: AuthorizerOptions = {}): TokenAuthorizer {
    return createTokenAuthorizer(this.authorizers, scope, id, options)
  }

  /** Creates an authorizer for methods of a REST API that gets the whole request. */
  restRequestAuthorizer(
    scope: Construct,
    id: string,
    options: RequestAuthorizerOptions = {},
  ): RequestAuthorizer {
    return createRequestAuthorizer(this.authorizers, scope, id, options)
  }

  /** Creates the authorization mode of an AppSync API. Resolvers get the caller in `ctx.identity.resolverContext`. */
  graphqlAuthorization(scope: Construct, id: string, options: AuthorizerOptions = {}): AuthorizationMode {
    return createGraphqlAuthorization(this.authorizers, scope, id, options)
  }

  /** Returns the function of an authorizer that you create yourself. API Gateway needs a permission to call it. */
  authorizerFunction(options: AuthorizerFunctionOptions = {}): LambdaFunction {
    return this.authorizers.get(options)
  }
}
