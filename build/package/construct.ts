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
export {
  Branding,
  type BrandingProps,
  Group,
  type GroupProps,
  OidcClient,
  type OidcClientProps,
  OidcConnection,
  type OidcConnectionProps,
  PasswordPolicy,
  type PasswordPolicyProps,
  ProtectedApi,
  type ProtectedApiProps,
  SamlConnection,
  type SamlConnectionProps,
  SignInPolicy,
  type SignInPolicyProps,
  SignUpPolicy,
  type SignUpPolicyProps,
  UserAttributes,
  type UserAttributesProps,
  UserTemplate,
  type UserTemplateProps,
} from '../../infra/configuration/constructs.ts'
export type { FrontDoorProps } from '../../infra/front-door/front-door-props.ts'
export {
  createFrontDoorAlarms,
  createFrontDoorLog,
  createFrontDoorParts,
  type FrontDoorAlarmOptions,
  type FrontDoorSettings,
} from '../../infra/front-door/front-door-stacks.ts'
export type { AdoptedTable } from '../../infra/parts/adoption.ts'
export type { AuthServiceProps, DomainProps } from '../../infra/settings/auth-service-props.ts'
export type { ApiReferenceMode } from '../../lib/kernel/settings/service-settings.ts'
