/*
 * Schemas of settings. They do without Zod, which the smallest functions do not load otherwise. A rule completes the name of
 * a setting to a sentence.
 */

export interface Schema<Given> {
  readonly kind: 'flag' | 'text' | 'list' | 'number' | 'choice' | 'object'
  readonly rule: string
  readonly accepts: (given: unknown) => given is Given
}

export const isText = (given: unknown): given is string => typeof given === 'string'

export const flag: Schema<boolean> = {
  kind: 'flag',
  rule: 'must be true or false',
  accepts: (given) => typeof given === 'boolean',
}

export const text: Schema<string> = { kind: 'text', rule: 'must be a text', accepts: isText }

export const list: Schema<readonly string[]> = {
  kind: 'list',
  rule: 'must be a list, or a text with commas between its entries',
  accepts: (given) => Array.isArray(given) && given.every(isText),
}

export const oneOf = <const Value extends string>(values: readonly Value[]): Schema<Value> => ({
  kind: 'choice',
  rule: `must be one of ${values.join(', ')}`,
  accepts: (given): given is Value => values.some((value) => value === given),
})

export const whole = (min: number, max = Number.MAX_SAFE_INTEGER): Schema<number> => ({
  kind: 'number',
  rule: `must be a whole number from ${min}${max < Number.MAX_SAFE_INTEGER ? ` to ${max}` : ''}`,
  accepts: (given): given is number =>
    typeof given === 'number' && Number.isInteger(given) && given >= min && given <= max,
})
