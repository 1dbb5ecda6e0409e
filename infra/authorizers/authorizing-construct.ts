import { Duration } from 'aws-cdk-lib'
import { IdentitySource, RequestAuthorizer, TokenAuthorizer } from 'aws-cdk-lib/aws-apigateway'
import type { IHttpApi, IHttpRouteAuthorizer } from 'aws-cdk-lib/aws-apigatewayv2'
import {
  HttpJwtAuthorizer,
  HttpLambdaAuthorizer,
  HttpLambdaResponseType,
} from 'aws-cdk-lib/aws-apigatewayv2-authorizers'
import { type AuthorizationMode, AuthorizationType } from 'aws-cdk-lib/aws-appsync'
import { type IFunction, Function as LambdaFunction } from 'aws-cdk-lib/aws-lambda'
import { Construct, type IDependable } from 'constructs'
import { organizationHeader } from '../../lib/client/organization-header.ts'
import { checkOptions, type OptionTypes } from '../../lib/kernel/options/check-options.ts'
import { getUserinfoAudience, toGuestAudience } from '../../lib/kernel/settings/jwt-audiences.ts'
import { OidcClient, type OidcClientProps } from '../configuration/constructs.ts'
import { type AuthorizerFunctions, hashOptions } from './authorizer-functions.ts'
import {
  type AuthorizerFunctionOptions,
  type AuthorizerOptions,
  assertAuthorizerOptions,
  type RequestAuthorizerOptions,
  readOptions,
} from './authorizer-options.ts'

/** A construct with authorizers for the APIs of products. */
export abstract class AuthorizingConstruct extends Construct {
  abstract readonly url: string
  /** The function that constructs such as `OidcClient` configure the service with. */
  abstract readonly configFunctionArn: string | undefined
  /** The role of this function, which fills the secrets of clients. */
  abstract readonly configRoleArn: string | undefined
  protected abstract readonly authorizers: AuthorizerFunctions
  /** What has to be deployed before the discovery document can be read. */
  protected abstract readonly discovery: readonly IDependable[]

  /**
   * Returns an authorizer for routes of your HTTP APIs. Your handlers get the caller in
   * `event.requestContext.authorizer.lambda`.
   */
  authorizer(options?: RequestAuthorizerOptions): IHttpRouteAuthorizer
  authorizer(...given: [options?: RequestAuthorizerOptions]): IHttpRouteAuthorizer {
    return createHttpAuthorizer(this.authorizers, readOptions.authorizer(given))
  }

  /**
   * Returns an authorizer for routes of your HTTP APIs that only verifies JWTs for an audience. It costs no call. A logout
   * counts once the JWT has expired.
   */
  jwtAuthorizer(options: JwtAuthorizerOptions): IHttpRouteAuthorizer {
    checkOptions(options, jwtAuthorizerOptionTypes, 'an option of jwtAuthorizer')
    return createJwtAuthorizer(this.url, options, this.discovery)
  }

  /** Creates an authorizer for methods of a REST API that gets the header `Authorization`. */
  restTokenAuthorizer(scope: Construct, id: string, options?: AuthorizerOptions): TokenAuthorizer
  restTokenAuthorizer(
    scope: Construct,
    id: string,
    ...given: [options?: AuthorizerOptions]
  ): TokenAuthorizer {
    return createTokenAuthorizer(this.authorizers, scope, id, readOptions.restTokenAuthorizer(given))
  }

  /** Creates an authorizer for methods of a REST API that gets the whole request. */
  restRequestAuthorizer(scope: Construct, id: string, options?: RequestAuthorizerOptions): RequestAuthorizer
  restRequestAuthorizer(
    scope: Construct,
    id: string,
    ...given: [options?: RequestAuthorizerOptions]
  ): RequestAuthorizer {
    return createRequestAuthorizer(this.authorizers, scope, id, readOptions.restRequestAuthorizer(given))
  }

  /** Creates the authorization mode of an AppSync API. Resolvers get the caller in `ctx.identity.resolverContext`. */
  graphqlAuthorization(scope: Construct, id: string, options?: AuthorizerOptions): AuthorizationMode
  graphqlAuthorization(
    scope: Construct,
    id: string,
    ...given: [options?: AuthorizerOptions]
  ): AuthorizationMode {
    return createGraphqlAuthorization(this.authorizers, scope, id, readOptions.graphqlAuthorization(given))
  }

