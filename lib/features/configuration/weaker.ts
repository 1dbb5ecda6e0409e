/** The fields of settings, by their names on the wire. */
type Values = Readonly<Record<string, unknown>>

/**
 * Which change of a field makes a policy weaker, so that somebody can do more, or needs less for it:
 * - `lower` and `higher`: a number. Null is none at all, which is the lowest minimum and no maximum
 * - `off` and `on`: what stops or begins to be so
 * - `fewer` and `more`: a list that loses or gains entries. A changed entry is both
 * - `changed`: every change, because values cannot be compared
 * - `never`: nobody can do more by any change
 * - a list of values from the strongest to the weakest
 */
export type Weaker =
  | 'lower'
  | 'higher'
  | 'off'
  | 'on'
  | 'fewer'
  | 'more'
  | 'changed'
  | 'never'
  | readonly string[]

/** Whether a field that a policy has is weaker after a change. */
export const isWeaker = (weaker: Weaker, before: unknown, after: unknown): boolean => {
  if (typeof weaker !== 'string') return rank(weaker, after) > rank(weaker, before)
  const [was, is] = [toText(before), toText(after)]
  if (was === is) return false
  switch (weaker) {
    case 'lower':
      return toNumber(after, 0) < toNumber(before, 0)
    case 'higher':
      return toNumber(after, Number.POSITIVE_INFINITY) > toNumber(before, Number.POSITIVE_INFINITY)
    case 'off':
      return isSet(before) && !isSet(after)
    case 'on':
      return isSet(after) && !isSet(before)
    case 'fewer':
      return lacksSome(toList(after), toList(before))
    case 'more':
      return lacksSome(toList(before), toList(after))
    case 'changed':
      return true
    case 'never':
      return false
  }
}

/** What a policy has instead of what an entry leaves out: the stronger of its own value and of that of a new service. */
export const listStronger = (
  weaker: Readonly<Record<string, Weaker>>,
  {
    current,
    defaults,
    given,
  }: { readonly current: Values; readonly defaults: Values; readonly given: Values },
): Values =>
  Object.fromEntries(
    Object.entries(weaker).flatMap(([name, direction]) =>
      given[name] === undefined && isWeaker(direction, current[name], defaults[name])
        ? [[name, current[name]]]
        : [],
    ),
  )

/** An unknown value counts as the weakest. */
const rank = (order: readonly string[], value: unknown): number => {
  const at = order.indexOf(String(value))
  return at === -1 ? order.length : at
}

const toText = (value: unknown): string => JSON.stringify(value ?? null)

const toNumber = (value: unknown, none: number): number => (typeof value === 'number' ? value : none)

const isSet = (value: unknown): boolean => value !== undefined && value !== null && value !== false

const toList = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])

const lacksSome = (list: readonly unknown[], wanted: readonly unknown[]): boolean => {
  const texts = list.map(toText)
  return wanted.some((one) => !texts.includes(toText(one)))
}
