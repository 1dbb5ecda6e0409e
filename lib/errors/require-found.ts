import { notFound } from './errors.ts'

/** @throws AppError `not_found` when there is no value */
export const requireFound = <T>(value: T | undefined): T => {
  if (value === undefined) throw notFound()
  return value
}