  /**
   * Adds a client of OpenID Connect to the stack of a product.
   *
   * @example
   * ```ts
   * import type { AuthService } from '@latchkey/construct'
   * import type { Stack } from 'aws-cdk-lib'
   *
   * export const addWeb = (stack: Stack, auth: AuthService) =>
   *   auth.addClient('Web', { key: 'web', name: 'Web', type: 'public', redirectUris: ['https://films.example.com/callback'] })
   * ```
   */
  addClient(id: string, props: Omit<OidcClientProps, 'auth'>): OidcClient {
    return new OidcClient(this, id, { ...props, auth: this } as OidcClientProps)
  }

  /** Returns the function of an authorizer that you create yourself. API Gateway needs a permission to call it. */
  authorizerFunction(options?: AuthorizerFunctionOptions): IFunction
  authorizerFunction(...given: [options?: AuthorizerFunctionOptions]): IFunction {
    return this.authorizers.get(readOptions.authorizerFunction(given))
  }
}

/** Creates an authorizer for routes of an HTTP API. */
const createHttpAuthorizer = (
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
        // API Gateway refuses requests without these headers itself, which costs nothing.
        identitySource: acceptsCookie ? [] : listKeyHeaders(options).map((name) => `$request.header.${name}`),
        resultsCacheTtl,
      }),
  )
}

/** The options of an authorizer that only verifies JWTs. */
interface JwtAuthorizerOptions {
  /** The names of your API in tokens. */
  readonly audience: string | readonly string[]
  /** Accepts guests of access links, who have no permissions. The default is false. */
  readonly acceptsGuests?: boolean
}

const jwtAuthorizerOptionTypes: OptionTypes<JwtAuthorizerOptions> = {
  audience: 'required any',
  acceptsGuests: 'boolean',
}

/** Creates an authorizer of HTTP APIs that verifies JWTs without a call. `discovery` is what API Gateway reads of the issuer. */
const createJwtAuthorizer = (
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
const createTokenAuthorizer = (
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
const createRequestAuthorizer = (
  functions: AuthorizerFunctions,
  scope: Construct,
  id: string,
  options: RequestAuthorizerOptions,
): RequestAuthorizer =>
  new RequestAuthorizer(scope, id, {
    handler: importInto(scope, `${id}Function`, getFunction(functions, options)),
    identitySources: options.acceptsCookie
      ? []
      : listKeyHeaders(options).map((name) => IdentitySource.header(name)),
    resultsCacheTtl: options.resultsCacheTtl ?? Duration.seconds(0),
  })

/**
 * The headers by which API Gateway keeps answers. It refuses requests without one of them itself, so the organization is only there if
 * answers are kept: tokens can state it instead.
 */
const listKeyHeaders = ({ organization, resultsCacheTtl }: AuthorizerOptions): readonly string[] =>
  organization && resultsCacheTtl?.toSeconds() ? ['Authorization', organizationHeader] : ['Authorization']

/** Creates the authorization mode of an AppSync API. */
const createGraphqlAuthorization = (
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

/** API Gateway allows as many on an API. AWS raises the quota on request only. */
const authorizersPerApi = 10

/** The authorizers of each API by their ID. */
const bound = new WeakMap<IHttpApi, Map<string, IHttpRouteAuthorizer>>()

/**
 * Makes an authorizer that can be used for the routes of several APIs, and that each API has only once. The CDK's own belong
 * to one API, and two with the same ID collide.
 *
 * @param dependencies what has to be deployed before the authorizer
 */
const bindOncePerApi = (
  id: string,
  create: (id: string) => IHttpRouteAuthorizer,
  dependencies: readonly IDependable[] = [],
): IHttpRouteAuthorizer => ({
  bind: (options) => {
    const { httpApi } = options.route
    const known = bound.get(httpApi) ?? new Map<string, IHttpRouteAuthorizer>()
    bound.set(httpApi, known)
    const existing = known.get(id)
    if (existing) return existing.bind(options)
    if (known.size >= authorizersPerApi)
      throw new Error(
        `${httpApi.node.path} would have more than ${authorizersPerApi} authorizers, which API Gateway refuses. Use auth.authorizer() without a permission for some routes, and compare event.requestContext.authorizer.lambda.permissions in their handlers, or give these routes an API of their own.`,
      )
    const authorizer = create(id)
    known.set(id, authorizer)
    const config = authorizer.bind(options)
    options.scope.node.findChild(id).node.addDependency(...dependencies)
    return config
  },
})
