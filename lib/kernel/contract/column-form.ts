/** How a cell of CSV is read. */
export type ColumnForm = 'text' | 'number or flag' | 'list' | 'json'

/** The form that a field needs, by the values that it accepts. */
type FormOf<Value> = unknown extends Value
  ? 'json'
  : NonNullable<Value> extends readonly unknown[]
    ? 'list'
    : NonNullable<Value> extends boolean | number
      ? 'number or flag'
      : 'text'

/** The form of each field of a line. What differs from the values of the field does not compile. */
export type ColumnForms<Line> = { readonly [Field in keyof Line]-?: FormOf<Line[Field]> }
