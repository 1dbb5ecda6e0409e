/* What `import … from 'latchkey'` offers: the construct, its props, and the parts of the front door. */

export type { ApiReferenceMode } from '../../lib/core/api-reference.ts'
export type { AdoptedTable } from '../adoption.ts'
export { AuthService } from '../auth-service.ts'
export type { AuthServiceProps, DomainProps } from '../auth-service-props.ts'
export type {
  AuthorizerFunctionOptions,
  AuthorizerOptions,
  RequestAuthorizerOptions,
} from '../authorizer-options.ts'
export type { FrontDoorProps } from '../front-door-props.ts'
export { createFrontDoorLog, createFrontDoorParts, type FrontDoorSettings } from '../front-door-stacks.ts'
