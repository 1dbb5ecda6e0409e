import { isText, type Schema } from './schemas.ts'

/**
 * Where a setting is given: as a key of `config/<stage>.json` and as a prop of the construct (`stack`), as a key alone
 * (`app`), as an environment variable of local mode (`local`), or by the stack to the functions that need it (`parts`).
 */
export type Place = 'stack' | 'app' | 'local' | 'parts'

/**
 * What is wrong with a value. The text completes the name of the setting to a sentence.
 *
 * @internal
 */
export class Problem {
  readonly text: string

  constructor(text: string) {
    this.text = text
  }
}

export interface Setting<Given, Value, On extends Place> {
  /** @internal */
  readonly schema: Schema<Given>
  readonly default: Given | undefined
  /** The default in local mode, if it is another one. */
  readonly localDefault: Given | undefined
  readonly on: readonly On[]
  /** The environment variable. Its name is that of the setting in upper case if it is undefined. */
  readonly variable: string | undefined
  /** Whether an empty text is a value. Otherwise, it stands for the default. */
  readonly canBeEmpty: boolean
  /** @internal */
  read(given: Given): Value | Problem
}

/** @internal */
export type AnySetting = Setting<unknown, unknown, Place>

/** The values that others give for the settings of a table. */
export type GivenBy<Table, On extends Place> = {
  readonly [Name in keyof Table as Table[Name] extends Setting<infer _G, infer _V, infer Places>
    ? On & Places extends never
      ? never
      : Name
    : never]?: Table[Name] extends Setting<infer Given, infer _V, infer _P> ? Given : never
}

/**
 * The values that the settings of a table have for the code.
 *
 * @internal
 */
export type ValuesOf<Table> = {
  readonly [Name in keyof Table]: Table[Name] extends Setting<infer _G, infer Value, infer _P> ? Value : never
}

/** @internal */
interface Declaration<Given, Value, On extends Place, Default> {
  readonly schema: Schema<Given>
  readonly on: readonly On[]
  readonly default?: Default
  readonly localDefault?: NoInfer<Given>
  readonly variable?: string
  readonly canBeEmpty?: boolean
  /** Turns what is given into what the code needs, or into what is wrong with it. */
  readonly read?: (given: Given) => Value | Problem
}

/**
 * Declares a setting. Without a default, its value is undefined unless it is given.
 *
 * @internal
 */
export const setting = <
  Given,
  const On extends Place,
  Value = Given,
  const Default extends Given | undefined = undefined,
>({
  schema,
  on,
  default: ownDefault,
  localDefault,
  variable,
  canBeEmpty = false,
  read,
}: Declaration<Given, Value, On, Default>): Setting<
  Given,
  undefined extends Default ? Value | undefined : Value,
  On
> => ({
  schema,
  on,
  default: ownDefault,
  localDefault,
  variable,
  canBeEmpty,
  read: read ?? ((given) => given as Given & Value),
})

/**
 * Completes a reader that returns a text about what is wrong.
 *
 * @internal
 */
export const orProblem =
  <Given, Result>(read: (given: Given) => Result) =>
  (given: Given): Exclude<Result, string> | Problem => {
    const result = read(given)
    return typeof result === 'string' ? new Problem(result) : (result as Exclude<Result, string>)
  }

/**
 * The name of the environment variable of a setting.
 *
 * @internal
 */
export const variableOf = (name: string, { variable }: Pick<AnySetting, 'variable'>): string =>
  variable ?? name.replaceAll(/[A-Z]/g, '_$&').toUpperCase()

/**
 * Writes a value as an environment variable. `readSetting` reads it.
 *
 * @internal
 */
export const toVariable = (given: unknown): string => (Array.isArray(given) ? given.join(',') : String(given))

/**
 * Checks a value as it was given: with its type, or as a text such as `-c key=value` and environment variables have.
 *
 * @internal
 */
export const checkSetting = <Given>(
  { schema, canBeEmpty }: Pick<Setting<Given, unknown, Place>, 'schema' | 'canBeEmpty'>,
  given: unknown,
): Given | Problem => {
  const { kind, rule, accepts } = schema
  if (given === '' && !canBeEmpty && (kind === 'text' || kind === 'list'))
    return new Problem('must not be empty. Leave it out to use its default')
  const value = fromText(kind, given)
  if (accepts(value)) return value
  return new Problem(rule)
}

/**
 * Returns the value that a setting has for the code, from what was given.
 *
 * @internal
 */
export const readSetting = <Given, Value>(
  setting: Setting<Given, Value, Place>,
  given: unknown,
): Value | Problem | undefined => {
  const isGiven = given !== undefined && (given !== '' || setting.canBeEmpty)
  const checked = isGiven ? checkSetting(setting, given) : setting.default
  if (checked === undefined) return undefined
  return checked instanceof Problem ? checked : setting.read(checked)
}

/**
 * How settings are called where they are given, and what is wrong with them.
 *
 * @internal
 */
export interface Report {
  readonly label: (name: string) => string
  readonly report: (name: string, problem: string) => void
}

/**
 * Reads all settings of a table from what `given` returns for each. Settings with problems get their default, so that all
 * problems are found at once.
 *
 * @internal
 */
export const readTable = <Table extends Readonly<Record<string, AnySetting>>>(
  table: Table,
  given: (name: string, setting: AnySetting) => unknown,
  report: (name: string, setting: AnySetting, problem: string) => void,
): ValuesOf<Table> =>
  Object.fromEntries(
    Object.entries(table).map(([name, setting]) => {
      const value = readSetting(setting, given(name, setting))
      if (value instanceof Problem) report(name, setting, value.text)
      return [name, value instanceof Problem ? setting.default : value]
    }),
  ) as ValuesOf<Table>

const fromText = (kind: Schema<unknown>['kind'], given: unknown): unknown => {
  if (kind === 'choice' && typeof given === 'number') return String(given)
  if (!isText(given)) return given
  if (kind === 'flag') return given === 'true' || (given === 'false' ? false : given)
  if (kind === 'number') return /^\d{1,15}$/.test(given) ? Number(given) : given
  return kind === 'list' ? given.split(',').map((entry) => entry.trim()) : given
}

/**
 * Returns what was given, else the default, for settings that nothing reads further.
 *
 * @internal
 */
export const orDefault = <Value>(
  setting: Setting<NonNullable<Value>, Value, Place>,
  given: NonNullable<Value> | undefined,
): Value => (given ?? setting.default) as Value

/**
 * Returns the settings of a table that are given at one of these places.
 *
 * @internal
 */
export const settingsOn = (
  table: Readonly<Record<string, AnySetting>>,
  ...places: readonly Place[]
): Readonly<Record<string, AnySetting>> =>
  Object.fromEntries(Object.entries(table).filter(([, { on }]) => places.some((place) => on.includes(place))))
