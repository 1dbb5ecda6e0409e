import { type ISecret, Secret } from 'aws-cdk-lib/aws-secretsmanager'
import { Construct } from 'constructs'
import type {
  AgentPolicyConfig,
  ApiConfig,
  BrandingConfig,
  ClientConfig,
  EmailTextsConfig,
  GroupConfig,
  OidcConnectionConfig,
  OrganizationPolicyConfig,
  OrganizationRolesConfig,
  PasswordPolicyConfig,
  ProductBrandingConfig,
  SamlProviderConfig,
  ServiceAccountConfig,
  SignInPolicyConfig,
  SignUpPolicyConfig,
  UserAttributesConfig,
  UserTemplateConfig,
} from '../../lib/client/generated/configuration.ts'
import { checkOptions } from '../../lib/kernel/options/check-options.ts'
import { createResource } from './configuration-resource.ts'
import type { CamelCase, ReadableSecret, ResourceProps } from './resource-props.ts'
import { admitToSecret, createSecret } from './resource-secret.ts'

/** What a thing is called in the service, which never changes. See the rules of keys in `docs/as-code.md`. */
interface ThingProps extends ResourceProps {
  /** Begins with a letter, and has up to 50 lower-case letters, digits and hyphens. It never changes, and no other thing of the kind has it. */
  readonly key: string
}

/**
 * The props of `ProtectedApi`: the fields of `Api` in `/docs`, with names in camel case.
 *
 * @example
 * ```ts
 * import type { ProtectedApiProps } from '@latchkey/construct'
 *
 * export const props: Omit<ProtectedApiProps, 'auth'> = { key: 'films', name: 'Film API', audience: 'https://films.example.com/api' }
 * ```
 */
export type ProtectedApiProps = ThingProps & CamelCase<ApiConfig>

/**
 * Configures an API that clients get access tokens for.
 *
 * @example
 * ```ts
 * import { type AuthService, ProtectedApi } from '@latchkey/construct'
 * import type { Stack } from 'aws-cdk-lib'
 *
 * export const add = (stack: Stack, auth: AuthService) =>
 *   new ProtectedApi(stack, 'ProtectedApi', { auth, key: 'films', name: 'Film API', audience: 'https://films.example.com/api', scopes: [{ name: 'films.read', texts: { en: 'Read films' }, permissions: [] }] })
 * ```
 */
export class ProtectedApi extends Construct {
  /** How others refer to it. */
  readonly key: string
  /** What tokens for the API have in `aud`, for `jwtAuthorizer`. */
  readonly audience: string
  /** The names of its scopes, for `authorizationScopes` of routes. */
  readonly scopes: readonly string[]

  constructor(scope: Construct, id: string, props: ProtectedApiProps) {
    super(scope, id)
    createResource(this, 'api', props)
    this.key = props.key
    this.audience = props.audience
    this.scopes = (props.scopes ?? []).map(({ name }) => name)
  }
}

/**
 * The props of `Group`: the fields of `Group` in `/docs`, with names in camel case.
 *
 * @example
 * ```ts
 * import type { GroupProps } from '@latchkey/construct'
 *
 * export const props: Omit<GroupProps, 'auth'> = { key: 'viewers', name: 'Viewers', permissions: ['films:view'] }
 * ```
 */
export type GroupProps = ThingProps & CamelCase<GroupConfig>

/**
 * Configures a group with permissions. Its members are no part of it.
 *
 * @example
 * ```ts
 * import { type AuthService, Group } from '@latchkey/construct'
 * import type { Stack } from 'aws-cdk-lib'
 *
 * export const add = (stack: Stack, auth: AuthService) =>
 *   new Group(stack, 'Group', { auth, key: 'viewers', name: 'Viewers', permissions: ['films:view'] })
 * ```
 */
export class Group extends Construct {
  /** How others refer to it. */
  readonly key: string

  constructor(scope: Construct, id: string, props: GroupProps) {
    super(scope, id)
    createResource(this, 'group', props)
    this.key = props.key
  }
}

/**
 * The props of `UserTemplate`: the fields of `UserTemplate` in `/docs`, with names in camel case.
 *
 * @example
 * ```ts
 * import type { UserTemplateProps } from '@latchkey/construct'
 *
 * export const props: Omit<UserTemplateProps, 'auth'> = { key: 'staff', name: 'Staff', groups: ['viewers'] }
 * ```
 */
export type UserTemplateProps = ThingProps & CamelCase<UserTemplateConfig>

