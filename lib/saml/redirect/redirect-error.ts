/** A rejected message in a query. The error text continues a sentence that starts with the name of the parameter. */
export class RedirectError extends Error {
  readonly parameter: string

  constructor(parameter: string, message: string) {
    super(message)
    this.name = 'RedirectError'
    this.parameter = parameter
  }
}
