import { XmlError } from '../xml/xml-error.ts'

/** Rejected metadata. The message continues a sentence that starts with "url". */
export class MetadataError extends Error {
  constructor(message: string) {
    super(message)
    this.name = 'MetadataError'
  }
}

/** Runs a function that reads XML. @throws MetadataError instead of `XmlError` */
export const withMetadataErrors = <Result>(read: () => Result): Result => {
  try {
    return read()
  } catch (error) {
    if (error instanceof XmlError) throw new MetadataError(`leads to a document that ${error.message}`)
    throw error
  }
}