/**
 * Configures a template of new users.
 *
 * @example
 * ```ts
 * import { type AuthService, UserTemplate } from '@latchkey/construct'
 * import type { Stack } from 'aws-cdk-lib'
 *
 * export const add = (stack: Stack, auth: AuthService) =>
 *   new UserTemplate(stack, 'UserTemplate', { auth, key: 'staff', name: 'Staff', groups: ['viewers'] })
 * ```
 */
export class UserTemplate extends Construct {
  /** How others refer to it. */
  readonly key: string

  constructor(scope: Construct, id: string, props: UserTemplateProps) {
    super(scope, id)
    createResource(this, 'user_template', props)
    this.key = props.key
  }
}

/**
 * The props of `OidcClient`: the fields of `Client` in `/docs`, with names in camel case.
 *
 * @example
 * ```ts
 * import type { OidcClientProps } from '@latchkey/construct'
 *
 * export const props: Omit<OidcClientProps, 'auth'> = { key: 'web', name: 'Film library', type: 'public', redirectUris: ['https://films.example.com/callback'] }
 * ```
 */
export type OidcClientProps = ThingProps &
  CamelCase<ClientConfig> & {
    /** A higher number gives the client another secret. The one before works for another day. */
    readonly secretVersion?: number
  }

/**
 * Configures a client of OpenID Connect. One that is confidential gets a secret in Secrets Manager, which no template and no log contains.
 *
 * @example
 * ```ts
 * import { type AuthService, OidcClient } from '@latchkey/construct'
 * import type { Stack } from 'aws-cdk-lib'
 * import type { Function } from 'aws-cdk-lib/aws-lambda'
 *
 * export const add = (stack: Stack, auth: AuthService, server: Function) => {
 *   const client = new OidcClient(stack, 'OidcClient', { auth, key: 'web', name: 'Film library', redirectUris: ['https://films.example.com/callback'] })
 *   client.secret.grantRead(server)
 *   server.addEnvironment('CLIENT_SECRET_ARN', client.secret.secretArn)
 * }
 * ```
 */
export class OidcClient extends Construct {
  /**
   * Uses a client that another stack configures.
   *
   * @throws Error if its ID is empty
   * @example
   * ```ts
   * import { OidcClient } from '@latchkey/construct'
   * import type { Stack } from 'aws-cdk-lib'
   * import type { Function } from 'aws-cdk-lib/aws-lambda'
   *
   * export const use = (stack: Stack, server: Function, secretArn: string) =>
   *   OidcClient.fromAttributes(stack, 'Web', { clientId: 'web', secretArn }).secret.grantRead(server)
   * ```
   */
  static fromAttributes(scope: Construct, id: string, attributes: OidcClientAttributes): KnownOidcClient {
    checkOptions(attributes, { clientId: 'string', secretArn: 'string' }, 'an attribute')
    const { clientId, secretArn } = attributes
    const parent = new Construct(scope, id)
    const secret =
      secretArn === undefined ? undefined : Secret.fromSecretCompleteArn(parent, 'FilledSecret', secretArn)
    return {
      clientId,
      get secret() {
        if (!secret) throw new Error('This client has no secret here: its attributes have no secretArn.')
        return secret
      },
    }
  }

  /** How others refer to it. */
  readonly key: string
  /** The `client_id`, which is the key. A reference to it waits until the client exists. */
  readonly clientId: string
  readonly #secret: ISecret | undefined

  constructor(scope: Construct, id: string, props: OidcClientProps) {
    super(scope, id)
    const resource = createResource(this, 'client', props, (removalPolicy) =>
      hasSecret(props)
        ? createSecret(this, props.auth, { removalPolicy, version: props.secretVersion })
        : undefined,
    )
    this.key = props.key
    this.clientId = resource.getAttString('ClientId')
    this.#secret = hasSecret(props)
      ? Secret.fromSecretCompleteArn(this, 'FilledSecret', resource.getAttString('SecretArn'))
      : undefined
  }

