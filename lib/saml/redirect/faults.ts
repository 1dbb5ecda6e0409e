/** A message in a query that isn't taken; its text is a sentence that goes on from the name of the parameter. */
export class RedirectRefused extends Error {
  readonly parameter: string

  constructor(parameter: string, message: string) {
    super(message)
    this.name = 'RedirectRefused'
    this.parameter = parameter
  }
}
