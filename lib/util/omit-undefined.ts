/** The same fields, where those that may be undefined are optional instead. */
export type OmitUndefined<T> = {
  [Name in keyof T as undefined extends T[Name] ? never : Name]: T[Name]
} & {
  [Name in keyof T as undefined extends T[Name] ? Name : never]?: Exclude<T[Name], undefined>
}

/** Returns the fields without those that are undefined, for types where a field is present or absent. */
export const omitUndefined = <T extends object>(fields: T): OmitUndefined<T> =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as OmitUndefined<T>
