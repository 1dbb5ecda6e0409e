/** Collects the names and values that a DynamoDB expression refers to, so that none is ever written into its text. */
export interface Expressions {
  /** A document path, one name a level: `path('tickets', hash)`. */
  path(...names: string[]): string
  value(value: unknown): string
  attributes(): {
    ExpressionAttributeNames?: Record<string, string>
    ExpressionAttributeValues?: Record<string, unknown>
  }
}

export const expressions = (): Expressions => {
  const names = new Map<string, string>()
  const values: Record<string, unknown> = {}
  const placeholder = (name: string): string => {
    const known = names.get(name)
    if (known) return known
    const made = `#n${names.size}`
    names.set(name, made)
    return made
  }
  return {
    path: (...parts) => parts.map(placeholder).join('.'),
    value: (value) => {
      const made = `:v${Object.keys(values).length}`
      values[made] = value
      return made
    },
    attributes: () => ({
      ...(names.size > 0
        ? { ExpressionAttributeNames: Object.fromEntries([...names].map(([name, made]) => [made, name])) }
        : {}),
      ...(Object.keys(values).length > 0 ? { ExpressionAttributeValues: values } : {}),
    }),
  }
}

export type Condition = (x: Expressions) => string

/** The clauses of an update: each text of `set` is an assignment, each of `remove` a path. */
export interface Changes {
  readonly set?: readonly string[]
  readonly remove?: readonly string[]
  /** A path and members to put into the set there, or to take out of it: `path value`. */
  readonly include?: string
  readonly exclude?: string
  readonly condition?: string
}
export type Update = (x: Expressions) => Changes

export const isAbsent: Condition = (x) => `attribute_not_exists(${x.path('pk')})`
export const isPresent: Condition = (x) => `attribute_exists(${x.path('pk')})`

/** Marks a one-time item as used up; refuses when it was, or has expired. */
export const takeUpdate =
  (nowSeconds: number): Update =>
  (x) => ({
    set: [`${x.path('taken_at')} = ${x.value(nowSeconds)}`],
    condition: `${x.path('expires_at')} > ${x.value(nowSeconds)} AND attribute_not_exists(${x.path('taken_at')})`,
  })

export const updateExpression = ({ set = [], remove = [], include, exclude }: Changes): string =>
  [
    set.length > 0 ? `SET ${set.join(', ')}` : '',
    remove.length > 0 ? `REMOVE ${remove.join(', ')}` : '',
    include ? `ADD ${include}` : '',
    exclude ? `DELETE ${exclude}` : '',
  ]
    .filter((clause) => clause !== '')
    .join(' ')
