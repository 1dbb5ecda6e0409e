/** XML that isn't read; the message is a sentence that goes on from a field's name and quotes nothing of the text. */
export class XmlRefused extends Error {
  constructor(message: string) {
    super(message)
    this.name = 'XmlRefused'
  }
}
