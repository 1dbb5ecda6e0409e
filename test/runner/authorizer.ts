import { allows, type ConditionValue, type Statement } from '../infra/policies.ts'

/** A call of an AWS service by a function, as IAM judges it. */
export interface AwsCall {
  readonly functionId: string
  readonly action: string
  readonly resource: string
  /** The values of condition keys. */
  readonly conditions?: Readonly<Record<string, ConditionValue | undefined>>
}

/** A part of a role's permissions: one action on one resource with one value of each condition. */
export interface SingleGrant {
  readonly functionId: string
  readonly statement: Statement
}

export interface Authorizer {
  /** Whether the role of the function allows the call. Remembers the call. */
  readonly may: (call: AwsCall) => boolean
  /** Returns the calls that were denied since the last call of this function. */
  readonly takeDenials: () => readonly string[]
  /** Calls of which each one used a different set of grants. */
  readonly samples: () => readonly AwsCall[]
  readonly denials: () => readonly string[]
}

type Conditions = Readonly<Record<string, ConditionValue>>

const listValues = (value: ConditionValue): readonly string[] => (typeof value === 'string' ? [value] : value)

/** All combinations of one value per condition. */
const combine = (conditions: Conditions): readonly Conditions[] =>
  Object.entries(conditions).reduce<readonly Conditions[]>(
    (combined, [name, value]) =>
      combined.flatMap((one) => listValues(value).map((single) => ({ ...one, [name]: single }))),
    [{}],
  )

/** Splits the statements of a role into their smallest parts. */
export const splitGrants = (functionId: string, statements: readonly Statement[]): readonly SingleGrant[] =>
  statements.flatMap(({ actions, resources, conditions }) =>
    actions.flatMap((action) =>
      resources.flatMap((resource) =>
        combine(conditions).map((single) => ({
          functionId,
          statement: { actions: [action], resources: [resource], conditions: single },
        })),
      ),
    ),
  )

/** The call for each partition key alone: a grant is for keys, and a call can name many of them. */
const splitKeys = (call: AwsCall): readonly AwsCall[] => {
  const keys = call.conditions?.['dynamodb:LeadingKeys']
  return keys === undefined
    ? [call]
    : listValues(keys).map((key) => ({
        ...call,
        conditions: { ...call.conditions, 'dynamodb:LeadingKeys': [key] },
      }))
}

/** Decides about calls by the statements of each function, and remembers which grants they used. */
export const createAuthorizer = (roles: ReadonlyMap<string, readonly Statement[]>): Authorizer => {
  const grants = new Map(
    [...roles].map(([functionId, statements]) => [functionId, splitGrants(functionId, statements)]),
  )
  const samples = new Map<string, AwsCall>()
  const known = new Map<string, boolean>()
  const denials: string[] = []
  let taken = 0

  const remember = (call: AwsCall): void => {
    const used = (grants.get(call.functionId) ?? []).flatMap(({ statement }, at) =>
      allows([statement], call.action, call.resource, call.conditions) ? [at] : [],
    )
    samples.set([call.functionId, ...used].join(' '), call)
  }
  const judge = (call: AwsCall): boolean => {
    const isAllowed = allows(roles.get(call.functionId) ?? [], call.action, call.resource, call.conditions)
    if (isAllowed) for (const one of splitKeys(call)) remember(one)
    return isAllowed
  }
  return {
    may: (call) => {
      const key = JSON.stringify(call)
      const isAllowed = known.get(key) ?? judge(call)
      known.set(key, isAllowed)
      if (!isAllowed) denials.push(`${call.functionId} ${call.action} ${call.resource}`)
      return isAllowed
    },
    takeDenials: () => {
      const fresh = denials.slice(taken)
      taken = denials.length
      return fresh
    },
    samples: () => [...samples.values()],
    denials: () => denials,
  }
}
