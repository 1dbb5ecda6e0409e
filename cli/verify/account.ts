import * as z from 'zod/mini'
import { type Aws, findChild, listMembers, openAws, textOf } from './aws.ts'
import { Failed, Skipped } from './check.ts'
import { parseJson } from './request.ts'

export interface StackResource {
  readonly id: string
  readonly type: string
  readonly name: string
}

/** What CloudFormation knows about a deployed stack. */
export interface DeployedStack {
  readonly status: string
  /** Finds an output by the end of its name, which CloudFormation extends at both ends. */
  readonly findOutput: (name: string) => string | undefined
  /** The resources, also those of nested stacks. */
  readonly resources: readonly StackResource[]
}

export interface AccountOptions {
  readonly origin: string
  readonly stack: string | undefined
  readonly table: string | undefined
  /** Ends all calls. */
  readonly signal: AbortSignal
}

/** What the checks of the account share. Each part is read once. */
export interface Account {
  readonly origin: string
  readonly aws: () => Promise<Aws>
  /** @throws Skipped if there are no credentials */
  readonly awsIn: (region: string) => Promise<Aws>
  /** Undefined if only a table is named. */
  readonly stackName: string | undefined
  /** The stack, with the reason if it could not be read. */
  readonly readingStack: () => Promise<DeployedStack>
  /** @throws Skipped if no stack is named, or if it could not be read */
  readonly stack: () => Promise<DeployedStack>
  readonly template: () => Promise<Template>
  readonly tableName: () => Promise<string>
}

export const openAccount = ({ origin, stack: stackName, table, signal }: AccountOptions): Account => {
  const aws = once(async () => {
    if (stackName === undefined && table === undefined)
      throw new Skipped(
        'Pass --stack with the name of the stack, and have AWS credentials in the environment.',
      )
    return awsIn()
  })
  const awsIn = (region?: string) =>
    openAws(signal, region).catch(() => {
      throw new Skipped('There are no AWS credentials in the environment, or AWS_REGION is not set.')
    })
  const readingStack = once(async () => {
    const client = await aws()
    if (stackName === undefined) throw new Skipped('Pass --stack with the name of the stack.')
    return readStack(client, stackName)
  })
  const stack = () =>
    readingStack().catch((error: unknown) => {
      throw error instanceof Skipped ? error : new Skipped('The stack could not be read.')
    })
  const template = once(async () => {
    await stack()
    return readTemplate(await aws(), stackName ?? '')
  })
  const tableName = async () => table ?? requireOutput(await stack(), 'TableName')
  return { origin, aws, awsIn, readingStack, stack, template, tableName, stackName }
}

/** Calls at most once, also if the result is an error. */
const once = <Result>(call: () => Promise<Result>): (() => Promise<Result>) => {
  let result: Promise<Result> | undefined
  return () => {
    result ??= call()
    return result
  }
}

export const requireOutput = (stack: DeployedStack, name: string): string => {
  const value = stack.findOutput(name)
  if (value === undefined) throw new Skipped(`The stack has no output ${name}.`)
  return value
}

/** @throws Failed if AWS answers with something else */
export const read = <Schema extends z.ZodMiniType>(schema: Schema, answer: unknown): z.output<Schema> => {
  const result = z.safeParse(schema, answer)
  if (!result.success) throw new Failed('The answer of AWS does not have the expected form.')
  return result.data
}

/** @throws Failed or Skipped if the stack cannot be read */
const readStack = async (aws: Aws, name: string): Promise<DeployedStack> => {
  const [stack] = listMembers(
    await aws.query('cloudformation', 'DescribeStacks', { StackName: name }),
    'Stacks',
  )
  if (!stack) throw new Failed(`There is no stack ${name} in this account and region.`)
  const outputs = listMembers(stack, 'Outputs').map(
    (output) => [textOf(output, 'OutputKey'), textOf(output, 'OutputValue')] as const,
  )
  return {
    status: textOf(stack, 'StackStatus'),
    findOutput: (wanted) => {
      const pattern = new RegExp(`${wanted}(?:[0-9A-F]{8})?$`)
      return outputs.find(([key]) => pattern.test(key))?.[1]
    },
    resources: await listResources(aws, name),
  }
}

