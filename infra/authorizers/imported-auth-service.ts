import { Arn, ArnFormat, Stack, Token } from 'aws-cdk-lib'
import { EventBus, type IEventBus } from 'aws-cdk-lib/aws-events'
import { Function as LambdaFunction } from 'aws-cdk-lib/aws-lambda'
import type { Construct } from 'constructs'
import { checkOptions, type OptionTypes } from '../../lib/kernel/options/check-options.ts'
import type { AuthorizerFunctions } from './authorizer-functions.ts'
import { buildAuthorizerEnvironment } from './authorizer-options.ts'
import { AuthorizingConstruct } from './authorizing-construct.ts'

/**
 * What another app must know of a deployed service: values of its outputs.
 *
 * @example
 * ```ts
 * import type { AuthServiceAttributes } from '@latchkey/construct'
 *
 * export const attributes: AuthServiceAttributes = { url: 'https://auth.example.com' }
 * ```
 */
export interface AuthServiceAttributes {
  /** The output `Url`: the origin of the service, which is also the issuer of its JWTs. */
  readonly url: string
  /** The output `AuthorizerArn`. Without it, only JWT authorizers can be created, which work in all accounts and regions. */
  readonly authorizerArn?: string
  /** The output `AuditBusArn`, for rules about audit events. */
  readonly auditBusArn?: string
  /**
   * The output `ConfigFunctionArn`, for constructs such as `OidcClient`, or `ConfigFunctionArnOf…` of a product, which makes no deployer of the stack an
   * administrator. It must be in the region of the stack.
   */
  readonly configFunctionArn?: string
  /** The output `ConfigRoleArn`, or `ProductConfigRoleArn` for a product, for constructs that have a secret. */
  readonly configRoleArn?: string
}

const attributeTypes: OptionTypes<AuthServiceAttributes> = {
  url: 'required string',
  authorizerArn: 'string',
  auditBusArn: 'string',
  configFunctionArn: 'string',
  configRoleArn: 'string',
}

/**
 * A service that another app has deployed. It grants no access to its table: products use the API.
 *
 * @example
 * ```ts
 * import type { ImportedAuthService } from '@latchkey/construct'
 *
 * export const protectFilms = (auth: ImportedAuthService) => auth.authorizer()
 * ```
 */
export class ImportedAuthService extends AuthorizingConstruct {
  /** The origin of the service, without a trailing slash. */
  readonly url: string
  /** The address of the public keys that verify JWTs. */
  readonly jwksUrl: string
  /** Receives every audit event, for your own rules. */
  readonly auditBus: IEventBus | undefined
  readonly configFunctionArn: string | undefined
  readonly configRoleArn: string | undefined
  protected readonly authorizers: AuthorizerFunctions
  protected readonly discovery = []

  constructor(scope: Construct, id: string, attributes: AuthServiceAttributes) {
    checkOptions(attributes, attributeTypes, 'an attribute')
    super(scope, id)
    const { url, authorizerArn, auditBusArn, configFunctionArn, configRoleArn } = attributes
    if (!Token.isUnresolved(url) && URL.parse(url)?.origin !== url)
      throw new Error(
        `url "${url}" must be an origin without a path or slash at the end, such as https://auth.example.com.`,
      )
    this.url = url
    this.configFunctionArn = configFunctionArn
    this.configRoleArn = configRoleArn
    this.jwksUrl = `${url}/.well-known/jwks.json`
    this.auditBus =
      auditBusArn === undefined ? undefined : EventBus.fromEventBusArn(this, 'AuditBus', auditBusArn)
    this.authorizers = importAuthorizers(this, authorizerArn)
  }
}

const importAuthorizers = (scope: Construct, functionArn: string | undefined): AuthorizerFunctions => {
  const importShared = () => {
    if (functionArn === undefined)
      throw new Error(
        'An imported service needs authorizerArn for this authorizer. Without it, use jwtAuthorizer().',
      )
    assertSameEnvironment(scope, functionArn)
    return LambdaFunction.fromFunctionAttributes(scope, 'Authorizer', { functionArn, sameEnvironment: true })
  }
  const known = functionArn === undefined ? undefined : importShared()
  return {
    get shared() {
      return known ?? importShared()
    },
    get: (options) => {
      if (Object.keys(buildAuthorizerEnvironment(options)).length > 0)
        throw new Error(
          'An imported service has only the authorizer without options. Create one with authorizerFunction(options) in the app of the service, and import its ARN as authorizerArn.',
        )
      return known ?? importShared()
    },
  }
}

/** API Gateway must be allowed to call the function by a permission of the stack of the product. */
const assertSameEnvironment = (scope: Construct, functionArn: string): void => {
  if (Token.isUnresolved(functionArn)) return
  const { account, region } = Stack.of(scope)
  const { account: ofAccount = '', region: ofRegion = '' } = Arn.split(
    functionArn,
    ArnFormat.COLON_RESOURCE_NAME,
  )
  for (const [kind, own, other] of [
    ['region', region, ofRegion],
    ['account', account, ofAccount],
  ])
    if (own && !Token.isUnresolved(own) && own !== other)
      throw new Error(
        `authorizerArn is in the ${kind} ${other}, but the stack is in ${own}. Use jwtAuthorizer(), which works in all accounts and regions.`,
      )
}
