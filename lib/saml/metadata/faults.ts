import { type AppError, invalidRequest } from '../../core/errors.ts'
import { XmlRefused } from '../xml/faults.ts'

/** A refusal of metadata; the message goes on from "url". */
export const createMetadataError = (message: string): AppError => invalidRequest([{ field: 'url', message }])

/** Runs what reads XML, and makes a refusal of what it doesn't take. @throws AppError `invalid_request` */
export const withMetadataErrors = <Result>(read: () => Result): Result => {
  try {
    return read()
  } catch (error) {
    if (error instanceof XmlRefused) throw createMetadataError(`leads to a document that ${error.message}`)
    throw error
  }
}
