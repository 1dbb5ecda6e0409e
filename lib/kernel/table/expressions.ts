/** Collects the names and values of a DynamoDB expression, so that its text contains only placeholders. */
export interface Expressions {
  /** A document path with one name for each level: `path('tickets', hash)`. */
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
  const getPlaceholder = (name: string): string => {
    const placeholder = names.get(name) ?? `#n${names.size}`
    names.set(name, placeholder)
    return placeholder
  }
  return {
    path: (...parts) => parts.map(getPlaceholder).join('.'),
    value: (value) => {
      const placeholder = `:v${Object.keys(values).length}`
      values[placeholder] = value
      return placeholder
    },
    attributes: () => ({
      ...(names.size > 0
        ? {
            ExpressionAttributeNames: Object.fromEntries(
              [...names].map(([name, placeholder]) => [placeholder, name]),
            ),
          }
        : {}),
      ...(Object.keys(values).length > 0 ? { ExpressionAttributeValues: values } : {}),
    }),
  }
}

export type Condition = (x: Expressions) => string

/** The clauses of an update. `set` contains assignments, `remove` contains paths. */
export interface Changes {
  readonly set?: readonly string[]
  readonly remove?: readonly string[]
  /** A path to a set, and the members to add or delete: `path value`. */
  readonly include?: string
  readonly exclude?: string
  readonly condition?: string
}
export type Update = (x: Expressions) => Changes

// The name of the partition key is no reserved word, so it needs no placeholder. Most steps of transactions have one of these.
export const isAbsent: Condition = () => 'attribute_not_exists(pk)'
export const isPresent: Condition = () => 'attribute_exists(pk)'

/** Counts one more, and fails at the limit. */
export const increaseCount =
  (limit: number): Update =>
  (x) => {
    const path = x.path('count')
    return {
      set: [`${path} = if_not_exists(${path}, ${x.value(0)}) + ${x.value(1)}`],
      condition: `attribute_not_exists(${path}) OR ${path} < ${x.value(limit)}`,
    }
  }

/** Counts that many less. */
export const decreaseCountBy =
  (by: number): Update =>
  (x) => ({ set: [`${x.path('count')} = ${x.path('count')} - ${x.value(by)}`] })

/** Counts one less. */
export const decreaseCount: Update = decreaseCountBy(1)

/** Marks a one-time item as used. Fails if it was used before, has expired, or has another value of `given`. */
export const takeUpdate =
  (nowSeconds: number, given: Readonly<Record<string, string>> = {}): Update =>
  (x) => ({
    set: [`${x.path('taken_at')} = ${x.value(nowSeconds)}`],
    condition: [
      `${x.path('expires_at')} > ${x.value(nowSeconds)}`,
      `attribute_not_exists(${x.path('taken_at')})`,
      ...Object.entries(given).map(([name, value]) => `${x.path(name)} = ${x.value(value)}`),
    ].join(' AND '),
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
