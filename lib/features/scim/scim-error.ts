/** The keywords of RFC 7644 3.12 that say what is wrong with a request. */
export type ScimType =
  | 'invalidFilter'
  | 'tooMany'
  | 'uniqueness'
  | 'mutability'
  | 'invalidSyntax'
  | 'invalidPath'
  | 'noTarget'
  | 'invalidValue'
  | 'invalidCursor'
  | 'invalidCount'

/** What a request of a directory lacks. The answer is an error of RFC 7644 3.12. */
export class ScimError extends Error {
  readonly status: number
  readonly scimType: ScimType | undefined

  /** `detail` names the attribute or the operation, and never repeats a value. */
  constructor(status: number, scimType: ScimType | undefined, detail: string) {
    super(detail)
    this.name = 'ScimError'
    this.status = status
    this.scimType = scimType
  }
}

/** A request with a part that cannot be used. */
export const badRequest = (scimType: ScimType, detail: string): ScimError =>
  new ScimError(400, scimType, detail)
