/**
 * The tag of the stacks of a service, with the name of its main stack. CloudFormation puts it on their resources. It does not put tags
 * with its own prefix on KMS keys.
 */
export const stackTag = 'latchkey:stack'
