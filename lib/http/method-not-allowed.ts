import { AppError } from '../errors/errors.ts'

/** Creates the error for a method that a path does not have, with the methods that it has (RFC 9110 15.5.6). */
export const createMethodNotAllowed = (methods: Iterable<string>): AppError =>
  new AppError('method_not_allowed', { headers: { allow: [...new Set(methods)].sort().join(', ') } })