  /** The secret of the client. A reference to it waits until the client accepts it. @throws Error if the client has none */
  get secret(): ISecret {
    if (!this.#secret) throw new Error('This client has no secret: it has the type public, or publicKeys.')
    return this.#secret
  }
}

/**
 * A client of this stack, or of another one.
 *
 * @example
 * ```ts
 * import type { KnownOidcClient } from '@latchkey/construct'
 *
 * export const toEnvironment = ({ clientId, secret }: KnownOidcClient) => ({
 *   CLIENT_ID: clientId,
 *   CLIENT_SECRET_ARN: secret.secretArn,
 * })
 * ```
 */
export type KnownOidcClient = Pick<OidcClient, 'clientId' | 'secret'>

/**
 * What a stack has to know of a client of another one.
 *
 * @example
 * ```ts
 * import type { OidcClientAttributes } from '@latchkey/construct'
 *
 * export const web: OidcClientAttributes = { clientId: 'web' }
 * ```
 */
export interface OidcClientAttributes {
  /** The `client_id`, which is the key of the client. */
  readonly clientId: string
  /** Where its secret is, with the six characters that Secrets Manager added. */
  readonly secretArn?: string
}

const hasSecret = ({ type = 'confidential', publicKeys = [] }: OidcClientProps): boolean =>
  type === 'confidential' && publicKeys.length === 0

/**
 * The props of `SamlConnection`: the fields of `SamlProvider` in `/docs`, with names in camel case.
 *
 * @example
 * ```ts
 * import type { SamlConnectionProps } from '@latchkey/construct'
 *
 * export const props: Pick<SamlConnectionProps, 'key' | 'name' | 'domains'> = { key: 'acme', name: 'Acme', domains: ['acme.example'] }
 * ```
 */
export type SamlConnectionProps = ThingProps & CamelCase<SamlProviderConfig>

/**
 * Configures sign-in of a company by SAML.
 *
 * @example
 * ```ts
 * import { type AuthService, SamlConnection } from '@latchkey/construct'
 * import type { Stack } from 'aws-cdk-lib'
 *
 * export const add = (stack: Stack, auth: AuthService, certificate: string) =>
 *   new SamlConnection(stack, 'SamlConnection', { auth, key: 'acme', name: 'Acme', entityId: 'urn:acme', ssoUrl: 'https://acme.example.com/sso', certificate, domains: ['acme.example'] })
 * ```
 */
export class SamlConnection extends Construct {
  /** How others refer to it. */
  readonly key: string
  /** What to enter at the identity provider. */
  readonly assertionUrl: string
  readonly metadataUrl: string
  /** Where the directory of the customer sends people and groups. */
  readonly scimBaseUrl: string

  constructor(scope: Construct, id: string, props: SamlConnectionProps) {
    super(scope, id)
    const resource = createResource(this, 'saml_provider', props)
    this.key = props.key
    this.assertionUrl = resource.getAttString('AssertionUrl')
    this.metadataUrl = resource.getAttString('MetadataUrl')
    this.scimBaseUrl = resource.getAttString('ScimBaseUrl')
  }
}

/**
 * The props of `OidcConnection`: the fields of `OidcConnection` in `/docs`, with names in camel case.
 *
 * @example
 * ```ts
 * import type { OidcConnectionProps } from '@latchkey/construct'
 *
 * export const props: Omit<OidcConnectionProps, 'auth'> = { key: 'acme', name: 'Acme', issuer: 'https://acme.example.com', clientId: 'latchkey' }
 * ```
 */
export type OidcConnectionProps = ThingProps &
  CamelCase<Omit<OidcConnectionConfig, 'client_secret'>> & {
    /** Where the secret is that the identity provider gave you. */
    readonly clientSecret?: ReadableSecret
    /** A higher number reads the secret again, after you changed it. */
    readonly secretVersion?: number
  }

/**
 * Configures sign-in of a company by OpenID Connect. It proves itself with `clientSecret`, or with a key of the service.
 *
 * @example
 * ```ts
 * import { type AuthService, OidcConnection } from '@latchkey/construct'
 * import type { Stack } from 'aws-cdk-lib'
 *
 * export const add = (stack: Stack, auth: AuthService) =>
 *   new OidcConnection(stack, 'OidcConnection', { auth, key: 'acme', name: 'Acme', issuer: 'https://acme.example.com', clientId: 'latchkey', tokenEndpointAuthMethod: 'private_key_jwt' })
 * ```
 */
export class OidcConnection extends Construct {
  /** How others refer to it. */
  readonly key: string
  /** What to enter at the identity provider. */
  readonly redirectUri: string
  /** Where the directory of the customer sends people and groups. */
  readonly scimBaseUrl: string

