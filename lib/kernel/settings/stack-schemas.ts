import { isText, type Schema } from './schemas.ts'

/* Schemas and values of settings that only a stack has. */

export const removalPolicies = ['retain', 'destroy'] as const

export const priceClasses = ['100', '200', 'all'] as const

export const mailTlsPolicies = ['require', 'optional'] as const

const matching = (pattern: RegExp, rule: string): Schema<string> => ({
  kind: 'text',
  rule,
  accepts: (given): given is string => typeof given === 'string' && pattern.test(given),
})

export const stackName = matching(
  /^[a-z][a-z\d-]{0,127}$/i,
  'must start with a letter, and consist of at most 128 letters, digits and hyphens',
)

/** The numbers of days that CloudWatch can keep a log. */
export const logDays = [
  ...[
    1, 3, 5, 7, 14, 30, 60, 90, 120, 150, 180, 365, 400, 545, 731, 1096, 1827, 2192, 2557, 2922, 3288, 3653,
  ],
  // Not a number of days: CloudWatch then keeps the log forever.
  9999,
]

export const days: Schema<number> = {
  kind: 'number',
  rule: `must be one of ${logDays.join(', ')}`,
  accepts: (given): given is number => typeof given === 'number' && logDays.includes(given),
}

export const topicArn = matching(
  /^arn:aws[a-z-]*:sns:[a-z\d-]+:\d{12}:[\w-]+$/,
  'must be the ARN of a topic, such as arn:aws:sns:eu-central-1:111122223333:alarms',
)

/** Products, each with a name, or with a name and one of its accounts. */
export const products: Schema<readonly string[]> = {
  kind: 'list',
  rule: 'must list products, such as films, or films=444455556666 for an account that may configure it',
  accepts: (given): given is readonly string[] =>
    Array.isArray(given) && given.every((one) => isText(one) && /^[a-z][a-z\d-]*(=\d{12})?$/.test(one)),
}

/** No wildcard, which would be every account of AWS. */
export const accounts: Schema<readonly string[]> = {
  kind: 'list',
  rule: 'must list AWS accounts, each with its 12 digits',
  accepts: (given): given is readonly string[] =>
    Array.isArray(given) && given.every((one) => isText(one) && /^\d{12}$/.test(one)),
}

export const region = matching(/^[a-z]+(-[a-z\d]+)*$/, 'must be the name of a region, such as eu-central-1')
