/** Converts an ISO 8601 time to the value of a `datetime-local` input, in the time zone of the browser. */
export const toLocalInput = (time: string | null): string => {
  if (time === null) return ''
  const date = new Date(time)
  return new Date(date.getTime() - date.getTimezoneOffset() * 60_000).toISOString().slice(0, 16)
}

/** Converts the value of a `datetime-local` input to an ISO 8601 time. */
export const fromLocalInput = (value: string): string | null =>
  value === '' ? null : new Date(value).toISOString()
