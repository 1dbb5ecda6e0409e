import type { ApiFailure } from '../../kit/call-api.ts'

/** What the API says about a field, for its frame. Administrators get its English texts where the page has no own. */
export const problemOf = (failure: ApiFailure | undefined, field: string) => {
  const messages = (failure?.problem.errors ?? [])
    .filter((error) => error.field === field || error.field.startsWith(`${field}.`))
    .map(({ message }) => message)
  return messages.length > 0 ? <span lang="en">{messages.join(' ')}</span> : undefined
}
