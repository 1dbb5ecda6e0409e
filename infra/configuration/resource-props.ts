import type { ISecret } from 'aws-cdk-lib/aws-secretsmanager'
import type { IDependable } from 'constructs'

/** `redirect_uris` becomes `redirectUris`. */
type CamelName<Name> = Name extends `${infer Start}_${infer Rest}`
  ? `${Start}${Capitalize<CamelName<Rest>>}`
  : Name

/** The fields of the API with names in camel case, also inside of them. */
export type CamelCase<Value> = Value extends readonly (infer Item)[]
  ? readonly CamelCase<Item>[]
  : Value extends object
    ? { readonly [Name in keyof Value as CamelName<Name>]: CamelCase<Value[Name]> }
    : Value

/** A service that constructs configure: of this app, or an imported one. */
export interface ConfigurableService {
  readonly configFunctionArn: string | undefined
  /** The role of the function, which fills the secrets of clients. */
  readonly configRoleArn?: string | undefined
}

/** A secret in Secrets Manager: a `Secret`, or one that you imported. */
export type ReadableSecret = Pick<ISecret, 'secretArn' | 'encryptionKey' | 'addToResourcePolicy'>

/** A secret that the function of the service uses. */
export interface ResourceSecret {
  readonly secretArn: string
  readonly version: number
  /** What lets the function use it. */
  readonly policy: IDependable | undefined
}

export interface ResourceProps {
  /** The service to configure. */
  readonly auth: ConfigurableService
  /**
   * Who manages it in the service. No file or stack of another owner can change it, and a stack with the same owner can: one that has
   * another name, or that is in another account. Default: the name of the stack, in lower case. For products, and for stacks of other
   * accounts, the number of the account follows.
   */
  readonly configOwner?: string
  /**
   * What becomes of it when the construct is removed. `keep`: it stays in the service, and no stack manages it. `delete`: it is deleted.
   * Default: `keep` for clients, because people sign in with them, and for what the construct adopted, else `delete`. Settings always stay.
   */
  readonly onRemove?: 'keep' | 'delete'
  /**
   * Any other text sends the same properties again, after people have changed something in the service. CloudFormation does not send equal
   * properties.
   */
  readonly reapply?: string
}
