import { CfnOutput, type NestedStack, Token } from 'aws-cdk-lib'
import { Grant, type IGrantable } from 'aws-cdk-lib/aws-iam'
import { Construct } from 'constructs'
import {
  isProductName,
  productNameRule,
  productUrlSuffix,
} from '../../lib/features/configuration/door.models.ts'
import { readLastArgument } from '../../lib/kernel/options/check-options.ts'
import { accounts as accountsSchema } from '../../lib/kernel/settings/stack-schemas.ts'
import { addAlias, addUrl, allowUrl, type ConfigFunction, type ConfigureAction } from '../parts/config.ts'
import { chooseByUrls } from '../parts/function-urls.ts'
import { pascalCase } from '../parts/functions.ts'
import type { ConfigurableService } from './resource-props.ts'

/**
 * The props of `addProduct`.
 *
 * @example
 * ```ts
 * import type { AuthProductProps } from '@latchkey/construct'
 *
 * export const props: AuthProductProps = { accounts: ['444455556666'] }
 * ```
 */
export interface AuthProductProps {
  /** Other AWS accounts whose stacks and files may configure the product, in the same region. At most 25. */
  readonly accounts?: readonly string[]
}

/** One account takes about 730 bytes of the policy of an alias, and Lambda allows 20 KB. */
const mostAccounts = 25

/**
 * A product of a service. Its stacks and files configure clients and APIs of the product, and nothing else: those who deploy it are no
 * administrators. Create it with `addProduct`, and pass it as `auth` to constructs such as `OidcClient`.
 *
 * @example
 * ```ts
 * import { App, Stack } from 'aws-cdk-lib'
 * import { AuthService } from '@latchkey/construct'
 *
 * const auth = new AuthService(new Stack(new App(), 'Latchkey'), 'Auth')
 * export const films = auth.addProduct('films', { accounts: ['444455556666'] })
 * ```
 */
export class AuthProduct extends Construct implements ConfigurableService {
  /** What constructs of the product send their events to: an alias, which is the product. */
  readonly configFunctionArn: string
  readonly configRoleArn: string
  /** Where `latchkey config --function` sends files of the product: a URL, or the alias in regions without function URLs. */
  readonly configUrl: string
  readonly #actions: readonly ConfigureAction[]

  /** @internal */
  constructor(
    scope: NestedStack,
    name: string,
    given: readonly [props?: AuthProductProps],
    { target, roleArn }: ConfigFunction,
  ) {
    const { accounts = [] } = readLastArgument(given, { accounts: 'any' }, 'a prop of a product')
    if (!isProductName(name)) throw new Error(`The name of the product "${name}" ${productNameRule}.`)
    if (!accountsSchema.accepts(accounts))
      throw new Error(`accounts of the product ${name} ${accountsSchema.rule}.`)
    const admitted = [...new Set(accounts)]
    if (admitted.length > mostAccounts)
      throw new Error(
        `The product ${name} has ${admitted.length} accounts, and the policy of its alias takes ${mostAccounts}.`,
      )
    super(scope, pascalCase(name))
    const common = { target, accounts: admitted }
    const { withUrls, choose } = chooseByUrls(this)
    const aliasArn = addAlias(this, 'Alias', { ...common, aliasName: name })
    const urlName = `${name}${productUrlSuffix}`
    const url = withUrls && addUrl(this, 'Url', { ...common, aliasName: urlName, ...withUrls })
    this.configFunctionArn = aliasArn
    this.configRoleArn = roleArn
    // The stack above could not refer to a URL that does not exist in its region.
    const address = new CfnOutput(this, 'Address', { value: choose(url, aliasArn) })
    this.configUrl = Token.asString(
      scope.nestedStackResource?.getAtt(`Outputs.${scope.getLogicalId(address)}`),
    )
    this.#actions = [
      { action: 'lambda:InvokeFunction', resource: `${target.functionArn}:${name}` },
      ...(withUrls ? allowUrl(`${target.functionArn}:${urlName}`) : []),
    ]
  }

  /** Lets a role deploy the product: its constructs by CloudFormation, and its files. */
  grantConfigure(grantee: IGrantable): Grant {
    return grantActions(grantee, this.#actions)
  }
}

/** @internal */
export const grantActions = (grantee: IGrantable, allowed: readonly ConfigureAction[]): Grant => {
  const actions = [...new Set(allowed.map(({ action }) => action))]
  const [first = Grant.drop(grantee, 'nothing to allow'), ...others] = actions.map((action) =>
    Grant.addToPrincipal({
      grantee,
      actions: [action],
      resourceArns: allowed.filter((one) => one.action === action).map(({ resource }) => resource),
    }),
  )
  return others.reduce((all, one) => all.combine(one), first)
}
