/** What the service calls: a Lambda function of the operator, or a program on this machine in local mode. */
export type FunctionTarget =
  | { readonly kind: 'function'; readonly arn: string; readonly region: string; readonly partition: string }
  | { readonly kind: 'local'; readonly url: string }

const functionPattern =
  /^arn:(?<partition>aws|aws-cn|aws-us-gov|aws-eusc):lambda:(?<region>[a-z\d-]{1,40}):\d{12}:function:[\w-]{1,64}(?::[\w$-]{1,128})?$/

/** Reads the target. Returns an error text, to be put after the name of the setting, if it is invalid. */
export const readFunctionTarget = (text: string): FunctionTarget | string => {
  const { partition, region } = functionPattern.exec(text)?.groups ?? {}
  if (partition && region) return { kind: 'function', arn: text, region, partition }
  return isLoopbackUrl(text)
    ? { kind: 'local', url: text }
    : 'must be the ARN of a Lambda function, or in local mode a URL such as http://127.0.0.1:4000/check'
}

const isLoopbackUrl = (text: string): boolean => {
  const url = URL.parse(text)
  if (url?.protocol !== 'http:' || url.hostname !== '127.0.0.1') return false
  return `${url.username}${url.password}${url.hash}` === ''
}