  constructor(scope: Construct, id: string, props: OidcConnectionProps) {
    super(scope, id)
    const resource = createResource(
      this,
      'oidc_connection',
      props,
      () => props.clientSecret && admitToSecret(props.auth, props.clientSecret, props.secretVersion),
    )
    this.key = props.key
    this.redirectUri = resource.getAttString('RedirectUri')
    this.scimBaseUrl = resource.getAttString('ScimBaseUrl')
  }
}

/**
 * The props of `ServiceAccount`: the fields of `ServiceAccount` in a configuration file, with names in camel case.
 *
 * @example
 * ```ts
 * import type { ServiceAccountProps } from '@latchkey/construct'
 *
 * export const props: Omit<ServiceAccountProps, 'auth'> = { key: 'links', permissions: ['media:access'], scopes: ['media:access'] }
 * ```
 */
export type ServiceAccountProps = ThingProps &
  CamelCase<ServiceAccountConfig> & {
    /** A higher number gives the account another API token. The one before works for another day. */
    readonly secretVersion?: number
  }

/**
 * Configures the account of a program, with an API token in Secrets Manager.
 *
 * @example
 * ```ts
 * import { type AuthService, ServiceAccount } from '@latchkey/construct'
 * import type { Stack } from 'aws-cdk-lib'
 * import type { Function } from 'aws-cdk-lib/aws-lambda'
 *
 * export const add = (stack: Stack, auth: AuthService, server: Function) => {
 *   const account = new ServiceAccount(stack, 'Links', { auth, key: 'links', permissions: ['media:access'], scopes: ['media:access'] })
 *   account.token.grantRead(server)
 *   server.addEnvironment('TOKEN_ARN', account.token.secretArn)
 * }
 * ```
 */
export class ServiceAccount extends Construct {
  /** How others refer to it. It is also the username. */
  readonly key: string
  /** The API token. A reference to it waits until the service accepts it. */
  readonly token: ISecret

