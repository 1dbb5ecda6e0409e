import { App, NestedStack, Stack } from 'aws-cdk-lib'
import { Code, Function as LambdaFunction, Runtime } from 'aws-cdk-lib/aws-lambda'
import { describe, expect, it } from 'vitest'
import { ImportedAuthService } from '../../infra/authorizers/imported-auth-service.ts'
import { AuthProduct, type AuthProductProps } from '../../infra/configuration/auth-product.ts'
import { listPropNames } from '../../infra/configuration/configuration-resource.ts'
import {
  AgentPolicy,
  Branding,
  EmailTexts,
  Group,
  OidcClient,
  OidcConnection,
  OrganizationPolicy,
  OrganizationRoles,
  PasswordPolicy,
  ProductBranding,
  ProtectedApi,
  SamlConnection,
  ServiceAccount,
  SignInPolicy,
  SignUpPolicy,
  UserAttributes,
  UserTemplate,
} from '../../infra/configuration/constructs.ts'
import { findPropProblems, throwProblems } from '../../infra/settings/check-props.ts'
import type { ManagedKind } from '../../lib/kernel/contract/managed-kinds.ts'
import { listNearMisses, listOptionNames, listOptionTypes, withField } from '../support/option-names.ts'

/* An option that is misspelt or undefined does not mean what its author wanted. An API without its requirement is open. */

const createStack = () => new Stack(new App(), 'Product', { env: { account: '1', region: 'us-east-1' } })
const stack = createStack()
const attributes = {
  url: 'https://auth.example.com',
  authorizerArn: 'arn:aws:lambda:us-east-1:1:function:authorizer',
}
const auth = new ImportedAuthService(stack, 'Auth', attributes)
const configurable = {
  configFunctionArn: 'arn:aws:lambda:us-east-1:1:function:config',
  configRoleArn: 'arn:aws:iam::1:role/config',
}
const domain = { name: 'auth.example.com', hostedZone: { id: 'Z0000000000000', name: 'example.com' } }
const frontDoor = { certificateArn: 'arn:aws:acm:us-east-1:111122223333:certificate/example' }
const arn = 'arn:aws:dynamodb:us-east-1:111122223333:table/Latchkey/stream/2026-01-01T00:00:00.000'
const hookArn = 'arn:aws:lambda:us-east-1:111122223333:function:hook:live'
const createProduct = (props: AuthProductProps) => {
  const scope = createStack()
  const target = new LambdaFunction(scope, 'Config', {
    ...{ code: Code.fromInline('none'), handler: 'index.handler', runtime: Runtime.NODEJS_24_X },
  })
  const { configRoleArn: roleArn } = configurable
  return new AuthProduct(new NestedStack(scope, 'Products'), 'films', [props], { target, roleArn })
}
/** The construct checks its props with this, before it creates anything. */
const useProps = (props: object) => throwProblems(findPropProblems(props, 'us-east-1'))

interface Row {
  readonly type: string
  /** The names of the options, if no interface has them. */
  readonly names?: readonly string[]
  /** How the options are given. */
  readonly to: string
  readonly valid?: object
  readonly use: (options: never) => unknown
}

type ConfigurationConstruct = new (scope: Stack, id: string, props: never) => unknown

/** The constructs that configure a service, with the props that each needs. */
const configuring: readonly (readonly [ConfigurationConstruct, kind: ManagedKind, valid: object])[] = [
  [ProtectedApi, 'api', { key: 'films', name: 'Films', audience: 'urn:films' }],
  [Group, 'group', { key: 'viewers', name: 'Viewers' }],
  [UserTemplate, 'user_template', { key: 'staff', name: 'Staff' }],
  [OidcClient, 'client', { key: 'web', name: 'Web', type: 'public', redirectUris: ['https://a.example/cb'] }],
  [
    SamlConnection,
    'saml_provider',
    { key: 'acme', entityId: 'urn:acme', ssoUrl: 'https://acme.example/sso', certificate: 'PEM' },
  ],
  [
    OidcConnection,
    'oidc_connection',
    { key: 'acme', name: 'Acme', issuer: 'https://acme.example', clientId: 'films' },
  ],
  [ServiceAccount, 'service_account', { key: 'links', scopes: ['media:access'] }],
  [UserAttributes, 'user_attributes', { attributes: [{ name: 'desk', type: 'text' }] }],
  [PasswordPolicy, 'password_policy', { minLength: 14 }],
  [SignInPolicy, 'sign_in_policy', { allowEmailCodes: true }],
  [SignUpPolicy, 'sign_up_policy', { mode: 'open' }],
  [AgentPolicy, 'agent_policy', { hosts: [] }],
  [OrganizationPolicy, 'organization_policy', { creationsMax: 2 }],
  [OrganizationRoles, 'organization_roles', { roles: [] }],
  [Branding, 'branding', { productName: 'Films' }],
  [ProductBranding, 'product_branding', { product: 'Shop' }],
  [EmailTexts, 'email_texts', { signUp: { en: { subject: 'Hi', body: '[Go on]({link})' } } }],
]

