/** Rejected XML. The message continues a sentence that starts with the field's name, and quotes nothing of the text. */
export class XmlError extends Error {
  constructor(message: string) {
    super(message)
    this.name = 'XmlError'
  }
}
