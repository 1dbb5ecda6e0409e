import * as cdk from 'aws-cdk-lib'
import type { IConstruct } from 'constructs'

/** Parts of the CDK that the oldest supported version does not have. */
const { Validations, CrossStackReferences, ReferenceStrength } = cdk as Partial<typeof cdk>

/** States why a construct breaks a rule of the plugins that check the app. */
export const acknowledge = (
  construct: IConstruct,
  rule: { readonly id: string; readonly reason: string },
): void => Validations?.of(construct).acknowledge(rule)

/**
 * Lets other stacks refer to resources without an export. CloudFormation refuses to change or delete what an export names while another
 * stack imports it. Older versions of the CDK only have exports.
 */
export const referWeakly = (resources: readonly IConstruct[]): void => {
  if (!CrossStackReferences || !ReferenceStrength) return
  for (const resource of resources) CrossStackReferences.of(resource).produce(ReferenceStrength.WEAK)
}