const rows: readonly Row[] = [
  ...configuring.map(([Configuring, kind, valid]) => ({
    ...{ type: `${Configuring.name}Props`, to: Configuring.name, names: listPropNames(kind) },
    valid: { auth: configurable, ...valid },
    use: (props: never) => new Configuring(createStack(), 'Configured', props),
  })),
  {
    ...{ type: 'AuthorizerOptions', to: 'restTokenAuthorizer' },
    use: (options) => auth.restTokenAuthorizer(createStack(), 'Token', options),
  },
  {
    ...{ type: 'AuthorizerOptions', to: 'graphqlAuthorization' },
    use: (options) => auth.graphqlAuthorization(createStack(), 'Graph', options),
  },
  {
    ...{ type: 'RequestAuthorizerOptions', to: 'authorizer' },
    use: (options) => auth.authorizer(options),
  },
  {
    ...{ type: 'RequestAuthorizerOptions', to: 'restRequestAuthorizer' },
    use: (options) => auth.restRequestAuthorizer(createStack(), 'Request', options),
  },
  {
    ...{ type: 'AuthorizerFunctionOptions', to: 'authorizerFunction' },
    use: (options) => auth.authorizerFunction(options),
  },
  {
    ...{
      type: 'JwtAuthorizerOptions',
      to: 'jwtAuthorizer',
      valid: { audience: 'https://films.example.com' },
    },
    use: (options) => auth.jwtAuthorizer(options),
  },
  {
    ...{ type: 'AuthServiceAttributes', to: 'fromAttributes', valid: attributes },
    use: (options) => new ImportedAuthService(createStack(), 'Other', options),
  },
  {
    ...{ type: 'AuthProductProps', to: 'addProduct', valid: { accounts: ['444455556666'] } },
    use: createProduct,
  },
  {
    ...{ type: 'OidcClientAttributes', to: 'fromAttributes of a client', valid: { clientId: 'web' } },
    use: (options) => OidcClient.fromAttributes(createStack(), 'Web', options),
  },
  { ...{ type: 'AuthServiceProps', to: 'AuthService' }, use: useProps },
  {
    ...{ type: 'DomainProps', to: 'AuthService', valid: domain },
    use: (given) => useProps({ domain: given }),
  },
  {
    ...{ type: 'HostedZoneProps', to: 'AuthService', names: ['id', 'name'], valid: domain.hostedZone },
    use: (hostedZone) => useProps({ domain: { ...domain, hostedZone } }),
  },
  {
    ...{ type: 'FrontDoorProps', to: 'AuthService', valid: frontDoor },
    // `true` is a front door, too.
    use: (given) => useProps({ domain, frontDoor: given === true ? 'true!' : given }),
  },
  {
    ...{ type: 'AdoptedTable', to: 'AuthService', valid: { name: 'Latchkey', streamArn: arn } },
    use: (given) => useProps({ table: given }),
  },
  {
    ...{ type: 'HooksProps', to: 'AuthService', valid: { afterSignIn: { function: hookArn } } },
    use: (given) => useProps({ hooks: given }),
  },
  {
    ...{ type: 'SignUpHookProps', to: 'AuthService', valid: { function: hookArn, groups: ['Customers'] } },
    use: (given) => useProps({ hooks: { beforeSignUp: given } }),
  },
  {
    ...{ type: 'SignInHookProps', to: 'AuthService', valid: { function: hookArn } },
    use: (given) => useProps({ hooks: { afterSignIn: given } }),
  },
  {
    ...{ type: 'TokenHookProps', to: 'AuthService', valid: { function: hookArn, claims: ['plan'] } },
    use: (given) => useProps({ hooks: { beforeToken: given } }),
  },
]

it('the rows are all options of the package', () => {
  const exported = listOptionTypes('build/package/construct.ts')
  // The construct of user attributes is named like options.
  const types = new Set([...rows.map(({ type }) => type), 'UserAttributes'])
  expect(exported.filter((type) => !types.has(type))).toEqual([])
  expect(exported.length).toBeGreaterThan(7)
})

describe.each(rows)('$type of $to', ({ type, to, names: knownNames, valid = {}, use }) => {
  const names = knownNames ?? listOptionNames(type)
  const given = (name: string, value: unknown) => () => use(withField(valid, name, value) as never)

  it('is accepted', () => {
    expect(names.length).toBeGreaterThan(0)
    expect(() => use(valid as never)).not.toThrow()
  })

  it('is refused with a name that is misspelt, and says which one is meant', () => {
    for (const name of listNearMisses(names)) {
      expect(given(name, 'films:edit'), name).toThrow(`"${name}" is not a`)
      expect(given(name, undefined), name).toThrow(' is not a')
    }
    for (const name of names) expect(given(`${name}s`, '')).toThrow(/Did you mean \w+\?/)
  })

  it('is refused with a value that is undefined', () => {
    for (const name of names) expect(given(name, undefined), name).toThrow(`${name} is undefined. Set it`)
  })

  it('is refused with another object, and in another form', () => {
    for (const options of [true, 'films:edit', ['films:edit'], new Map([['permission', 'films:edit']])])
      expect(() => use(options as never)).toThrow(/Expected an object|must be .*an object| is not a/)
    expect(() => use(Object.create({ ...valid, [`${names[0]}`]: 'a' }) as never)).toThrow(
      /Expected an object|must be .*an object/,
    )
  })

  it('is refused if it is a missing constant', () => {
    if (to === 'AuthService') return
    expect(() => use(undefined as never)).toThrow('Expected an object')
  })
})