const nestedStack = 'AWS::CloudFormation::Stack'
/** CloudFormation allows 500 resources in a stack, and lists 100 in a call. */
const maxPages = 10

/** Nested stacks have no nested stacks of their own. */
export const listResources = async (aws: Aws, stack: string): Promise<readonly StackResource[]> => {
  const own = await listOwnResources(aws, stack)
  const nested = own.filter(({ type }) => type === nestedStack)
  const theirs = await Promise.all(nested.map(({ name }) => listOwnResources(aws, name)))
  return [...own, ...theirs.flat()]
}

/** The resources of one stack, without those of nested stacks. */
export const listOwnResources = async (aws: Aws, stack: string): Promise<readonly StackResource[]> => {
  const found: StackResource[] = []
  let token = ''
  for (let page = 0; page < maxPages; page++) {
    const input = { StackName: stack, ...(token ? { NextToken: token } : {}) }
    const answer = await aws.query('cloudformation', 'ListStackResources', input)
    for (const member of listMembers(answer, 'StackResourceSummaries'))
      found.push({
        id: textOf(member, 'LogicalResourceId'),
        type: textOf(member, 'ResourceType'),
        name: textOf(member, 'PhysicalResourceId'),
      })
    token = findChild(answer, 'NextToken')?.text ?? ''
    if (!token) break
  }
  return found
}

const Statement = z.object({ Action: z.optional(z.unknown()), Condition: z.optional(z.unknown()) })
const Policy = z.object({ PolicyDocument: z.object({ Statement: z.array(Statement) }) })
const Variables = z.object({ Variables: z.optional(z.record(z.string(), z.unknown())) })
const Properties = z.object({
  Policies: z.optional(z.array(z.union([Policy, z.unknown()]))),
  Environment: z.optional(Variables),
})
const Template = z.object({
  Resources: z.record(z.string(), z.object({ Type: z.string(), Properties: z.optional(z.unknown()) })),
})

/** What the checks read of the template of the stack. */
export interface Template {
  /** The statements of roles. */
  readonly statements: readonly z.output<typeof Statement>[]
  /** A variable of the functions, if one of them has it as a text. */
  readonly findVariable: (name: string) => string | undefined
  /** The requests that the API accepts. */
  readonly throttle: Throttle | undefined
}

export interface Throttle {
  /** Requests a second. */
  readonly rate: number
  readonly burst: number
}

const Stage = z.object({
  DefaultRouteSettings: z.object({ ThrottlingRateLimit: z.number(), ThrottlingBurstLimit: z.number() }),
})

const readThrottle = (properties: unknown): Throttle | undefined => {
  const { DefaultRouteSettings: given } = z.safeParse(Stage, properties).data ?? {}
  return given && { rate: given.ThrottlingRateLimit, burst: given.ThrottlingBurstLimit }
}

const readTemplate = async (aws: Aws, name: string): Promise<Template> => {
  const result = await aws.query('cloudformation', 'GetTemplate', { StackName: name })
  const template = z.safeParse(Template, parseJson(textOf(result, 'TemplateBody')))
  if (!template.success) throw new Skipped('The template of the stack cannot be read.')
  const resources = Object.values(template.data.Resources)
  const propertiesOf = (type: string) =>
    resources.flatMap(({ Type, Properties: given }) => {
      const found = Type === type ? z.safeParse(Properties, given) : undefined
      return found?.success ? [found.data] : []
    })
  return {
    throttle: readThrottle(resources.find(({ Type }) => Type === 'AWS::ApiGatewayV2::Stage')?.Properties),
    statements: propertiesOf('AWS::IAM::Role')
      .flatMap(({ Policies = [] }) => Policies)
      .flatMap((policy) => z.safeParse(Policy, policy).data?.PolicyDocument.Statement ?? []),
    findVariable: (wanted) => {
      const values = propertiesOf('AWS::Lambda::Function').map(
        ({ Environment }) => new Map(Object.entries(Environment?.Variables ?? {})),
      )
      const found = values.map((variables) => variables.get(wanted)).find((value) => value !== undefined)
      return typeof found === 'string' ? found : undefined
    },
  }
}