  constructor(scope: Construct, id: string, props: ServiceAccountProps) {
    super(scope, id)
    const resource = createResource(this, 'service_account', props, (removalPolicy) =>
      createSecret(this, props.auth, { removalPolicy, version: props.secretVersion }),
    )
    this.key = props.key
    this.token = Secret.fromSecretCompleteArn(this, 'FilledSecret', resource.getAttString('SecretArn'))
  }
}

/**
 * The props of `UserAttributes`: the fields of `UserAttributes` in `/docs`, with names in camel case.
 *
 * @example
 * ```ts
 * import type { UserAttributesProps } from '@latchkey/construct'
 *
 * export const props: Omit<UserAttributesProps, 'auth'> = { attributes: [{ name: 'desk', type: 'text' }] }
 * ```
 */
export type UserAttributesProps = ResourceProps & CamelCase<UserAttributesConfig>

/**
 * Configures the attributes that users of a service can have.
 *
 * @example
 * ```ts
 * import { type AuthService, UserAttributes } from '@latchkey/construct'
 * import type { Stack } from 'aws-cdk-lib'
 *
 * export const add = (stack: Stack, auth: AuthService) =>
 *   new UserAttributes(stack, 'UserAttributes', { auth, attributes: [{ name: 'desk', type: 'text' }] })
 * ```
 */
export class UserAttributes extends Construct {
  constructor(scope: Construct, id: string, props: UserAttributesProps) {
    super(scope, id)
    createResource(this, 'user_attributes', props)
  }
}

/**
 * The props of `PasswordPolicy`: the fields of `PasswordPolicy` in `/docs`, with names in camel case.
 *
 * @example
 * ```ts
 * import type { PasswordPolicyProps } from '@latchkey/construct'
 *
 * export const props: Omit<PasswordPolicyProps, 'auth'> = { minLength: 14, noPwned: true }
 * ```
 */
export type PasswordPolicyProps = ResourceProps & CamelCase<PasswordPolicyConfig>

/**
 * Configures what passwords must meet.
 *
 * @example
 * ```ts
 * import { type AuthService, PasswordPolicy } from '@latchkey/construct'
 * import type { Stack } from 'aws-cdk-lib'
 *
 * export const add = (stack: Stack, auth: AuthService) =>
 *   new PasswordPolicy(stack, 'PasswordPolicy', { auth, minLength: 14, noPwned: true })
 * ```
 */
export class PasswordPolicy extends Construct {
  constructor(scope: Construct, id: string, props: PasswordPolicyProps) {
    super(scope, id)
    createResource(this, 'password_policy', props)
  }
}

/**
 * The props of `SignInPolicy`: the fields of `SignInPolicy` in `/docs`, with names in camel case.
 *
 * @example
 * ```ts
 * import type { SignInPolicyProps } from '@latchkey/construct'
 *
 * export const props: Omit<SignInPolicyProps, 'auth'> = { allowEmailCodes: true }
 * ```
 */
export type SignInPolicyProps = ResourceProps & CamelCase<SignInPolicyConfig>

/**
 * Configures how users sign in.
 *
 * @example
 * ```ts
 * import { type AuthService, SignInPolicy } from '@latchkey/construct'
 * import type { Stack } from 'aws-cdk-lib'
 *
 * export const add = (stack: Stack, auth: AuthService) =>
 *   new SignInPolicy(stack, 'SignInPolicy', { auth, allowEmailCodes: true })
 * ```
 */
export class SignInPolicy extends Construct {
  constructor(scope: Construct, id: string, props: SignInPolicyProps) {
    super(scope, id)
    createResource(this, 'sign_in_policy', props)
  }
}

/**
 * The props of `SignUpPolicy`: the fields of `SignUpPolicy` in `/docs`, with names in camel case.
 *
 * @example
 * ```ts
 * import type { SignUpPolicyProps } from '@latchkey/construct'
 *
 * export const props: Omit<SignUpPolicyProps, 'auth'> = { mode: 'open' }
 * ```
 */
export type SignUpPolicyProps = ResourceProps & CamelCase<SignUpPolicyConfig>

/**
 * Configures who may create an account.
 *
 * @example
 * ```ts
 * import { type AuthService, SignUpPolicy } from '@latchkey/construct'
 * import type { Stack } from 'aws-cdk-lib'
 *
 * export const add = (stack: Stack, auth: AuthService) =>
 *   new SignUpPolicy(stack, 'SignUpPolicy', { auth, mode: 'open' })
 * ```
 */
export class SignUpPolicy extends Construct {
  constructor(scope: Construct, id: string, props: SignUpPolicyProps) {
    super(scope, id)
    createResource(this, 'sign_up_policy', props)
  }
}

/**
 * The props of `AgentPolicy`: the fields of `AgentPolicy` in `/docs`, with names in camel case.
 *
 * @example
 * ```ts
 * import type { AgentPolicyProps } from '@latchkey/construct'
 *
 * export const props: Omit<AgentPolicyProps, 'auth'> = { hosts: ['agent.example.com'] }
 * ```
 */
export type AgentPolicyProps = ResourceProps & CamelCase<AgentPolicyConfig>

/**
 * Configures which agents may come that no administrator registered.
 *
 * @example
 * ```ts
 * import { AgentPolicy, type AuthService } from '@latchkey/construct'
 * import type { Stack } from 'aws-cdk-lib'
 *
 * export const add = (stack: Stack, auth: AuthService) =>
 *   new AgentPolicy(stack, 'AgentPolicy', { auth, hosts: ['agent.example.com'] })
 * ```
 */
export class AgentPolicy extends Construct {
  constructor(scope: Construct, id: string, props: AgentPolicyProps) {
    super(scope, id)
    createResource(this, 'agent_policy', props)
  }
}

/**
 * The props of `OrganizationPolicy`: the fields of `OrganizationPolicy` in `/docs`, with names in camel case.
 *
 * @example
 * ```ts
 * import type { OrganizationPolicyProps } from '@latchkey/construct'
 *
 * export const props: Omit<OrganizationPolicyProps, 'auth'> = { creation: 'everybody' }
 * ```
 */
export type OrganizationPolicyProps = ResourceProps & CamelCase<OrganizationPolicyConfig>

/**
 * Configures what organizations may do for themselves.
 *
 * @example
 * ```ts
 * import { OrganizationPolicy, type AuthService } from '@latchkey/construct'
 * import type { Stack } from 'aws-cdk-lib'
 *
 * export const add = (stack: Stack, auth: AuthService) =>
 *   new OrganizationPolicy(stack, 'OrganizationPolicy', { auth, creation: 'everybody' })
 * ```
 */
export class OrganizationPolicy extends Construct {
  constructor(scope: Construct, id: string, props: OrganizationPolicyProps) {
    super(scope, id)
    createResource(this, 'organization_policy', props)
  }
}

/**
 * The props of `OrganizationRoles`: the fields of `OrganizationRoles` in `/docs`, with names in camel case.
 *
 * @example
 * ```ts
 * import type { OrganizationRolesProps } from '@latchkey/construct'
 *
 * export const props: Omit<OrganizationRolesProps, 'auth'> = { roles: [{ key: 'editor', texts: { en: 'Editor' }, permissions: ['films:edit'] }] }
 * ```
 */
export type OrganizationRolesProps = ResourceProps & CamelCase<OrganizationRolesConfig>

/**
 * Configures the roles that members of organizations can have.
 *
 * @example
 * ```ts
 * import { OrganizationRoles, type AuthService } from '@latchkey/construct'
 * import type { Stack } from 'aws-cdk-lib'
 *
 * export const add = (stack: Stack, auth: AuthService) =>
 *   new OrganizationRoles(stack, 'OrganizationRoles', { auth, roles: [{ key: 'editor', texts: { en: 'Editor' }, permissions: ['films:edit'] }] })
 * ```
 */
export class OrganizationRoles extends Construct {
  constructor(scope: Construct, id: string, props: OrganizationRolesProps) {
    super(scope, id)
    createResource(this, 'organization_roles', props)
  }
}

/**
 * The props of `Branding`: the fields of `Branding` in `/docs`, with names in camel case.
 *
 * @example
 * ```ts
 * import type { BrandingProps } from '@latchkey/construct'
 *
 * export const props: Omit<BrandingProps, 'auth'> = { productName: 'Film library' }
 * ```
 */
export type BrandingProps = ResourceProps & CamelCase<BrandingConfig>

/**
 * Configures how pages and emails of the service look. Paths of images begin in the folder where the app runs.
 *
 * @example
 * ```ts
 * import { type AuthService, Branding } from '@latchkey/construct'
 * import type { Stack } from 'aws-cdk-lib'
 *
 * export const add = (stack: Stack, auth: AuthService) =>
 *   new Branding(stack, 'Branding', { auth, productName: 'Film library' })
 * ```
 */
export class Branding extends Construct {
  constructor(scope: Construct, id: string, props: BrandingProps) {
    super(scope, id)
    createResource(this, 'branding', props)
  }
}

/**
 * The props of `ProductBranding`: the name of a product in the setting `linkUrl`, and the fields of `products` in a configuration file,
 * with names in camel case.
 *
 * @example
 * ```ts
 * import type { ProductBrandingProps } from '@latchkey/construct'
 *
 * export const props: Omit<ProductBrandingProps, 'auth'> = { product: 'Shop', accentColor: '#b91c1c' }
 * ```
 */
export type ProductBrandingProps = ResourceProps &
  CamelCase<ProductBrandingConfig> & {
    /** The name of the product in the setting `linkUrl` of the service. */
    readonly product: string
  }

/**
 * Configures how pages and emails of one product look. What is left out is as in the service.
 *
 * @example
 * ```ts
 * import { type AuthService, ProductBranding } from '@latchkey/construct'
 * import type { Stack } from 'aws-cdk-lib'
 *
 * export const add = (stack: Stack, auth: AuthService) =>
 *   new ProductBranding(stack, 'Shop', { auth, product: 'Shop', accentColor: '#b91c1c' })
 * ```
 */
export class ProductBranding extends Construct {
  constructor(scope: Construct, id: string, props: ProductBrandingProps) {
    super(scope, id)
    createResource(this, 'product_branding', props)
  }
}

/**
 * The props of `EmailTexts`: the name of a product in the setting `linkUrl`, and the fields of `email_texts` in a configuration file, with
 * names in camel case.
 *
 * @example
 * ```ts
 * import type { EmailTextsProps } from '@latchkey/construct'
 *
 * export const props: Omit<EmailTextsProps, 'auth'> = { signUp: { en: { subject: 'Welcome to {product}', body: '[Go on]({link})' } } }
 * ```
 */
export type EmailTextsProps = ResourceProps &
  CamelCase<EmailTextsConfig> & {
    /** The name of a product in the setting `linkUrl` of the service. Without it, the words are those of the service. */
    readonly product?: string
  }

/**
 * Configures own words of the emails of the service or of one product. What is left out has the built-in words.
 *
 * @example
 * ```ts
 * import { type AuthService, EmailTexts } from '@latchkey/construct'
 * import type { Stack } from 'aws-cdk-lib'
 *
 * export const add = (stack: Stack, auth: AuthService) =>
 *   new EmailTexts(stack, 'EmailTexts', { auth, signUp: { en: { subject: 'Welcome to {product}', body: '[Go on]({link})' } } })
 * ```
 */
export class EmailTexts extends Construct {
  constructor(scope: Construct, id: string, props: EmailTextsProps) {
    super(scope, id)
    createResource(this, 'email_texts', props)
  }
}
