/** What a journey needs to know. */
export interface Given {
  readonly url: string
  readonly username: string
  readonly password: string
  /** The ID of a user whom the journey may change. */
  readonly otherUser: number
}

/** What a developer finds out with a client. All clients must find the same. */
export interface Findings {
  readonly wrongPassword: { readonly code: string; readonly reason: string | undefined }
  readonly username: string
  readonly ticketUser: string
  /** Each page of the groups, as their names. */
  readonly pages: readonly (readonly string[])[]
  readonly missingUser: string
  readonly wrongFields: readonly string[]
  readonly fullNames: readonly (string | null)[]
  readonly statusAfterSignOut: number
}

/** Returns the cursor of the next page from the `Link` header (RFC 8288), which no generator reads. */
export const findNextCursor = (headers: Headers): string | undefined => {
  const [, next] = /<([^>]+)>; rel="next"/.exec(headers.get('link') ?? '') ?? []
  return next === undefined ? undefined : (new URL(next).searchParams.get('cursor') ?? undefined)
}
