import type { FieldError } from '../../kernel/errors/errors.ts'

/** What no two lines of a file may have, in the forms in which it is compared. Undefined for what is missing or invalid. */
export interface LineNames {
  readonly username?: string | undefined
  readonly email?: string | undefined
  /** The looks of the username. */
  readonly skeleton?: string | undefined
  /** The ID in another system, with its source. */
  readonly external_id?: string | undefined
  /** Accounts at public providers. */
  readonly public_identities?: readonly string[] | undefined
}

const fields = ['username', 'email', 'skeleton', 'external_id'] as const

/** The names of the file so far, each with the first valid line that has it. */
export type SeenNames = Readonly<Record<(typeof fields)[number] | 'public_identities', Map<string, number>>>

export const createSeenNames = (): SeenNames => ({
  username: new Map(),
  email: new Map(),
  skeleton: new Map(),
  external_id: new Map(),
  public_identities: new Map(),
})

/** Returns the errors of a line that repeats a name of an earlier line, or whose username looks like an earlier one. */
export const findDuplicates = (names: LineNames, seen: SeenNames): readonly FieldError[] => {
  const find = (field: (typeof fields)[number]) => seen[field].get(names[field] ?? '')
  const toError = (field: string, line: number | undefined): FieldError[] =>
    line === undefined ? [] : [{ field, message: `is the same as on line ${line}` }]
  const repeated = [
    ...(['username', 'email', 'external_id'] as const).flatMap((field) => toError(field, find(field))),
    ...(names.public_identities ?? []).flatMap((identity, at) =>
      toError(`public_identities.${at}`, seen.public_identities.get(identity)),
    ),
  ]
  const isLookalike = find('skeleton') !== undefined && find('username') === undefined
  return isLookalike
    ? [...repeated, { field: 'username', message: `looks like the name on line ${find('skeleton')}` }]
    : repeated
}

/** Remembers the names of a valid line. */
export const rememberNames = (line: number, names: LineNames, seen: SeenNames): void => {
  for (const field of fields) {
    const name = names[field]
    if (name !== undefined) seen[field].set(name, line)
  }
  for (const identity of names.public_identities ?? []) seen.public_identities.set(identity, line)
}
