import type { OrganizationPermission } from './organization-permissions.ts'

/*
 * Who sets and who sees each field of a model that several kinds of callers share. It is declared with the field, and required there:
 * what a declaration does not allow is refused, or left out of the answer. See `sharedFields` in `model.ts`.
 */

/**
 * A kind of caller. `service`: holders of the permission of the service that the operation asks for. `configuration`: a document that a
 * stack or a pipeline applies. `api_token`: an API token of a holder, where it may change less than they do. `setup_link`: the holder of a
 * set-up link. `person`: the user whom the object is about. `member`: any member or API token of the organization. `everyone`: also callers
 * without a credential. All others are permissions in an organization.
 */
export type FieldCaller =
  | 'service'
  | 'configuration'
  | 'api_token'
  | 'setup_link'
  | 'person'
  | 'member'
  | 'everyone'
  | OrganizationPermission

export type FieldCallers = readonly FieldCaller[]

export interface ReadRights {
  /** Who sees the field. */
  readonly seenBy: FieldCallers
}

export interface FieldRights extends ReadRights {
  /** Who sets the field. Nobody else may change it, also where they may change other fields of the object. */
  readonly by: FieldCallers
}

export type Rights = Readonly<
  Record<string, { readonly by?: FieldCallers | undefined; readonly seenBy: FieldCallers }>
>

const overlaps = (some: FieldCallers | undefined, others: FieldCallers): boolean =>
  some?.some((caller) => others.includes(caller)) ?? false

/** The first of these fields that none of the callers may set. A field without a declaration is one of them. */
export const findForbiddenField = (
  rights: Rights,
  callers: FieldCallers,
  names: readonly string[],
): string | undefined =>
  names.find((name) => !Object.hasOwn(rights, name) || !overlaps(rights[name]?.by, callers))

/** The names of the fields that have a caller in `by` or `seenBy`. */
type NamesWith<All extends Rights, Right extends 'by' | 'seenBy', Caller extends FieldCaller> = {
  [Name in keyof All & string]: All[Name] extends Readonly<Record<Right, readonly (infer One)[]>>
    ? Extract<One, Caller> extends never
      ? never
      : Name
    : never
}[keyof All & string]

/** The name of a field that a kind of caller sets. */
export type SettableBy<All extends Rights, Caller extends FieldCaller> = NamesWith<All, 'by', Caller>

/** The name of a field that a kind of caller sees. */
export type SeenBy<All extends Rights, Caller extends FieldCaller> = NamesWith<All, 'seenBy', Caller>

/** The names of the fields that a kind of caller sets. */
export const listSettableBy = <const All extends Rights, Caller extends FieldCaller>(
  rights: All,
  caller: Caller,
): readonly SettableBy<All, Caller>[] =>
  listNamesOf(rights, ({ by }) => overlaps(by, [caller])) as SettableBy<All, Caller>[]

/** The names of the fields that requests set, and a kind of caller does not. */
export const listReservedFrom = <const All extends Rights, Caller extends FieldCaller>(
  rights: All,
  caller: Caller,
): readonly Exclude<SettableBy<All, FieldCaller>, SettableBy<All, Caller>>[] =>
  listNamesOf(rights, ({ by }) => by !== undefined && !overlaps(by, [caller])) as Exclude<
    SettableBy<All, FieldCaller>,
    SettableBy<All, Caller>
  >[]

/** The names of the fields that a kind of caller sees. */
export const listSeenBy = <const All extends Rights, Caller extends FieldCaller>(
  rights: All,
  caller: Caller,
): readonly SeenBy<All, Caller>[] =>
  listNamesOf(rights, ({ seenBy }) => overlaps(seenBy, [caller])) as SeenBy<All, Caller>[]

const listNamesOf = (rights: Rights, has: (one: Rights[string]) => boolean): readonly string[] =>
  Object.entries(rights).flatMap(([name, one]) => (has(one) ? [name] : []))
