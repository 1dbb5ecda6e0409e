import { CfnCondition, CfnOutput, type CfnResource, Fn, Stack, Token } from 'aws-cdk-lib'
import type { Construct } from 'constructs'

/** Regions without function URLs of Lambda, as its Developer Guide and its endpoints had them on 29 November 2026. */
export const regionsWithoutFunctionUrls = [
  'ap-east-2',
  'ap-south-2',
  'ap-southeast-4',
  'ap-southeast-5',
  'ap-southeast-6',
  'ap-southeast-7',
  'ca-west-1',
  'eu-central-2',
  'eu-south-2',
  'il-central-1',
  'me-central-1',
] as const

/** What a stack creates in regions with function URLs, and in others. CloudFormation chooses if the region is not known before. */
export interface UrlChoice {
  readonly withUrls?: Choice
  readonly withoutUrls?: Choice
  /** Returns the value for the region of the stack. */
  readonly choose: (withUrls: string | undefined, withoutUrls: string | undefined) => string
}

export interface Choice {
  /** Has CloudFormation create the resource or the output only in these regions. */
  readonly limit: (part: CfnResource | CfnOutput) => void
}

export const chooseByUrls = (scope: Construct): UrlChoice => {
  const stack = Stack.of(scope)
  const always = { limit: () => {} }
  const known = (value: string | undefined): string => {
    if (value === undefined) throw new Error('There is no value for the region of the stack.')
    return value
  }
  if (!Token.isUnresolved(stack.region))
    return regionsWithoutFunctionUrls.some((region) => region === stack.region)
      ? { withoutUrls: always, choose: (_, value) => known(value) }
      : { withUrls: always, choose: known }
  const condition = (id: string, create: () => CfnCondition['expression']): CfnCondition => {
    const expression = create()
    return (
      (stack.node.tryFindChild(id) as CfnCondition | undefined) ??
      new CfnCondition(stack, id, expression ? { expression } : {})
    )
  }
  const lacks = condition('LacksFunctionUrls', () =>
    Fn.conditionOr(...regionsWithoutFunctionUrls.map((region) => Fn.conditionEquals(stack.region, region))),
  )
  const has = condition('HasFunctionUrls', () => Fn.conditionNot(lacks))
  const limitTo = (to: CfnCondition): Choice => ({
    limit: (part) => {
      if (part instanceof CfnOutput) part.condition = to
      else part.cfnOptions.condition = to
    },
  })
  return {
    withUrls: limitTo(has),
    withoutUrls: limitTo(lacks),
    choose: (url, other) => Token.asString(Fn.conditionIf(has.logicalId, known(url), known(other))),
  }
}
