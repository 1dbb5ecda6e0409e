/** A changed field of an event, in the audit log and in the events of an organization. */
export interface EventChange {
  readonly field: string
  readonly from?: string | number | boolean | null
  readonly to?: string | number | boolean | null
  readonly state?: string
}

/** A value before or after a change. A dash stands for none. */
export const showValue = (value: EventChange['from']): string =>
  value === undefined || value === null || value === '' ? '–' : String(value)

/** Whether the event has the values. */
export const hasValues = ({ from, to }: EventChange): boolean => from !== undefined || to !== undefined

/** The changes as one cell of a file: `is_enabled: true → false; email`. */
export const toChangesCell = (changes: readonly EventChange[]): string =>
  changes
    .map((change) =>
      hasValues(change)
        ? `${change.field}: ${showValue(change.from)} → ${showValue(change.to)}`
        : change.field,
    )
    .join('; ')
