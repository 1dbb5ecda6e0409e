/* What `import … from '@latchkey/construct'` offers: the construct, its props, and the parts of the front door. */

export { AuthService } from '../../infra/auth-service.ts'
export type {
  AuthorizerFunctionOptions,
  AuthorizerOptions,
  RequestAuthorizerOptions,
} from '../../infra/authorizers/authorizer-options.ts'
export {
  type AuthServiceAttributes,
  ImportedAuthService,
} from '../../infra/authorizers/imported-auth-service.ts'
export { AuthProduct, type AuthProductProps } from '../../infra/configuration/auth-product.ts'
export {
  AgentPolicy,
  type AgentPolicyProps,
  Branding,
  type BrandingProps,
  EmailTexts,
  type EmailTextsProps,
  Group,
  type GroupProps,
  type KnownOidcClient,
  OidcClient,
  type OidcClientAttributes,
  type OidcClientProps,
  OidcConnection,
  type OidcConnectionProps,
  OrganizationPolicy,
  type OrganizationPolicyProps,
  OrganizationRoles,
  type OrganizationRolesProps,
  PasswordPolicy,
  type PasswordPolicyProps,
  ProductBranding,
  type ProductBrandingProps,
  ProtectedApi,
  type ProtectedApiProps,
  SamlConnection,
  type SamlConnectionProps,
  ServiceAccount,
  type ServiceAccountProps,
  SignInPolicy,
  type SignInPolicyProps,
  SignUpPolicy,
  type SignUpPolicyProps,
  UserAttributes,
  type UserAttributesProps,
  UserTemplate,
  type UserTemplateProps,
} from '../../infra/configuration/constructs.ts'
export type { AuthServiceProps } from '../../infra/settings/auth-service-props.ts'
export type {
  AdoptedTable,
  DomainProps,
  FrontDoorProps,
  HooksProps,
  HostedZoneProps,
  SignInHookProps,
  SignUpHookProps,
  TokenHookProps,
} from '../../lib/kernel/settings/object-settings.ts'
export type { ApiReferenceMode } from '../../lib/kernel/settings/service-settings.ts'
